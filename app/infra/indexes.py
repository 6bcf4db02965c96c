"""Indexes of some rows of a table."""

from sqlalchemy import Index, TextClause


def partial_index(
    name: str, where: TextClause, *columns: str, unique: bool = False, on_sqlite: TextClause | None = None
) -> Index:
    """Return an index of the rows that meet a condition, which may need other words ``on_sqlite``."""
    sqlite = where if on_sqlite is None else on_sqlite
    return Index(name, *columns, unique=unique, postgresql_where=where, sqlite_where=sqlite)
