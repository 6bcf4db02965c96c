"""Logs explain why the database or Redis is unavailable, without any password."""

from __future__ import annotations

import pytest
from redis import Redis
from redis.exceptions import ConnectionError
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from app.infra.logs import cause_of


def test_an_unreachable_database_is_logged_with_its_drivers_message() -> None:
    engine = create_engine("postgresql+psycopg://bees:secret-word@127.0.0.1:1/hives")
    with pytest.raises(OperationalError) as caught, engine.connect() as connection:
        connection.execute(text("SELECT 'a value'"))
    cause = cause_of(caught.value)
    assert cause.startswith("OperationalError: ")
    assert "refused" in cause
    assert "secret-word" not in cause
    assert "\n" not in cause


def test_an_unreachable_redis_is_logged_as_such() -> None:
    with pytest.raises(ConnectionError) as caught:
        Redis.from_url("redis://:secret-word@127.0.0.1:1/0").ping()
    cause = cause_of(caught.value)
    assert "refused" in cause
    assert "secret-word" not in cause


def test_statements_values_and_urls_are_not_logged() -> None:
    with pytest.raises(OperationalError) as caught, create_engine("sqlite://").connect() as connection:
        connection.execute(text("SELECT secret FROM nowhere WHERE a = :a"), {"a": "a value"})
    assert cause_of(caught.value) == "OperationalError: no such table: nowhere"
    assert cause_of(ValueError("no host in redis://:secret-word@h/0")) == "ValueError: no host in (address)"
