"""The settings of the current application."""

from flask import current_app

from app.config import Settings


def current_settings() -> Settings:
    """Return the settings of the current application. Needs an application context."""
    settings: Settings = current_app.extensions["settings"]
    return settings
