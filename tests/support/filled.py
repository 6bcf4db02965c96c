"""A row in every table, whatever the revision of the schema: what migrations and backups have to keep."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Column, Connection, MetaData, Table, func, insert, select
from sqlalchemy.types import JSON, Boolean, Date, DateTime, LargeBinary, Numeric, String

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
KEPT = "alembic_version"
WORDS = {"status": "succeeded", "operation": "SYNC_SITEMAP", "kind": "webhook", "source": "SITEMAP"}
"""What columns of these names have; others have their name."""
VALUES = ((JSON, {}), (Boolean, False), (DateTime, AT), (Date, date(2026, 1, 2)), (Numeric, 1.5))
"""What columns of other types have; numbers are 1."""

Rows = dict[str, list[dict[str, Any]]]


def reflected(connection: Connection) -> MetaData:
    """The tables as they are now. Who has them already need not have them read again."""
    schema = MetaData()
    schema.reflect(connection)
    return schema


def fill(connection: Connection, schema: MetaData | None = None) -> None:
    """Insert a row with a value in each column into each table that is empty."""
    for table in (schema or reflected(connection)).sorted_tables:
        if table.name != KEPT and not connection.scalar(select(func.count()).select_from(table)):
            connection.execute(insert(table), _row(connection, table))


def rows(connection: Connection, schema: MetaData | None = None) -> Rows:
    """All rows by table."""
    return {
        table.name: sorted((dict(row) for row in connection.execute(select(table)).mappings()), key=repr)
        for table in (schema or reflected(connection)).sorted_tables
        if table.name != KEPT
    }


def _row(connection: Connection, table: Table) -> dict[str, Any]:
    referred = {key.parent.name: key.column for key in table.foreign_keys}
    stored = (column for column in table.columns if column.computed is None)
    return {column.name: _value(connection, column, referred) for column in stored}


def _value(connection: Connection, column: Column[Any], referred: dict[str, Column[Any]]) -> Any:
    if column.name in referred:
        return connection.scalar(select(referred[column.name]).limit(1))
    kind = column.type
    if isinstance(kind, String):
        return WORDS.get(column.name, column.name)[: kind.length or 60]
    if isinstance(kind, LargeBinary):
        return column.name.encode()
    return next((value for known, value in VALUES if isinstance(kind, known)), 1)
