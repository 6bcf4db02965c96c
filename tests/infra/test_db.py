"""The database's session when its connection is cut, or its zone is another."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from flask import Flask
from sqlalchemy import literal, select, text

from app.infra.db import UtcDateTime, db, release


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_connection_that_was_cut_can_be_given_back(db_app: Flask) -> None:
    mine = db.session.scalar(text("SELECT pg_backend_pid()"))
    with db.engine.connect() as other:
        assert other.scalar(text("SELECT pg_terminate_backend(:mine, 5000)"), {"mine": mine})
    release()
    assert db.session.scalar(text("SELECT pg_backend_pid()")) != mine
    release()


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_every_date_is_read_whatever_zone_the_database_keeps(db_app: Flask, zone: str) -> None:
    name = db.session.scalar(text("SELECT current_database()"))
    db.session.execute(text(f"ALTER DATABASE \"{name}\" SET timezone = '{zone}'"))
    db.session.commit()
    release()
    db.engine.dispose()
    for moment in (datetime.min, datetime.max):
        given = moment.replace(tzinfo=UTC)
        assert db.session.scalar(select(literal(given, UtcDateTime()))) == given
    release()
