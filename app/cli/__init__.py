"""The command line, for operators: thin commands over the services, ``flask --app wsgi <noun> <verb>``.

``flask openapi print`` comes with flask-smorest.
"""

from __future__ import annotations

from flask import Flask

from app.cli import api_keys, executions, projects, sweep, targets, users
from app.config import Settings


def init_app(app: Flask, _settings: Settings) -> None:
    """Register the face's commands."""
    for noun in (users, api_keys, projects, targets, executions):
        app.cli.add_command(noun.group)
    app.cli.add_command(sweep.command)
