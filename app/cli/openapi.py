"""``flask openapi``: the description of the Public API, as /api/openapi.json serves it."""

import json

import click
from flask import current_app
from flask.cli import with_appcontext

from app.cli.output import Command


@click.command("openapi", cls=Command)
@with_appcontext
def command() -> None:
    """Print the OpenAPI document of the Public API as JSON."""
    with current_app.test_client() as client:
        click.echo(json.dumps(client.get("/api/openapi.json").json, indent=2))
