"""``flask doctor``: whether settings, database and Redis are as the service needs them, and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

import click
from flask.cli import with_appcontext
from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.cli.output import Command
from app.infra.db import db
from app.infra.db_engine import OVERFLOW
from app.infra.health import is_migrated
from app.infra.logs import cause_of
from app.infra.queue import redis_client
from app.infra.settings import current_settings

WORKER: Final = 2
SCHEDULER: Final = 1
"""Database connections of one worker (its task and the heartbeat) and of the scheduler."""

# A platform may limit the role or the database instead of the server; -1 stands for no limit.
_MOST_CONNECTIONS: Final = text("""
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user),
        (SELECT datconnlimit FROM pg_database WHERE datname = current_database())
""")


class Finding(NamedTuple):
    """One thing that was looked at: what it is like, or what to do."""

    ok: bool
    told: str


@click.command("doctor", cls=Command)
@with_appcontext
def command() -> None:
    """Look at settings, database and Redis; exit code 1 when there is something to do."""
    for name, value in current_settings().shown().items():
        click.echo(f"{name}={value}")
    findings = [*_database(), _redis()]
    for ok, told in findings:
        click.echo(f"{'ok   ' if ok else 'TO DO'} {told}")
    if not all(finding.ok for finding in findings):
        raise click.exceptions.Exit(1)


def _database() -> Iterator[Finding]:
    try:
        with db.engine.connect() as connection:
            yield Finding(True, f"database: {connection.dialect.name} answers")
            yield _migrations(connection)
            if connection.dialect.name == "postgresql":
                yield _connections(connection)
    except SQLAlchemyError as error:
        yield Finding(False, f"database: see that it is up and DATABASE_URL is right. {cause_of(error)}")


def _migrations(connection: Connection) -> Finding:
    if is_migrated(connection):
        return Finding(True, "migrations: all are done")
    return Finding(False, "migrations: run `flask --app wsgi db upgrade`, with the release that is to run")


def _connections(connection: Connection) -> Finding:
    """Compare what one worker, the scheduler and all web processes of one machine may open."""
    web, each = _web_processes(), current_settings().database_pool_size + OVERFLOW
    needed = web * each + WORKER + SCHEDULER
    most = min(limit for limit in connection.execute(_MOST_CONNECTIONS).one() if limit >= 0)
    told = (
        f"connections: {needed} of {most} (web {web} × {each}, scheduler {SCHEDULER}, a worker {WORKER}; "
        f"each further worker {WORKER})"
    )
    if needed <= most:
        return Finding(True, told)
    return Finding(
        False, f"{told}. Lower DATABASE_POOL_SIZE or WEB_CONCURRENCY, or let the database take more"
    )


def _web_processes() -> int:
    asked = os.environ.get("WEB_CONCURRENCY", "")
    return int(asked) if asked.isascii() and asked.isdigit() else 1


def _redis() -> Finding:
    try:
        redis_client().ping()
    except RedisError as error:
        return Finding(False, f"redis: see that it is up and REDIS_URL is right. {cause_of(error)}")
    return Finding(True, "redis: answers")
