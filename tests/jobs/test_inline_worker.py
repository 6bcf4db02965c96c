"""The worker without work-horses keeps the same promises; it dies with what it cannot stop."""

from __future__ import annotations

import signal
import time

import pytest

from app.executions import service
from app.executions.queries import get_job
from app.infra.db import db
from tests.executions.conftest import SYNC, check_history, events, job_of
from tests.jobs.conftest import KILLED_AFTER, SHORT_LEASE, House, OpenHouse
from tests.support.processes import Running

INLINE = {"WORKER_CLASS": "inline"}


def the_worker(house: House) -> Running:
    [worker] = house.service.running("worker")
    return worker


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_it_runs_jobs_end_to_end(open_house: OpenHouse, kind: str) -> None:
    house = open_house("worker", kind=kind, **INLINE)
    house.answer.set()
    jobs = [house.garden.queued(SYNC), house.garden.queued(), house.garden.queued()]
    assert house.ended(*jobs) == ["succeeded"] * 3
    for job_id in jobs:
        check_history(job_id)


def test_its_job_runs_again_when_it_was_killed(open_house: OpenHouse) -> None:
    house = open_house("worker", "scheduler", **INLINE, **SHORT_LEASE)
    job_id = house.running_sync()
    house.service.kill("worker")
    house.service.start("worker")
    house.reached(2)
    house.answer.set()
    assert house.ended(job_id) == ["succeeded"]
    assert job_of(job_id).attempt == 2
    check_history(job_id)


def test_it_ends_with_a_canceled_job_that_hangs(open_house: OpenHouse) -> None:
    house = open_house("worker", **INLINE)
    job_id, asked = house.running_sync(), len(house.site.requests)
    worker = the_worker(house)
    service.cancel(get_job(house.garden.account_id, job_id))
    db.session.rollback()
    assert worker.process.wait(5) != 0
    assert len(house.site.requests) == asked
    assert job_of(job_id).status == "canceled"
    house.answer.set()
    house.service.start("worker")
    assert house.ended(house.garden.queued(SYNC)) == ["succeeded"]


def test_it_finishes_a_short_job_after_sigterm_and_begins_no_other(open_house: OpenHouse) -> None:
    house = open_house("worker", **INLINE)
    job_id = house.running_sync()
    waiting = house.garden.queued()
    worker = the_worker(house)
    for _ in range(5_000):  # the second one may come while the first is being answered
        worker.process.send_signal(signal.SIGTERM)
    house.answer.set()
    assert worker.process.wait(KILLED_AFTER) == 0
    assert house.ended(job_id) == ["succeeded"]
    assert job_of(waiting).status == "queued"


def test_it_hands_a_long_job_back_after_sigterm(open_house: OpenHouse) -> None:
    house = open_house("worker", **INLINE)
    job_id = house.running_sync()
    worker = the_worker(house)
    started = time.monotonic()
    worker.process.send_signal(signal.SIGTERM)
    worker.process.wait(KILLED_AFTER)
    assert time.monotonic() - started > 15
    job = job_of(job_id)
    assert (job.status, job.attempt) == ("queued", 1)
    assert events(job_id)[-1] == "JOB_REQUEUED"
    check_history(job_id)
