"""Backups of the database: PostgreSQL's by pg_dump and pg_restore, SQLite's by its own backup function.

Redis needs none: what it knows is enqueued again from the database.
"""

import os
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from psycopg import pq
from sqlalchemy import URL, inspect, make_url, text

from app.infra.db import db
from app.infra.settings import current_settings

_UNFINISHED: Final = ".unfinished"
# Owners and grants belong to the old server; the new one has its own.
_PLAIN: Final = ("--no-owner", "--no-privileges")


class BackupError(Exception):
    """Raised with a message for the operator, without passwords."""


def save(path: Path) -> int:
    """Write a backup of the database to a new file that only its owner can read; return its bytes.

    The service may run meanwhile: the backup is the database at one moment. Raises BackupError.
    """
    if path.exists():
        raise BackupError(f"{path} exists. Name a new file.")
    unfinished = path.with_name(path.name + _UNFINISHED)
    try:
        unfinished.touch(mode=0o600)
        if _is_postgresql():
            _call("pg_dump", *_PLAIN, "--format=custom", f"--file={unfinished}")
        else:
            _copy_sqlite(unfinished)
        unfinished.rename(path)
        return path.stat().st_size
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def restore(path: Path) -> None:
    """Fill the database of the settings, which must be empty, from a backup. Raises BackupError."""
    if not path.is_file():
        raise BackupError(f"There is no file {path}.")
    if inspect(db.engine).get_table_names():
        raise BackupError("The database is not empty. Create a new one, and set DATABASE_URL to it.")
    if _is_postgresql():
        name = _url().database or ""
        _call("pg_restore", *_PLAIN, "--exit-on-error", "--single-transaction", f"--dbname={name}", str(path))
        with db.engine.begin() as connection:
            connection.execute(text("ANALYZE"))  # a dump has no statistics for the planner
    else:
        _fill_sqlite(path)


def _is_postgresql() -> bool:
    return db.engine.dialect.name == "postgresql"


def _call(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL. The connection is in its environment: others can read its arguments."""
    try:
        subprocess.run(  # noqa: S603 - the program is one of two, the path is the operator's
            [program, *arguments],
            env={**os.environ, **_connection()},
            check=True,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        raise BackupError(
            f"{program} is not installed (Debian: apt-get install postgresql-client)."
        ) from None
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{program} failed: {error.stderr.strip()[:1000]}") from None


def _connection() -> dict[str, str]:
    url = _url().set(drivername="postgresql").render_as_string(False)
    options = pq.Conninfo.parse(url.encode())
    return {each.envvar.decode(): each.val.decode() for each in options if each.envvar and each.val}


def _url() -> URL:
    return make_url(current_settings().database_url)


def _sqlite_file() -> str:
    return db.engine.url.database or ":memory:"


def _copy_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(_sqlite_file())) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)


def _fill_sqlite(path: Path) -> None:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            if source.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise BackupError(f"{path} is damaged.")
            with closing(sqlite3.connect(_sqlite_file())) as target:
                source.backup(target)
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{path} is no backup of SQLite: {error}.") from error
