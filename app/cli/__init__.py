"""The command line for operators, ``flask --app wsgi <noun> <verb>``."""

from importlib import import_module

import click
from flask import Flask
from flask.cli import AppGroup

from app.infra import migrations


class CommandLine(AppGroup):
    """Imports the commands when the first one is looked for, so that web processes do without them."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app.name)
        self._app = app
        self._is_loaded = False

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, None if there is none of this name."""
        self._load()
        return super().get_command(ctx, cmd_name)

    def _load(self) -> None:
        if self._is_loaded:
            return
        self._is_loaded = True
        migrations.init_app(self._app)
        for command in import_module("app.cli.commands").COMMANDS:
            self.add_command(command)


def init_app(app: Flask) -> None:
    """Give the application its command line."""
    app.cli = CommandLine(app)
