"""Commands that print their result to stdout, and a failure as one message to stderr with exit code 1."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from flask import has_app_context
from flask.cli import AppGroup
from sqlalchemy.exc import OperationalError, ProgrammingError

from app.failures import ServiceFailure
from app.infra import logs
from app.infra.origin import set_origin


class Command(click.Command):
    """A command. A failure is printed as a message."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _failures_as_messages():
            return super().invoke(ctx)


class Group(Command, AppGroup):
    """The commands of one noun."""


@contextmanager
def _failures_as_messages() -> Iterator[None]:
    try:
        with logs.on_stderr():
            if has_app_context():
                set_origin("the command line")
            yield
    except ServiceFailure as error:
        raise click.ClickException(_failure_text(error)) from error
    except (OperationalError, ProgrammingError) as error:
        # The driver's message contains the statement and its values; the operator needs neither.
        kind = type(error.orig).__name__
        raise click.ClickException(
            f"The database cannot be used ({kind}). Is it up, and migrated?"
        ) from error


def _failure_text(error: ServiceFailure) -> str:
    fields = (f"{e['field'].lstrip('/')}: {e['message']}" for e in error.errors)
    return "\n".join([error.failure.message, *fields])
