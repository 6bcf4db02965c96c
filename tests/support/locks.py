"""A second transaction on PostgreSQL that has a lock and does nothing, as that of a hanging process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.infra import db_engine
from app.infra.db import db

MOMENT = 0.2


@pytest.fixture
def short_locks(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let statements wait for locks for a moment only."""
    monkeypatch.setattr(db_engine, "LOCK_SECONDS", MOMENT)
    with app.app_context():
        db.engine.dispose()


@contextmanager
def locked_by(statement: str) -> Iterator[None]:
    """Execute a statement in a second transaction, which stays open until the block ends."""
    with db.engine.connect() as somebody:
        somebody.execute(text(statement))
        try:
            yield
        finally:
            with suppress(DBAPIError):  # PostgreSQL may have ended it
                somebody.rollback()
            somebody.invalidate()


def somebody_waits(seconds: float = 0) -> bool:
    """Whether a connection to the present database has waited for a lock for so long."""
    waiting = text(
        "SELECT true FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        " AND clock_timestamp() - query_start > make_interval(secs => :seconds)"
    )
    with db.engine.connect() as apart:
        return apart.scalar(waiting, {"seconds": seconds}) is not None
