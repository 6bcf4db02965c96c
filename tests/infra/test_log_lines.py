"""The lines of the log, as text and as JSON: one for each event, none with a secret."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis.exceptions import ConnectionError
from sqlalchemy import create_engine, text

from app.infra import logs
from app.infra.log_lines import FACTS, FORMATTERS

AWAY = "postgresql+psycopg://bees:secret-word@127.0.0.1:1/hives"


def line(form: str, message: str, error: BaseException | None = None, **members: Any) -> str:
    """The line of an event with an error and more attributes."""
    found = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("hives", logging.ERROR, "", 0, message, (), found)
    record.__dict__.update({"request_id": "req-1", **members})
    return FORMATTERS[form]().format(record)


def raised(error: Exception) -> Exception:
    """The error, with a traceback."""
    try:
        raise error
    except Exception as caught:
        return caught


@pytest.fixture(params=["database", "redis"])
def away(request: pytest.FixtureRequest) -> Exception:
    """The error of a server that is unavailable."""
    if request.param == "redis":
        return raised(ConnectionError("connection to redis://:secret-word@h refused"))
    with pytest.raises(Exception, match="refused") as caught, create_engine(AWAY).connect() as connection:
        connection.execute(text("SELECT 1"))
    return caught.value


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_server_that_is_away_is_one_line_with_its_cause(form: str, away: Exception) -> None:
    said = line(form, "Exception on / [GET]", away)
    assert said.count("\n") == 0
    assert "Exception on / [GET]" in said
    assert "refused" in said
    assert "Traceback" not in said
    assert "secret-word" not in said


def test_an_unforeseen_error_is_followed_by_its_traceback_as_text() -> None:
    said = line("text", "that went wrong", raised(KeyError("bees")))
    assert "ERROR hives [req-1] that went wrong\nTraceback" in said
    assert said.endswith("KeyError: 'bees'")


def test_a_line_of_json_has_the_members_that_are_documented() -> None:
    said = json.loads(line("json", "two\nlines", raised(KeyError("bees")), **{FACTS: {"status": 500}}))
    assert said.pop("time").endswith("+00:00")
    assert said.pop("traceback").startswith("Traceback")
    assert said == {
        "level": "ERROR", "logger": "hives", "message": "two\nlines", "request_id": "req-1",
        "status": 500, "error": "KeyError: 'bees'",
    }  # fmt: skip


def test_an_event_that_no_request_caused_has_no_request_id() -> None:
    assert "request_id" not in json.loads(line("json", "ready", request_id="-"))


@pytest.fixture
def written(app: Flask) -> Iterator[StringIO]:
    """What is logged, as JSON."""
    logs.set_up("INFO", "json")
    [handler] = logs._handlers()
    stream, before = StringIO(), handler.stream
    handler.setStream(stream)
    yield stream
    handler.setStream(before)
    logs.set_up("INFO")


def test_an_error_that_ends_a_thread_is_one_line(written: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", logs._log_unhandled_in_thread)
    thread = threading.Thread(target=lambda: {}["bees"], name="beekeeper")
    thread.start()
    thread.join()
    [said] = written.getvalue().splitlines()
    assert json.loads(said)["message"] == "The thread beekeeper ends with an error"
    assert json.loads(said)["error"] == "KeyError: 'bees'"


def test_each_request_of_the_dashboard_is_one_line_without_its_query(
    client: FlaskClient, written: StringIO
) -> None:
    client.get("/sign-in?next=%2Fsecret-word", headers={"X-Request-ID": "req-2"})
    client.get("/health/live")
    [said] = map(json.loads, written.getvalue().splitlines())
    assert (said["method"], said["path"], said["status"]) == ("GET", "/sign-in", 200)
    assert said["request_id"] == "req-2"
    assert "secret-word" not in json.dumps(said)
