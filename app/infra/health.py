"""Health: is the process alive, and can it do its work?"""

from __future__ import annotations

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue
from redis.exceptions import RedisError
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
            at = MigrationContext.configure(connection).get_current_heads()
    except SQLAlchemyError:
        return "unreachable", "unknown"
    script = ScriptDirectory(current_app.extensions["migrate"].directory)
    return "ok", "ok" if set(at) == set(script.get_heads()) else "pending"


def _redis() -> str:
    try:
        redis_client().ping()
    except RedisError:
        return "unreachable"
    return "ok"
