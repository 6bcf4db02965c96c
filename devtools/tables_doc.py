"""Writes docs/tables.md, the tables of the database, from the models: ``python -m devtools.tables_doc``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Final

from sqlalchemy import Column, Table, UniqueConstraint
from sqlalchemy.dialects import postgresql

from app.factory import MODELS
from app.infra.db import Base
from devtools.local import ROOT

PATH: Final = ROOT / "docs" / "tables.md"

_HEAD: Final = """# Tables

The database tables and their columns, with PostgreSQL's types. This page is generated from the models by
`python -m devtools.tables_doc`.
"""


def render() -> str:
    """Return the page: a diagram of the foreign keys, then the columns of each table."""
    for package in MODELS:
        import_module(f"app.{package}.model")
    models = {mapper.local_table: mapper.class_ for mapper in Base.registry.mappers}
    tables = sorted(
        Base.metadata.tables.values(), key=lambda table: MODELS.index(models[table].__module__.split(".")[1])
    )
    diagram = ["```mermaid", "erDiagram", *(line for table in tables for line in _relations(table)), "```"]
    sections = [line for table in tables for line in _section(table, models[table])]
    return "\n".join([_HEAD, *diagram, "", *sections])


def _relations(table: Table) -> Iterator[str]:
    for column in table.columns:
        for key in column.foreign_keys:
            parent = "|o" if column.nullable else "||"
            yield f"    {key.column.table.name} {parent}--o{{ {table.name} : {column.name}"


def _section(table: Table, model: type) -> Iterator[str]:
    yield f"## {table.name}\n"
    summary = (model.__doc__ or "").partition("\n")[0]
    yield f"{summary} Model: `{model.__name__}` in `{model.__module__}`.\n"
    yield "| Column | Type | Null | References |"
    yield "| --- | --- | --- | --- |"
    for column in table.columns:
        yield _row(column)
    for constraint in sorted(table.constraints, key=lambda each: str(each.name)):
        if isinstance(constraint, UniqueConstraint):
            yield f"\nUnique: {', '.join(f'`{column.name}`' for column in constraint.columns)}."
    yield ""


def _row(column: Column[object]) -> str:
    kind = column.type.compile(dialect=postgresql.dialect()).lower()  # type: ignore[no-untyped-call]
    key = " (key)" if column.primary_key else ""
    references = ", ".join(f"`{each.target_fullname}`" for each in column.foreign_keys)
    return f"| `{column.name}`{key} | {kind} | {'yes' if column.nullable else ''} | {references} |"


if __name__ == "__main__":
    PATH.write_text(render(), encoding="utf-8")
