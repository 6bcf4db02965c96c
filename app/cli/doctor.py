"""``flask doctor``: checks settings, servers and processes, and says how to fix problems."""

import os
import secrets
from collections.abc import Iterator
from typing import Final

import click
from flask.cli import with_appcontext
from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.cli.formation import Finding, check_formation, declared
from app.cli.output import Command
from app.infra.db import db
from app.infra.logs import cause_of
from app.infra.mail import Mailer, NotAccepted
from app.infra.migrations import is_migrated
from app.infra.queue import redis_client
from app.infra.s3.bucket import BucketError, bucket_from
from app.infra.settings import current_settings

WORKER: Final = 2
SCHEDULER: Final = 1
"""Database connections of one worker (its task and the heartbeat) and of the scheduler."""

# A platform may limit the role or the database instead of the server; -1 means no limit.
_MOST_CONNECTIONS: Final = text("""
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user),
        (SELECT datconnlimit FROM pg_database WHERE datname = current_database())
""")


@click.command("doctor", cls=Command)
@with_appcontext
def command() -> None:
    """Check settings, servers and processes. The exit code is 1 if there is a problem."""
    for name, value in current_settings().shown().items():
        click.echo(f"{name}={value}")
    findings = [*_database(), _redis(), *check_formation(), *_mail(), *_bucket()]
    for ok, message in findings:
        click.echo(f"{'ok   ' if ok else 'TO DO'} {message}")
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
        yield Finding(False, f"database: check that it runs and DATABASE_URL is correct. {cause_of(error)}")


def _migrations(connection: Connection) -> Finding:
    if is_migrated(connection):
        return Finding(True, "migrations: up to date")
    return Finding(False, "migrations: run `flask --app wsgi db upgrade`, with the release that you deploy")


def _connections(connection: Connection) -> Finding:
    number, each = declared(), current_settings().database_pool_size
    web = number["web"] * _web_processes()
    needed = web * each + number["worker"] * WORKER + number["scheduler"] * SCHEDULER
    most = min(limit for limit in connection.execute(_MOST_CONNECTIONS).one() if limit >= 0)
    message = (
        f"connections: {needed} of {most} (web {web} × {each}, worker {number['worker']} × {WORKER}, "
        f"scheduler {number['scheduler']} × {SCHEDULER}; each further worker {WORKER})"
    )
    if needed <= most:
        return Finding(True, message)
    return Finding(
        False,
        f"{message}. Lower DATABASE_POOL_SIZE or WEB_CONCURRENCY, or raise the database's limit",
    )


def _web_processes() -> int:
    value = os.environ.get("WEB_CONCURRENCY", "")
    return int(value) if value.isascii() and value.isdigit() else 1


def _redis() -> Finding:
    try:
        redis_client().ping()
    except RedisError as error:
        return Finding(False, f"redis: check that it runs and REDIS_URL is correct. {cause_of(error)}")
    return Finding(True, "redis: answers")


def _mail() -> Iterator[Finding]:
    if not current_settings().sends_mail:
        return
    try:
        with Mailer() as mailer:
            mailer.check()
    except NotAccepted as problem:
        yield Finding(False, f"mail: check the server and the SMTP settings. {problem}")
    else:
        yield Finding(True, "mail: the server accepts the connection and the user")


def _bucket() -> Iterator[Finding]:
    settings = current_settings()
    bucket = bucket_from(settings)
    if bucket is None:
        return
    key = f"{settings.s3_prefix or ''}/check-{secrets.token_hex(8)}".lstrip("/")
    try:
        bucket.put(key, b"ok", "text/plain")
        is_there = bucket.get(key) == b"ok" and [each.key for each in bucket.objects(key)] == [key]
        bucket.remove(key)
    except BucketError as error:
        yield Finding(False, f"bucket: check the server, the key and the S3 settings. {error}")
        return
    if is_there:
        yield Finding(True, "bucket: objects are stored, read, listed and removed")
    else:
        yield Finding(False, "bucket: it does not return what was stored. Check S3_ENDPOINT and S3_BUCKET")
