"""The database session when its connection is cut or the database's time zone differs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from flask import Flask
from sqlalchemy import literal, select, text
from sqlalchemy.exc import DBAPIError

from app.infra.db import Json, UtcDateTime, db, release


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_cut_connection_can_be_released(db_app: Flask) -> None:
    mine = db.session.scalar(text("SELECT pg_backend_pid()"))
    with db.engine.connect() as other:
        assert other.scalar(text("SELECT pg_terminate_backend(:mine, 5000)"), {"mine": mine})
    release()
    assert db.session.scalar(text("SELECT pg_backend_pid()")) != mine
    release()


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_dates_are_read_correctly_in_any_time_zone_of_the_database(db_app: Flask, zone: str) -> None:
    name = db.session.scalar(text("SELECT current_database()"))
    db.session.execute(text(f"ALTER DATABASE \"{name}\" SET timezone = '{zone}'"))
    db.session.commit()
    release()
    db.engine.dispose()
    for moment in (datetime.min, datetime.max):
        given = moment.replace(tzinfo=UTC)
        found = db.session.execute(select(literal(given, UtcDateTime()))).scalar_one()
        assert (found, found.tzinfo) == (given, UTC)
    release()


def test_the_message_of_a_failed_statement_hides_its_values(db_app: Flask) -> None:
    with pytest.raises(DBAPIError) as caught:
        db.session.execute(text("SELECT :secret FROM nowhere"), {"secret": "what a customer wrote"})
    assert "nowhere" in str(caught.value)
    assert "what a customer wrote" not in str(caught.value)


@pytest.mark.parametrize("written", ['{"ü": [1, null]}', ' \n{"ü": [1, null]}\n', "[]", '"a"', "1.5"])
def test_a_document_is_read_as_it_was_written(db_app: Flask, written: str) -> None:
    cast = "CAST(:written AS JSON)" if db.engine.dialect.name == "postgresql" else ":written"
    kept = text(f"SELECT {cast} AS kept").columns(kept=Json)
    assert db.session.scalar(kept, {"written": written}) == json.loads(written)
