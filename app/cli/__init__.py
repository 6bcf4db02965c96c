"""The command line, for operators: thin commands over the services, ``flask --app wsgi <noun> <verb>``."""

from __future__ import annotations

from flask import Flask

from app.cli import api_keys, doctor, executions, openapi, projects, reconcile, sitemap, targets, users
from app.config import Settings


def init_app(app: Flask, _settings: Settings) -> None:
    """Register the face's commands."""
    for noun in (users, api_keys, projects, sitemap, targets, executions):
        app.cli.add_command(noun.group)
    app.cli.add_command(reconcile.command)
    app.cli.add_command(doctor.command)
    # Takes the place of flask-smorest's group of the same name.
    app.cli.add_command(openapi.command)
