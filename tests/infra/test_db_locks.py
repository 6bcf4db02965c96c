"""What PostgreSQL does about a process that is frozen amid a transaction, or whose machine is gone."""

from __future__ import annotations

import os
import socket
import threading

import flask_migrate
import pytest
from flask import Flask
from sqlalchemy import text

from app.infra import db as infra
from app.infra.db import DATABASE_AWAY, db, is_locked, release
from tests.support.locks import MOMENT, held, somebody_waits
from tests.support.waiting import eventually

pytestmark = [pytest.mark.postgresql, pytest.mark.parametrize("database_kind", ["postgresql"])]

LOCKED = "LOCK TABLE alembic_version"


def test_what_somebody_else_holds_is_waited_for_a_moment_only(short_locks: None, db_app: Flask) -> None:
    with held(LOCKED), pytest.raises(DATABASE_AWAY) as refused:
        db.session.execute(text("SELECT * FROM alembic_version"))
    assert is_locked(refused.value)
    release()


def test_a_transaction_in_which_nothing_happens_loses_its_locks(
    db_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.engine.dispose()
    monkeypatch.setattr(infra, "IDLE_SECONDS", MOMENT)
    with held(LOCKED):
        assert db.session.scalar(text("SELECT count(*) FROM alembic_version")) == 1
    release()


def test_who_was_frozen_for_too_long_takes_the_database_for_away(
    db_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.engine.dispose()
    monkeypatch.setattr(infra, "IDLE_SECONDS", MOMENT)
    mine = db.session.scalar(text("SELECT pg_backend_pid()"))
    eventually(lambda: not is_there(mine), "the transaction was ended")
    with pytest.raises(DATABASE_AWAY):
        db.session.execute(text("SELECT 1"))
    release()
    assert db.session.scalar(text("SELECT 1")) == 1
    release()


def is_there(backend: int) -> bool:
    with db.engine.connect() as apart:
        there = text("SELECT true FROM pg_stat_activity WHERE pid = :backend")
        return apart.scalar(there, {"backend": backend}) is not None


def test_a_server_that_may_only_be_read_is_away_and_left(db_app: Flask) -> None:
    mine = db.session.scalar(text("SELECT pg_backend_pid()"))
    db.session.execute(text("SET default_transaction_read_only = on"))
    db.session.commit()
    with pytest.raises(DATABASE_AWAY):
        db.session.execute(text("DELETE FROM accounts"))
    release()
    assert db.session.scalar(text("SELECT pg_backend_pid()")) != mine
    db.session.execute(text("DELETE FROM accounts"))
    release()


def test_migrations_wait_for_whatever_is_under_way(short_locks: None, app: Flask) -> None:
    ended: list[str] = []

    def upgrade() -> None:
        with app.app_context():
            flask_migrate.upgrade()
            ended.append("well")

    release_command = threading.Thread(target=upgrade)
    with app.app_context():
        with held(LOCKED):
            release_command.start()
            eventually(lambda: somebody_waits(MOMENT * 3), "the migrations wait for longer than others")
        release_command.join(20)
    assert ended == ["well"]


def test_a_server_whose_machine_is_gone_is_noticed_within_half_a_minute(db_app: Flask) -> None:
    driver = db.session.connection().connection.driver_connection
    assert driver is not None
    with socket.socket(fileno=os.dup(driver.fileno())) as line:
        assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        names = ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
        idle, between, times = (line.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in names)
        assert idle + between * times <= 30
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 30_000
    release()
