"""A log says why the database or Redis is away, and never with which password they were asked."""

from __future__ import annotations

import pytest
from redis import Redis
from redis.exceptions import ConnectionError
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from app.infra.logs import cause_of


def test_a_database_that_cannot_be_reached_is_told_in_its_drivers_words() -> None:
    engine = create_engine("postgresql+psycopg://bees:secret-word@127.0.0.1:1/hives")
    with pytest.raises(OperationalError) as caught, engine.connect() as connection:
        connection.execute(text("SELECT 'a value'"))
    told = cause_of(caught.value)
    assert told.startswith("OperationalError: ")
    assert "refused" in told
    assert "secret-word" not in told
    assert "\n" not in told


def test_a_redis_that_cannot_be_reached_is_told_so() -> None:
    with pytest.raises(ConnectionError) as caught:
        Redis.from_url("redis://:secret-word@127.0.0.1:1/0").ping()
    told = cause_of(caught.value)
    assert "refused" in told
    assert "secret-word" not in told


def test_a_statement_its_values_and_addresses_stay_out() -> None:
    with pytest.raises(OperationalError) as caught, create_engine("sqlite://").connect() as connection:
        connection.execute(text("SELECT secret FROM nowhere WHERE a = :a"), {"a": "a value"})
    assert cause_of(caught.value) == "OperationalError: no such table: nowhere"
    assert cause_of(ValueError("no host in redis://:secret-word@h/0")) == "ValueError: no host in (address)"
