"""The present application's settings, for rooms that are called inside it."""

from __future__ import annotations

from flask import current_app

from app.config import Settings


def current_settings() -> Settings:
    """Return the Settings that the present application was made with."""
    settings: Settings = current_app.extensions["settings"]
    return settings
