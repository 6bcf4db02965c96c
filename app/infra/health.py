"""Health: is the process alive, and can it do its work?"""

from __future__ import annotations

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue
from redis.exceptions import RedisError
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.infra.db import db
from app.infra.queue import redis_client

blueprint = Blueprint("health", __name__, url_prefix="/health")


@blueprint.get("/live")
def live() -> ResponseReturnValue:
    """Answer 200 while the process can answer at all."""
    return {"status": "ok"}


@blueprint.get("/ready")
def ready() -> ResponseReturnValue:
    """Answer 503 when the database is away or not migrated; Redis away is told, not fatal."""
    database, migrations = _database()
    parts = {"database": database, "migrations": migrations, "redis": _redis()}
    fit = database == migrations == "ok"
    return {"status": "ok" if fit else "unavailable", **parts}, 200 if fit else 503


def _database() -> tuple[str, str]:
    try:
        with db.engine.connect() as connection:
            return "ok", "ok" if is_migrated(connection) else "pending"
    except SQLAlchemyError:
        return "unreachable", "unknown"


def is_migrated(connection: Connection) -> bool:
    """Return whether the database has the schema that this release was made for."""
    at = MigrationContext.configure(connection).get_current_heads()
    script = ScriptDirectory(current_app.extensions["migrate"].directory)
    return set(at) == set(script.get_heads())


def _redis() -> str:
    try:
        redis_client().ping()
    except RedisError:
        return "unreachable"
    return "ok"
