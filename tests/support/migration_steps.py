"""The migrations as steps: what the schema and the rows of each table were before and after each one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import flask_migrate
from alembic.script import ScriptDirectory
from sqlalchemy import Inspector, inspect
from sqlalchemy.engine.interfaces import ReflectedColumn

from app.config import load_settings
from app.factory import create_app
from app.infra import migrations
from app.infra.db import db
from devtools.local import ROOT
from tests.support.environment import settings_environment
from tests.support.filled import Rows, fill, reflected, rows


@dataclass(frozen=True)
class Schema:
    """The columns and the unique keys of each table."""

    columns: dict[str, dict[str, ReflectedColumn]]
    unique: dict[str, set[tuple[str, ...]]]


@dataclass(frozen=True)
class Step:
    """One migration, and what it found and left. Before it, each table had a row."""

    revision: str
    before: Schema
    after: Schema
    rows_before: Rows
    rows_after: Rows

    def losses(self) -> set[str]:
        """What the step took away: tables, columns, rows and values, by their names."""
        lost = {f"{name} is gone" for name in self.rows_before.keys() - self.rows_after.keys()}
        for name in self.rows_before.keys() & self.rows_after.keys():
            pairs = zip(self.rows_before[name], self.rows_after[name], strict=False)
            lost |= {f"{name}.{column} is gone" for column in self._gone(name)}
            lost |= {
                f"{name}.{column} is changed"
                for old, new in pairs
                for column in old.keys() & new.keys()
                if old[column] != new[column]
            }
            if len(self.rows_after[name]) < len(self.rows_before[name]):
                lost.add(f"{name} has lost rows")
        return lost

    def breaks(self) -> set[str]:
        """Why the code of the release before cannot run on: what it reads is gone, what it writes fails."""
        found = {f"{name} is gone" for name in self.before.columns.keys() - self.after.columns.keys()}
        for name in self.before.columns.keys() & self.after.columns.keys():
            found |= {f"{name}.{column} is gone" for column in self._gone(name)}
            found |= {f"{name}.{column} is required" for column in self._newly_required(name)}
            keys = self.after.unique[name] - self.before.unique[name]
            known = self.before.columns[name].keys()
            found |= {f"{name} has the new key {', '.join(key)}" for key in keys if known >= set(key)}
        return found

    def _gone(self, table: str) -> set[str]:
        return self.before.columns[table].keys() - self.after.columns[table].keys()

    def _newly_required(self, table: str) -> Iterator[str]:
        for name, column in self.after.columns[table].items():
            old = self.before.columns[table].get(name)
            if column["nullable"] or column["default"] is not None or (old and not old["nullable"]):
                continue
            yield name


def migration_steps(url: str) -> Iterator[Step]:
    """Migrate an empty database step by step, with a row in each table before the next one."""
    app = create_app(load_settings(settings_environment(DATABASE_URL=url)))
    migrations.init_app(app)
    with app.app_context():
        before, rows_before = Schema({}, {}), Rows()
        for script in reversed(list(ScriptDirectory(str(ROOT / "migrations")).walk_revisions())):
            flask_migrate.upgrade(revision=script.revision)
            with db.engine.connect() as connection:
                tables = reflected(connection)
                after, rows_after = _schema(inspect(connection)), rows(connection, tables)
            yield Step(script.revision, before, after, rows_before, rows_after)
            with db.engine.begin() as connection:
                fill(connection, tables)
                before, rows_before = after, rows(connection, tables)
            db.engine.dispose()


def _schema(inspector: Inspector) -> Schema:
    names = inspector.get_table_names()
    return Schema(
        {name: {each["name"]: each for each in inspector.get_columns(name)} for name in names},
        {name: _unique(inspector, name) for name in names},
    )


def _unique(inspector: Inspector, table: str) -> set[tuple[str, ...]]:
    constraints = (tuple(each["column_names"]) for each in inspector.get_unique_constraints(table))
    indexes = (each for each in inspector.get_indexes(table) if each["unique"])
    return {*constraints, *(tuple(str(name) for name in each["column_names"]) for each in indexes)}
