"""The migrations, on both databases: up, as the models want it, down, and up again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect

import app.factory  # noqa: F401 (brings every model along)
from app.infra.db import db
from tests.support.databases import migrate

KINDS = pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


@KINDS
def test_an_upgraded_database_is_what_the_models_describe(
    kind: str, empty_database: Callable[[str], str]
) -> None:
    url = empty_database(kind)
    migrate(url)
    with create_engine(url).connect() as connection:
        assert tables(connection) == set(db.metadata.tables)
        assert compare_metadata(MigrationContext.configure(connection), db.metadata) == []


@KINDS
def test_a_downgrade_leaves_nothing_and_can_be_upgraded_again(
    kind: str, empty_database: Callable[[str], str]
) -> None:
    url = empty_database(kind)
    migrate(url)
    migrate(url, "base", "downgrade")
    with create_engine(url).connect() as connection:
        assert tables(connection) == set()
    migrate(url)
    with create_engine(url).connect() as connection:
        assert tables(connection) == set(db.metadata.tables)
