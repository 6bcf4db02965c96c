"""The command line, for operators: thin commands over the services, ``flask --app wsgi <noun> <verb>``."""

from __future__ import annotations

from flask import Flask

from app.cli import api_keys, projects, users
from app.config import Settings


def init_app(app: Flask, _settings: Settings) -> None:
    """Register the face's commands."""
    for group in (users.group, api_keys.group, projects.group):
        app.cli.add_command(group)
