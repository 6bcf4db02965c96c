"""A row in every table, whatever the revision of the schema: what migrations and backups have to keep."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Column, Connection, MetaData, Table, func, insert, inspect, select
from sqlalchemy.types import JSON, Boolean, Date, DateTime, LargeBinary, Numeric, String

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
KEPT = "alembic_version"
WORDS = {"status": "succeeded", "operation": "SYNC_SITEMAP", "kind": "webhook", "source": "SITEMAP"}
"""What columns of these names have; others have their name."""
VALUES = ((JSON, {}), (Boolean, False), (DateTime, AT), (Date, date(2026, 1, 2)), (Numeric, 1.5))
"""What columns of other types have; numbers are 1."""

Rows = dict[str, list[dict[str, Any]]]


def fill(connection: Connection) -> None:
    """Insert a row with a value in each column into each table that is empty."""
    for table in _schema(connection).sorted_tables:
        if table.name != KEPT and not connection.scalar(select(func.count()).select_from(table)):
            connection.execute(insert(table), _row(connection, table))


def rows(connection: Connection) -> Rows:
    """All rows by table."""
    schema = _schema(connection)
    return {
        table.name: sorted((dict(row) for row in connection.execute(select(table)).mappings()), key=repr)
        for table in schema.sorted_tables
        if table.name != KEPT
    }


def _schema(connection: Connection) -> MetaData:
    schema = MetaData()
    schema.reflect(connection)
    return schema


def _row(connection: Connection, table: Table) -> dict[str, Any]:
    referred = {
        column: (key["referred_table"], key["referred_columns"][number])
        for key in inspect(connection).get_foreign_keys(table.name)
        for number, column in enumerate(key["constrained_columns"])
    }
    stored = (column for column in table.columns if column.computed is None)
    return {column.name: _value(connection, table, column, referred) for column in stored}


def _value(
    connection: Connection, table: Table, column: Column[Any], referred: dict[str, Sequence[str]]
) -> Any:
    if column.name in referred:
        other, name = referred[column.name]
        return connection.scalar(select(table.metadata.tables[other].columns[name]).limit(1))
    kind = column.type
    if isinstance(kind, String):
        return WORDS.get(column.name, column.name)[: kind.length or 60]
    if isinstance(kind, LargeBinary):
        return column.name.encode()
    return next((value for known, value in VALUES if isinstance(kind, known)), 1)
