"""The command line for operators, ``flask --app wsgi <noun> <verb>``: thin commands over the services."""

from __future__ import annotations

from flask import Flask

from app.cli import (
    api_keys,
    backup,
    dependencies,
    doctor,
    encryption,
    executions,
    images,
    openapi,
    projects,
    reconcile,
    security_log,
    sitemap,
    targets,
    users,
)
from app.config import Settings


def init_app(app: Flask, _settings: Settings) -> None:
    """Register the commands with the application."""
    for noun in (users, api_keys, projects, sitemap, targets, executions, images, encryption):
        app.cli.add_command(noun.group)
    app.cli.add_command(reconcile.command)
    app.cli.add_command(doctor.command)
    app.cli.add_command(dependencies.command)
    app.cli.add_command(security_log.command)
    app.cli.add_command(backup.save)
    app.cli.add_command(backup.restore)
    # Replaces flask-smorest's group of the same name.
    app.cli.add_command(openapi.command)
