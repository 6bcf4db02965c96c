"""The database's session when its connection is cut."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import text

from app.infra.db import db, release


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_connection_that_was_cut_can_be_given_back(db_app: Flask) -> None:
    mine = db.session.scalar(text("SELECT pg_backend_pid()"))
    with db.engine.connect() as other:
        assert other.scalar(text("SELECT pg_terminate_backend(:mine, 5000)"), {"mine": mine})
    release()
    assert db.session.scalar(text("SELECT pg_backend_pid()")) != mine
    release()
