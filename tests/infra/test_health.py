"""Whether the service says that it can serve requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event

from app.infra.db import db


@pytest.fixture
def database_kind() -> str:
    return "postgresql"


@pytest.fixture
def read_only(db_app: Flask) -> Iterator[None]:
    """The database takes no writes, as a standby does."""

    def prepare(connection: Any, _record: Any) -> None:
        connection.execute("SET default_transaction_read_only = on")
        connection.commit()

    event.listen(db.engine, "connect", prepare)
    db.engine.dispose()
    yield
    event.remove(db.engine, "connect", prepare)
    db.engine.dispose()


@pytest.mark.postgresql
def test_the_service_is_not_ready_while_the_database_takes_no_writes(db_app: Flask, read_only: None) -> None:
    response = db_app.test_client().get("/health/ready")
    assert response.status_code == 503
    assert response.json == {
        "status": "unavailable", "database": "read-only", "migrations": "ok", "redis": "ok"
    }  # fmt: skip
    assert db_app.test_client().get("/health/live").status_code == 200


@pytest.mark.postgresql
def test_the_service_is_ready_with_a_database_that_takes_writes(db_app: Flask) -> None:
    assert db_app.test_client().get("/health/ready").status_code == 200
