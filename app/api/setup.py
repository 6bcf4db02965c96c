"""Puts this face into the application."""

from __future__ import annotations

from flask import Flask

from app.config import Settings


def init_app(app: Flask, settings: Settings) -> None:
    """Register the face's blueprints and handlers."""
