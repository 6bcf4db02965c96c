"""What a worker does with a queue entry: it claims the job, waits a while for the database, or gives up."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from app.executions import claims, dispatcher
from app.executions.claims import claim_with_retry
from app.infra.db import db
from app.infra.faults import Point
from tests.executions.conftest import Garden, ago, change, job_of


@contextmanager
def away(times: int) -> Iterator[list[str]]:
    """The database is unavailable for so many statements; yields those that it refused so far."""
    refused: list[str] = []

    def refuse(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if len(refused) < times:
            refused.append(statement)
            raise OperationalError(statement, {}, ConnectionError("away"))

    engine = db.engine
    event.listen(engine, "before_cursor_execute", refuse)
    try:
        yield refused
    finally:
        event.remove(engine, "before_cursor_execute", refuse)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "_PAUSE", 0.01)


def test_a_job_is_claimed_when_the_database_is_back(garden: Garden) -> None:
    job_id = garden.queued()
    with away(3) as refused:
        taken = claim_with_retry(job_id)
    assert taken is not None
    assert (taken.job_id, len(refused)) == (job_id, 3)


def test_a_worker_gives_up_when_the_database_stays_away(
    garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = garden.queued()
    monkeypatch.setattr(dispatcher, "ENQUEUE_AGAIN_AFTER", 0)
    with away(3) as refused, pytest.raises(OperationalError):
        claim_with_retry(job_id)
    assert len(refused) == 1


def test_a_worker_that_is_to_stop_does_not_wait_for_the_database(garden: Garden) -> None:
    job_id = garden.queued()
    with away(3) as refused, pytest.raises(OperationalError):
        claim_with_retry(job_id, lambda: bool(refused))
    assert len(refused) == 1


def test_a_worker_that_is_to_stop_leaves_the_job_to_the_next_one(garden: Garden) -> None:
    job_id = garden.queued()
    change(job_id, enqueued_at=ago(1))
    assert claim_with_retry(job_id, lambda: True) is None
    job = job_of(job_id)
    assert (job.status, job.enqueued_at) == ("queued", None)


def test_a_worker_can_be_killed_between_its_claim_and_its_work(
    garden: Garden, tmp_path: Path, db_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda process, how: killed.append((process, how)))
    settings = replace(db_app.extensions["settings"], fault_directory=str(tmp_path))
    monkeypatch.setitem(db_app.extensions, "settings", settings)
    job_id = garden.queued()
    (tmp_path / Point.AFTER_CLAIM).touch()
    claim_with_retry(job_id)
    assert killed == [(os.getpid(), signal.SIGKILL)]
    assert job_of(job_id).status == "running"
