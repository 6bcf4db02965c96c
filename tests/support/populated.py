"""Rows of one account in every table that accounts own, as many as asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Column, Table, insert
from sqlalchemy.types import (
    JSON,
    Boolean,
    Date,
    DateTime,
    Integer,
    LargeBinary,
    Numeric,
    String,
    TypeDecorator,
)

from app.infra.db import Base, db
from tests.support.filled import WORDS

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
FIRST_ID = 1_000_000
ABSENT = {"deletion_asked_at", "brand_color"}
LISTS = {"tags", "json_ld", "keywords", "outline", "sources", "avoid"}

Rows = dict[str, list[dict[str, Any]]]


def populate(number: int, marker: str, counts: Mapping[str, int]) -> Rows:
    """Insert the rows of account ``number``, one a table unless ``counts`` says more; commits.

    Their ids begin at ``number`` million. ``marker`` is in every text that is long enough.
    """
    made: Rows = {}
    for table in Base.metadata.sorted_tables:
        made[table.name] = [
            {
                column.name: _value(table, column, made, number, marker, index)
                for column in table.columns
                if column.computed is None
            }
            for index in range(counts.get(table.name, 1))
        ]
        db.session.execute(insert(table), made[table.name])
    db.session.commit()
    return made


def _value(table: Table, column: Column[Any], made: Rows, number: int, marker: str, index: int) -> Any:
    key = next(iter(column.foreign_keys), None)
    if key is not None:
        parents = made[key.column.table.name]
        return parents[index % len(parents)][key.column.name]
    if column.name == "id" or (column.name.endswith("_id") and isinstance(column.type, Integer)):
        return number * FIRST_ID + index
    if column.name in ABSENT:
        return None
    if (table.name, column.name) == ("publications", "state"):
        return "live"
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    if isinstance(kind, String):
        return WORDS.get(column.name, f"{marker}{index}-{column.name}")[: kind.length or 60]
    if isinstance(kind, LargeBinary):
        return f"{marker}{index}".encode()
    if isinstance(kind, JSON):
        return [] if column.name in LISTS else {}
    values = ((Boolean, False), (DateTime, AT), (Date, date(2026, 1, 2)), (Numeric, 1.5))
    return next((value for known, value in values if isinstance(kind, known)), 1)
