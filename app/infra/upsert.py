"""Inserting a row that may be there already, safely when several do it at once."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite

from app.infra.db import Base, db


def insert_new(model: type[Base], **values: Any) -> int | None:
    """Insert a row and return its id; None when a unique constraint says that it is there already.

    Nothing is committed. Where another transaction is inserting the same row, this waits for its end.
    """
    insert = postgresql.insert if db.engine.dialect.name == "postgresql" else sqlite.insert
    statement = insert(model).values(**values).on_conflict_do_nothing().returning(model.__table__.c.id)
    row_id: int | None = db.session.scalar(statement)
    return row_id
