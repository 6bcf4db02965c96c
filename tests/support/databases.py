"""Fresh databases: migrated once for each kind, then copied; what a test gave back is renewed for the next.

Each has the same address again and again, which lets the application be used again too (see application.py).
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from devtools.local import ROOT
from tests.support.environment import service_environment
from tests.support.memory import fast_folder
from tests.support.postgresql import PostgresqlDatabases

MakeDatabase = Callable[[str], str]


class SqliteDatabases:
    """Database files in a directory of the test session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def create(self, template: str | None = None) -> str:
        url = f"sqlite:///{self._folder / str(next(self._numbers))}.sqlite3"
        return self.renew(url, template) if template else url

    def renew(self, url: str, template: str) -> str:
        """Put a copy of the template in the place of what is there; returns its address."""
        self.drop(url)
        source = self._path(template)
        with sqlite3.connect(source) as connection:  # what is still in its log belongs to the copy
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        shutil.copyfile(source, self._path(url))
        return url

    def drop(self, url: str) -> None:
        path = self._path(url)
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """The files go with the session's folder."""

    @staticmethod
    def _path(url: str) -> Path:
        return Path(url.removeprefix("sqlite:///"))


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
        self._given_back: dict[str, list[str]] = {}

    def empty(self, kind: str) -> str:
        """Make a database without a table; returns its address."""
        return self._maker(kind).create()

    def fresh(self, kind: str) -> str:
        """Make a migrated database, of one that was given back if there is one; returns its address."""
        if kind not in self._templates:
            url = self.empty(kind)
            migrate(url)
            self._templates[kind] = url
        template = self._templates[kind]
        if used := self._given_back.get(kind):
            return self._maker(kind).renew(used.pop(), template)
        return self._maker(kind).create(template)

    def give_back(self, url: str) -> None:
        """End the use of a migrated database."""
        self._given_back.setdefault(url.partition(":")[0], []).append(url)

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
def databases() -> Iterator[Databases]:
    """The session's databases."""
    with fast_folder() as folder:
        made = Databases(folder)
        yield made
        made.close()


@pytest.fixture
def fresh_database(databases: Databases) -> Iterator[MakeDatabase]:
    """Call it with a kind for the address of a migrated database without a row, of the test's own."""
    yield from _making(databases.fresh, databases.give_back)


@pytest.fixture
def empty_database(databases: Databases) -> Iterator[MakeDatabase]:
    """Call it with a kind for the address of a database without a table, dropped after the test."""
    yield from _making(databases.empty, databases.drop)


def _making(make: MakeDatabase, end: Callable[[str], None]) -> Iterator[MakeDatabase]:
    made: list[str] = []

    def make_one(kind: str) -> str:
        made.append(make(kind))
        return made[-1]

    yield make_one
    for url in made:
        end(url)
