"""How commands tell failures: one message on stderr, exit code 1, no traceback."""

from __future__ import annotations

from typing import Any

import click
from flask.cli import AppGroup
from sqlalchemy.exc import OperationalError, ProgrammingError

from app.failures import ServiceFailure


class Group(AppGroup):
    """The commands of one noun; what a service refuses is told as a message."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ServiceFailure as error:
            raise click.ClickException(told(error)) from error
        except (OperationalError, ProgrammingError) as error:
            raise click.ClickException(
                f"The database cannot be used ({type(error.orig).__name__}). Is it up, and migrated?"
            ) from error


def told(error: ServiceFailure) -> str:
    """Return a refusal in words: its message and what is wrong with which field."""
    fields = (f"{e['field'].lstrip('/')}: {e['message']}" for e in error.errors)
    return "\n".join([error.failure.message, *fields])
