"""All rows of the database, to see that nothing changed."""

from __future__ import annotations

from flask import Flask
from sqlalchemy import select

from app.infra.db import Base, db

_WRITTEN_BY_READING = {"last_used_at", "last_seen_at"}
_WRITTEN_BY_ANYBODY = {"security_events"}


def all_rows(app: Flask) -> dict[str, list[str]]:
    """Every row of every table as text, without what is written when somebody only looks."""
    with app.app_context():
        return {
            table.name: sorted(
                str(tuple(value for name, value in row._mapping.items() if name not in _WRITTEN_BY_READING))
                for row in db.session.execute(select(table))
            )
            for table in Base.metadata.sorted_tables
            if table.name not in _WRITTEN_BY_ANYBODY
        }
