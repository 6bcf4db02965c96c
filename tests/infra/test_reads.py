"""How the transaction of a request that reads ends: what is kept, and what is undone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import func, insert, select, text

from app.accounts.model import Account
from app.infra.db import db


@contextmanager
def a_get(app: Flask) -> Iterator[None]:
    with app.test_request_context("/health/live"):
        app.preprocess_request()
        yield


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_statements_that_requests_repeat_stay_prepared(app: Flask) -> None:
    for _ in range(7):  # the driver prepares what it sees for the sixth time
        with a_get(app):
            db.session.scalar(select(func.count(Account.id)))
    with a_get(app):
        prepared = db.session.scalars(text("SELECT statement FROM pg_prepared_statements")).all()
    assert [each for each in prepared if "accounts" in each]


def test_what_a_get_writes_without_a_commit_is_undone(app: Flask) -> None:
    with a_get(app):
        db.session.add(Account(email="a@example.com", password_hash=""))
        db.session.flush()
    with a_get(app):
        assert db.session.scalar(select(func.count(Account.id))) == 0


def test_what_a_get_executes_before_it_fails_is_undone(app: Flask) -> None:
    with pytest.raises(ZeroDivisionError):
        write_and_fail(app)
    with a_get(app):
        assert db.session.scalar(select(func.count(Account.id))) == 0


def write_and_fail(app: Flask) -> None:
    with a_get(app):
        db.session.execute(insert(Account).values(email="a@example.com", password_hash=""))
        raise ZeroDivisionError
