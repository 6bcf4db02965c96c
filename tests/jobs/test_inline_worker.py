"""The worker without child processes gives the same guarantees."""

from __future__ import annotations

import signal
import time

import pytest

from app.executions import service
from app.executions.queries import get_job
from app.infra.db import db
from tests.executions.conftest import SYNC, check_history, events, job_of
from tests.jobs.conftest import KILLED_AFTER, SHORT_LEASE, LiveService, StartService
from tests.support.processes import Running

INLINE = {"WORKER_CLASS": "inline"}


def the_worker(live: LiveService) -> Running:
    [worker] = live.service.running("worker")
    return worker


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_it_runs_jobs_end_to_end(start_service: StartService, kind: str) -> None:
    live = start_service("worker", kind=kind, **INLINE)
    live.answer.set()
    jobs = [live.garden.queued(SYNC), live.garden.queued(), live.garden.queued()]
    assert live.ended(*jobs) == ["succeeded"] * 3
    for job_id in jobs:
        check_history(job_id)


def test_its_job_runs_again_when_it_was_killed(start_service: StartService) -> None:
    live = start_service("worker", "scheduler", **INLINE, **SHORT_LEASE)
    job_id = live.running_sync()
    live.service.kill("worker")
    live.service.start("worker")
    live.reached(2)
    live.answer.set()
    assert live.ended(job_id) == ["succeeded"]
    assert job_of(job_id).attempt == 2
    check_history(job_id)


def test_it_ends_with_a_canceled_job_that_hangs(start_service: StartService) -> None:
    live = start_service("worker", **INLINE)
    job_id, asked = live.running_sync(), len(live.site.requests)
    worker = the_worker(live)
    service.cancel(get_job(live.garden.account_id, job_id))
    db.session.rollback()
    assert worker.process.wait(5) != 0
    assert len(live.site.requests) == asked
    assert job_of(job_id).status == "canceled"
    live.answer.set()
    live.service.start("worker")
    assert live.ended(live.garden.queued(SYNC)) == ["succeeded"]


def test_it_finishes_a_short_job_after_sigterm_and_begins_no_other(start_service: StartService) -> None:
    live = start_service("worker", **INLINE)
    job_id = live.running_sync()
    waiting = live.garden.queued()
    worker = the_worker(live)
    for _ in range(5_000):  # the second one may come while the first is being answered
        worker.process.send_signal(signal.SIGTERM)
    live.answer.set()
    assert worker.process.wait(KILLED_AFTER) == 0
    assert live.ended(job_id) == ["succeeded"]
    assert job_of(waiting).status == "queued"


def test_it_requeues_a_long_job_after_sigterm(start_service: StartService) -> None:
    live = start_service("worker", **INLINE)
    job_id = live.running_sync()
    worker = the_worker(live)
    started = time.monotonic()
    worker.process.send_signal(signal.SIGTERM)
    worker.process.wait(KILLED_AFTER)
    assert time.monotonic() - started > 15
    job = job_of(job_id)
    assert (job.status, job.attempt) == ("queued", 1)
    assert events(job_id)[-1] == "JOB_REQUEUED"
    check_history(job_id)
