"""The migrations of the database: the last of them, and whether a database has it."""

import re
from functools import cache
from typing import Final

from flask import Flask
from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

from app.config import ROOT
from app.infra.db import db

_FOLDER: Final = ROOT / "migrations"
_LINE: Final = re.compile(r'^(revision|down_revision) = "(\w+)"$', re.MULTILINE)


def init_app(app: Flask) -> None:
    """Give the application's command line ``flask db``."""
    # Alembic and its templates take 11 MB; a web process and a worker do without them.
    from flask_migrate import Migrate

    Migrate(app, db, directory=str(_FOLDER), render_as_batch=True)


def is_migrated(connection: Connection) -> bool:
    """Return whether the database has the schema of this release."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    return list(connection.scalars(text("SELECT version_num FROM alembic_version"))) == [latest()]


@cache
def latest() -> str:
    """Return the revision that no other one follows."""
    named: dict[str, set[str]] = {"revision": set(), "down_revision": set()}
    for path in _FOLDER.glob("versions/*.py"):
        for role, revision in _LINE.findall(path.read_text()):
            named[role].add(revision)
    [head] = named["revision"] - named["down_revision"]
    return head
