"""Backup and restore: every row comes back, into an empty database only, and the service goes on."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask

from app.config import load_settings
from app.factory import create_app
from app.infra.db import db
from tests.support.databases import MakeDatabase
from tests.support.environment import settings_environment
from tests.support.filled import Rows, fill, rows


def application(url: str) -> Flask:
    """An application on another database."""
    return create_app(load_settings(settings_environment(DATABASE_URL=url)))


def invoke(app: Flask, *words: str | Path, code: int = 0) -> Result:
    result = app.test_cli_runner().invoke(args=[str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


def rows_of(app: Flask) -> Rows:
    with app.app_context(), db.engine.connect() as connection:
        return rows(connection)


@pytest.fixture
def saved(app: Flask, tmp_path: Path) -> Path:
    """A backup of a database with a row in each table."""
    with app.app_context(), db.engine.begin() as connection:
        fill(connection)
    invoke(app, "backup", tmp_path / "backup")
    return tmp_path / "backup"


def test_every_row_of_every_table_comes_back(
    app: Flask, saved: Path, database_kind: str, empty_database: MakeDatabase
) -> None:
    other = application(empty_database(database_kind))
    said = invoke(other, "restore", saved).output
    assert "Next: start the processes." in said
    restored = rows_of(other)
    assert restored == rows_of(app)
    assert all(restored[name] for name in db.metadata.tables)


def test_a_backup_is_for_its_owners_eyes_and_replaces_no_file(app: Flask, saved: Path) -> None:
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert "exists" in invoke(app, "backup", saved, code=1).output
    assert [path.name for path in saved.parent.iterdir()] == ["backup"]


def test_a_database_with_tables_is_never_written_over(app: Flask, saved: Path) -> None:
    before = rows_of(app)
    assert "not empty" in invoke(app, "restore", saved, code=1).output
    assert rows_of(app) == before


def test_a_damaged_or_missing_file_leaves_the_database_empty(
    saved: Path, database_kind: str, empty_database: MakeDatabase
) -> None:
    other = application(empty_database(database_kind))
    assert "no file" in invoke(other, "restore", saved.with_name("nowhere"), code=1).output
    saved.write_bytes(saved.read_bytes()[:5000])
    invoke(other, "restore", saved, code=1)
    assert rows_of(other) == {}


def test_a_folder_that_cannot_be_written_is_one_message(app: Flask, tmp_path: Path) -> None:
    said = invoke(app, "backup", tmp_path / "nowhere" / "backup", code=1).output
    assert said.startswith("Error: ")
    assert "cannot be written: No such file or directory" in said


@pytest.mark.parametrize("database_kind", ["sqlite"])
def test_passwords_of_the_database_reach_no_message(app: Flask, tmp_path: Path) -> None:
    away = application("postgresql://bees:secret-word@127.0.0.1:1/hives")
    said = invoke(away, "backup", tmp_path / "backup", code=1).output
    assert "pg_dump failed" in said
    assert "secret-word" not in said
    assert not list(tmp_path.iterdir())
