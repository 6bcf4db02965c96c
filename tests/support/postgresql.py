"""PostgreSQL databases for the tests: copied from a template once, then emptied for each further test.

Copying a database takes a hundred times as long as deleting the few rows of a test. What is emptied must not
differ from a copy, so it is given up when its schema was changed, when it has statistics, or when what was
deleted has left too much free space.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import psycopg
from psycopg import Connection
from psycopg.rows import TupleRow

from devtools.postgres import Cluster, find_binaries
from tests.support.needs import need

MOST_BYTES = 4 << 20
"""What a database that is used again may have grown to, its indexes included."""

# Every change of a schema rewrites rows of the catalogue, in a transaction with a higher number.
CATALOGUE = """
WITH ours AS (SELECT oid, xmin, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace)
SELECT (SELECT sum(xmin::text::bigint) || '/' || count(*) FROM ours)
    || (SELECT sum(a.xmin::text::bigint) || '/' || count(*) FROM pg_attribute a JOIN ours ON oid = attrelid)
    || (SELECT sum(xmin::text::bigint) || '/' || count(*) FROM pg_constraint)
    || (SELECT sum(xmin::text::bigint) || '/' || count(*) FROM pg_trigger)
    || (SELECT sum(xmin::text::bigint) || '/' || count(*) FROM pg_proc)
"""
SIZE = "SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
STATISTICS = "SELECT count(*) FROM pg_statistic WHERE starelid >= 16384"
ALONE = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
NAMES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = %s ORDER BY 1"
KEPT = "alembic_version"


class PostgresqlDatabases:
    """Databases of a cluster of our own, in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._cluster = Cluster(need(find_binaries(), "PostgreSQL"), folder)
        self._admin = psycopg.connect(self._cluster.url("postgres"), autocommit=True)
        self._insides: dict[str, Inside] = {}
        self._numbers = count(1)

    def create(self, template: str | None = None, name: str | None = None) -> str:
        name = name or f"test_{next(self._numbers)}"
        source = template.rpartition("/")[2] if template else "template0"
        # Copying files takes a quarter of the time that PostgreSQL's default takes.
        self._admin.execute(f"CREATE DATABASE {name} TEMPLATE {source} STRATEGY FILE_COPY")
        url = self._cluster.url(name)
        if template:
            self._insides[url] = Inside(url)
        return url

    def renew(self, url: str, template: str) -> str:
        """Make a used copy of the template like new, or put a new one in its place; returns its address."""
        if self._insides[url].emptied():
            return url
        self.drop(url)
        return self.create(template, url.rpartition("/")[2])

    def drop(self, url: str) -> None:
        if inside := self._insides.pop(url, None):
            inside.close()
        self._admin.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def close(self) -> None:
        self._admin.close()
        self._cluster.stop()


class Inside:
    """A connection into a database that was just copied."""

    def __init__(self, url: str) -> None:
        self._connection: Connection[TupleRow] = psycopg.connect(url, autocommit=True)
        self._catalogue = self._asked(CATALOGUE)
        tables = [name for name in self._names("r") if name != KEPT]
        self._empty = "; ".join(
            [
                "SET session_replication_role = replica",  # without it each row is looked up in other tables
                *(f'DELETE FROM "{table}"' for table in tables),
                *(f"SELECT setval('\"{sequence}\"', 1, false)" for sequence in self._names("S")),
                "RESET session_replication_role",
            ]
        )

    def emptied(self) -> bool:
        """Delete all rows and reset the sequences; False if the result would differ from a new copy."""
        self._connection.execute(ALONE)
        if self._asked(CATALOGUE) != self._catalogue or self._asked(STATISTICS) != 0:
            return False
        if int(str(self._asked(SIZE))) > MOST_BYTES:
            return False
        self._connection.execute(self._empty)
        return True

    def close(self) -> None:
        self._connection.close()

    def _asked(self, question: str) -> object:
        row = self._connection.execute(question).fetchone()
        assert row is not None
        return row[0]

    def _names(self, kind: str) -> list[str]:
        return [str(name) for (name,) in self._connection.execute(NAMES, (kind,))]
