"""The health checks: whether the process is alive, and whether it can serve requests."""

import os

from flask import Blueprint
from flask.typing import ResponseReturnValue
from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.infra.db import db
from app.infra.migrations import is_migrated
from app.infra.queue import redis_client

blueprint = Blueprint("health", __name__, url_prefix="/health")


@blueprint.get("/live")
def live() -> ResponseReturnValue:
    """Return 200 while the process responds at all."""
    return {"status": "ok"}


@blueprint.get("/ready")
def ready() -> ResponseReturnValue:
    """Return 503 if the database cannot be used. An unreachable Redis is only reported.

    The database cannot be used if it is unreachable, takes no writes or is not migrated.
    """
    database, migrations = _database()
    parts = {"database": database, "migrations": migrations, "redis": _redis()}
    is_ready = database == migrations == "ok"
    return {"status": "ok" if is_ready else "unavailable", **parts}, 200 if is_ready else 503


def _database() -> tuple[str, str]:
    try:
        with db.engine.connect() as connection:
            state = "ok" if is_writable(connection) else "read-only"
            return state, "ok" if is_migrated(connection) else "pending"
    except SQLAlchemyError:
        return "unreachable", "unknown"


def is_writable(connection: Connection) -> bool:
    """Return whether the database takes writes: not while PostgreSQL is a standby or set to be read-only."""
    if connection.dialect.name == "postgresql":
        return bool(connection.scalar(text("SELECT current_setting('transaction_read_only') = 'off'")))
    file = connection.engine.url.database
    return file is None or os.access(file, os.W_OK)


def _redis() -> str:
    try:
        redis_client().ping()
    except RedisError:
        return "unreachable"
    return "ok"
