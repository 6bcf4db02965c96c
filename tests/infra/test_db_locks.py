"""PostgreSQL, when a process hangs in a transaction or a machine is lost."""

from __future__ import annotations

import os
import socket
import threading

import flask_migrate
import pytest
from flask import Flask
from sqlalchemy import text

from app.infra import db_engine, migrations
from app.infra.db import db, release
from app.infra.db_engine import DATABASE_UNAVAILABLE, is_locked
from tests.support.locks import MOMENT, locked_by, somebody_waits
from tests.support.waiting import eventually

pytestmark = [pytest.mark.postgresql, pytest.mark.parametrize("database_kind", ["postgresql"])]

LOCKED = "LOCK TABLE alembic_version"


def test_a_statement_waits_only_a_moment_for_a_lock(short_locks: None, db_app: Flask) -> None:
    with locked_by(LOCKED), pytest.raises(DATABASE_UNAVAILABLE) as refused:
        db.session.execute(text("SELECT * FROM alembic_version"))
    assert is_locked(refused.value)
    release()


def test_an_idle_transaction_loses_its_locks(db_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    db.engine.dispose()
    monkeypatch.setattr(db_engine, "IDLE_SECONDS", MOMENT)
    with locked_by(LOCKED):
        assert db.session.scalar(text("SELECT count(*) FROM alembic_version")) == 1
    release()


def test_a_process_that_hung_too_long_finds_the_database_unavailable(
    db_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.engine.dispose()
    monkeypatch.setattr(db_engine, "IDLE_SECONDS", MOMENT)
    mine = db.session.scalar(text("SELECT pg_backend_pid()"))
    eventually(lambda: not is_there(mine), "the transaction was ended")
    with pytest.raises(DATABASE_UNAVAILABLE):
        db.session.execute(text("SELECT 1"))
    release()
    assert db.session.scalar(text("SELECT 1")) == 1
    release()


def is_there(backend: int) -> bool:
    with db.engine.connect() as apart:
        there = text("SELECT true FROM pg_stat_activity WHERE pid = :backend")
        return apart.scalar(there, {"backend": backend}) is not None


def test_a_read_only_server_counts_as_unavailable_and_is_disconnected(db_app: Flask) -> None:
    mine = db.session.scalar(text("SELECT pg_backend_pid()"))
    db.session.execute(text("SET default_transaction_read_only = on"))
    db.session.commit()
    with pytest.raises(DATABASE_UNAVAILABLE):
        db.session.execute(text("DELETE FROM accounts"))
    release()
    assert db.session.scalar(text("SELECT pg_backend_pid()")) != mine
    db.session.execute(text("DELETE FROM accounts"))
    release()


def test_migrations_wait_for_running_transactions(short_locks: None, app: Flask) -> None:
    ended: list[str] = []

    migrations.init_app(app)

    def upgrade() -> None:
        with app.app_context():
            flask_migrate.upgrade()
            ended.append("well")

    release_command = threading.Thread(target=upgrade)
    with app.app_context():
        with locked_by(LOCKED):
            release_command.start()
            eventually(lambda: somebody_waits(MOMENT * 3), "the migrations wait for longer than others")
        release_command.join(20)
    assert ended == ["well"]


def test_a_lost_server_machine_is_noticed_within_30_seconds(db_app: Flask) -> None:
    driver = db.session.connection().connection.driver_connection
    assert driver is not None
    with socket.socket(fileno=os.dup(driver.fileno())) as line:
        assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        names = ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
        idle, between, times = (line.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in names)
        assert idle + between * times <= 30
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 30_000
    release()
