"""The command line: thin commands over the services."""

from __future__ import annotations

from flask import Flask

from app.config import Settings


def init_app(app: Flask, _settings: Settings) -> None:
    """Register the face's commands."""
