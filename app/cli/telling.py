"""How commands speak: the answer alone on stdout; failures as one message on stderr with exit code 1."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from flask.cli import AppGroup
from sqlalchemy.exc import OperationalError, ProgrammingError

from app.failures import ServiceFailure
from app.infra import logs


class Group(AppGroup):
    """The commands of one noun; what a service refuses is told as a message."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        with _telling():
            return super().invoke(ctx)


class Command(click.Command):
    """A command without a noun, which tells failures as ``Group`` does."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _telling():
            return super().invoke(ctx)


@contextmanager
def _telling() -> Iterator[None]:
    try:
        with logs.on_stderr():
            yield
    except ServiceFailure as error:
        raise click.ClickException(_told(error)) from error
    except (OperationalError, ProgrammingError) as error:
        # The driver's words hold the statement and its values; the operator needs neither.
        kind = type(error.orig).__name__
        raise click.ClickException(
            f"The database cannot be used ({kind}). Is it up, and migrated?"
        ) from error


def _told(error: ServiceFailure) -> str:
    """Return a refusal in words: its message, and what is wrong with which field."""
    fields = (f"{e['field'].lstrip('/')}: {e['message']}" for e in error.errors)
    return "\n".join([error.failure.message, *fields])
