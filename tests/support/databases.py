"""Fresh databases: migrated once for each kind, then copied for each test."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from devtools.local import ROOT
from devtools.postgres import Cluster, find_binaries
from tests.support.environment import service_environment
from tests.support.needs import need

TEMPLATE = "template_migrated"

MakeDatabase = Callable[[str], str]


class SqliteDatabases:
    """Database files in a directory of the test session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def create(self, template: str | None = None) -> str:
        path = self._folder / f"{next(self._numbers)}.sqlite3"
        if template:
            source = Path(template.removeprefix("sqlite:///"))
            with sqlite3.connect(source) as connection:  # what is still in its log belongs to the copy
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
            shutil.copyfile(source, path)
        return f"sqlite:///{path}"

    def drop(self, url: str) -> None:
        path = Path(url.removeprefix("sqlite:///"))
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """The directory goes with the session's others."""


class PostgresqlDatabases:
    """Databases of a cluster of our own."""

    def __init__(self, folder: Path) -> None:
        self._cluster = Cluster(need(find_binaries(), "PostgreSQL"))
        self._admin = psycopg.connect(self._cluster.url("postgres"), autocommit=True)
        self._numbers = count(1)

    def create(self, template: str | None = None) -> str:
        name = f"test_{next(self._numbers)}"
        source = template.rpartition("/")[2] if template else "template0"
        # Copying files takes a quarter of the time that PostgreSQL's default takes.
        self._admin.execute(f"CREATE DATABASE {name} TEMPLATE {source} STRATEGY FILE_COPY")
        return self._cluster.url(name)

    def drop(self, url: str) -> None:
        self._admin.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def close(self) -> None:
        self._admin.close()
        self._cluster.stop()


Maker = SqliteDatabases | PostgresqlDatabases

KINDS: dict[str, Callable[[Path], Maker]] = {
    "sqlite": SqliteDatabases,
    "postgresql": PostgresqlDatabases,
}


class Databases:
    """All kinds together; a server starts and a schema is migrated when first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._makers: dict[str, Maker] = {}
        self._templates: dict[str, str] = {}

    def empty(self, kind: str) -> str:
        """Make a database without a table; returns its address."""
        return self._maker(kind).create()

    def fresh(self, kind: str) -> str:
        """Make a migrated database; returns its address."""
        if kind not in self._templates:
            url = self.empty(kind)
            migrate(url)
            self._templates[kind] = url
        return self._maker(kind).create(self._templates[kind])

    def drop(self, url: str) -> None:
        self._maker(url.partition(":")[0]).drop(url)

    def close(self) -> None:
        for maker in self._makers.values():
            maker.close()

    def _maker(self, kind: str) -> Maker:
        if kind not in self._makers:
            self._makers[kind] = KINDS[kind](self._folder)
        return self._makers[kind]


def migrate(url: str, revision: str = "head", direction: str = "upgrade") -> None:
    """Bring a database to a revision by the command of a release. Raises AssertionError with its output."""
    words = [sys.executable, "-m", "flask", "--app", "wsgi", "db", direction, revision]
    env = service_environment(DATABASE_URL=url)
    result = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """The session's databases."""
    made = Databases(tmp_path_factory.mktemp("databases"))
    yield made
    made.close()


@pytest.fixture
def fresh_database(databases: Databases) -> Iterator[MakeDatabase]:
    """Call it with a kind for the address of a migrated database, dropped after the test."""
    yield from _making(databases, databases.fresh)


@pytest.fixture
def empty_database(databases: Databases) -> Iterator[MakeDatabase]:
    """Call it with a kind for the address of a database without a table, dropped after the test."""
    yield from _making(databases, databases.empty)


def _making(databases: Databases, make: MakeDatabase) -> Iterator[MakeDatabase]:
    made: list[str] = []

    def make_one(kind: str) -> str:
        made.append(make(kind))
        return made[-1]

    yield make_one
    for url in made:
        databases.drop(url)
