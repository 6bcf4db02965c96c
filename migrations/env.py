"""Runs the migrations on the application's database; ``flask --app wsgi db upgrade`` comes here."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from flask import current_app

from app.infra.db import UtcDateTime, db


def plain_type(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    """Write our column types as plain SQLAlchemy ones: a migration must not change when the code does."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    return False


def migrate() -> None:
    """Bring the database to the wanted revision in one transaction."""
    with db.engine.connect() as connection:
        context.configure(
            connection=connection,
            target_metadata=db.metadata,
            render_item=plain_type,
            render_as_batch=current_app.extensions["migrate"].configure_args.get("render_as_batch", True),
            compare_type=True,
        )
        with context.begin_transaction():
            if connection.dialect.name == "postgresql":  # a release waits for whatever is under way
                for limit in ("lock_timeout", "idle_in_transaction_session_timeout"):
                    connection.exec_driver_sql(f"SET LOCAL {limit} = 0")
            context.run_migrations()


if context.is_offline_mode():
    raise SystemExit("Migrations need a database to run on.")
migrate()
