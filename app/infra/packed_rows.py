"""Rows as JSON, so that what a person removed can be brought back as it was."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Column, ColumnElement, LargeBinary, Numeric, Select, Table, select
from sqlalchemy.types import TypeEngine

from app.infra.db import Base, UtcDateTime, db


def packed_rows(model: type[Base], *conditions: ColumnElement[bool]) -> list[dict[str, Any]]:
    """Return the rows of a table that meet the conditions, with JSON's types only."""
    columns = _columns(model)
    statement: Select[Any] = select(*columns).where(*conditions)
    rows = db.session.execute(statement).all()
    return [{column.name: _plain(value) for column, value in zip(columns, row, strict=True)} for row in rows]


def unpacked(model: type[Base], packed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a packed row, without columns that came later."""
    return {
        column.name: _value(column.type, packed[column.name])
        for column in _columns(model)
        if column.name in packed
    }


def _columns(model: type[Base]) -> tuple[Column[Any], ...]:
    table = model.__table__
    assert isinstance(table, Table)
    return tuple(table.columns)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    return str(value) if isinstance(value, Decimal) else value


def _value(kind: TypeEngine[Any], packed: Any) -> Any:
    if packed is None:
        return None
    if isinstance(kind, UtcDateTime):
        return datetime.fromisoformat(packed)
    if isinstance(kind, LargeBinary):
        return b64decode(packed)
    return Decimal(packed) if isinstance(kind, Numeric) and kind.asdecimal else packed
