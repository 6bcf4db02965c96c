"""The work of an attempt under way: its progress, its lease and its heartbeat, on both databases."""

from __future__ import annotations

import threading

import pytest

from app.executions import service
from app.executions.heartbeat import Heartbeat
from app.executions.job_run import MOST_PROGRESS_ROWS
from app.executions.queries import get_job
from app.failures import ServiceFailure
from app.infra.db import db
from app.infra.logs import on_behalf_of, request_id
from app.operations.base import Stopped
from tests.executions.conftest import (
    Garden,
    ago,
    another_claim,
    change,
    check_history,
    claim,
    events,
    finish,
    history,
    job_of,
    work_of,
)
from tests.support.waiting import PATIENCE, eventually


def test_an_attempt_knows_its_job_and_who_asked_for_it(garden: Garden) -> None:
    job_id = garden.queued(requested_by="Alice")
    work = work_of(claim(job_id), deadline=50)
    assert (work.job_id, work.project_id, work.payload) == (job_id, garden.project_id, job_of(job_id).payload)
    assert (work.attempt, work.requested_by) == (1, "Alice")
    assert 40 < work.remaining() <= 50
    assert not work.should_stop()


def test_another_job_with_the_same_fence_keeps_no_claim_alive(garden: Garden) -> None:
    ended, running = garden.claimed(), garden.claimed()
    assert ended.fence == running.fence
    work = work_of(ended)
    finish(ended)
    assert not work.is_claimed()
    assert work_of(running).is_claimed()


@pytest.mark.parametrize(
    ("lost", "deadline", "raised"), [(True, 50, Stopped), (False, 0, ServiceFailure), (True, 0, Stopped)]
)
def test_an_attempt_stops_when_its_claim_is_lost_or_its_time_is_up(
    garden: Garden, lost: bool, deadline: float, raised: type[Exception]
) -> None:
    work = work_of(garden.claimed(), deadline=deadline)
    if lost:
        work.lost.set()
    assert work.should_stop()
    with pytest.raises(raised) as stopped:
        work.check_cancelled()
    assert lost or "JOB_TIMEOUT" in str(stopped.value)


def test_progress_is_kept_in_the_history_up_to_a_bound(garden: Garden) -> None:
    taken = garden.claimed()
    work = work_of(taken)
    for number in range(MOST_PROGRESS_ROWS + 20):
        work.progress("reading", number, 100, f"{number} of 100")
    assert events(taken.job_id).count("JOB_PROGRESS") == MOST_PROGRESS_ROWS
    assert job_of(taken.job_id).progress == {"stage": "reading", "done": 79, "total": 100}
    change(taken.job_id, lease_until=ago(0))
    work.progress("reading", 80, 100)
    assert left(taken.job_id) > 20, "the lease is renewed without another row"
    finish(taken)
    check_history(taken.job_id)


@pytest.mark.parametrize("message", ["", "Half of the pages are read."])
def test_a_stage_is_shown_and_kept_in_the_history_with_its_message(garden: Garden, message: str) -> None:
    taken = garden.claimed()
    work = work_of(taken)
    said = (message,) if message else ()
    work.progress("reading", 1, 2, *said)
    stage = {"stage": "reading", "done": 1, "total": 2}
    line = history(taken.job_id)[-1]
    assert (line.event, line.status, line.details) == (
        "JOB_PROGRESS", "running", {**stage, "message": message},
    )  # fmt: skip
    assert job_of(taken.job_id).progress == stage
    assert work.finished_progress() == {**stage, "done": 2}


def test_progress_renews_the_lease(garden: Garden) -> None:
    taken = garden.claimed()
    change(taken.job_id, lease_until=ago(0))
    work_of(taken, lease=500).progress("reading", 0, 2)
    job = job_of(taken.job_id)
    assert job.lease_until is not None
    assert 490 < (job.lease_until - job.updated_at).total_seconds() < 510


def test_the_heartbeat_renews_the_lease(garden: Garden) -> None:
    taken = garden.claimed()
    change(taken.job_id, lease_until=ago(0))
    with Heartbeat(work_of(taken, lease=300), every=0.05):
        eventually(lambda: left(taken.job_id) > 200, "the lease is renewed")


def left(job_id: int) -> float:
    job = job_of(job_id)
    return (job.lease_until - job.updated_at).total_seconds() if job.lease_until else 0


def test_the_heartbeat_notices_a_cancel(garden: Garden) -> None:
    taken = garden.claimed()
    work = work_of(taken)
    with Heartbeat(work, every=0.05):
        service.cancel(get_job(garden.account_id, taken.job_id))
        db.session.rollback()
        assert work.lost.wait(PATIENCE)
    with pytest.raises(Stopped):
        work.check_cancelled()


def test_the_heartbeat_notices_that_another_worker_has_the_job(garden: Garden) -> None:
    taken = garden.claimed()
    work = work_of(taken)
    with Heartbeat(work, every=0.05):
        another_claim(taken)
        assert work.lost.wait(PATIENCE)


def test_lost_work_that_does_not_stop_is_abandoned(garden: Garden) -> None:
    taken = garden.claimed()
    abandoned = threading.Event()
    with Heartbeat(work_of(taken), 0.05, abandoned.set):
        another_claim(taken)
        assert abandoned.wait(PATIENCE)


def test_what_the_heartbeat_does_is_logged_with_the_request_that_asked_for_the_job(garden: Garden) -> None:
    taken = garden.claimed()
    logged: list[str] = []
    abandoned = threading.Event()

    def abandon() -> None:
        logged.append(request_id.get())
        abandoned.set()

    with on_behalf_of("r-1"), Heartbeat(work_of(taken), 0.05, abandon):
        another_claim(taken)
        assert abandoned.wait(PATIENCE)
    assert logged == ["r-1"]


def test_lost_work_that_stops_is_not(garden: Garden) -> None:
    taken = garden.claimed()
    work, abandoned = work_of(taken), threading.Event()
    with Heartbeat(work, 0.05, abandoned.set):
        another_claim(taken)
        assert work.lost.wait(PATIENCE)
    assert not abandoned.is_set()


def test_work_that_goes_on_long_after_its_deadline_is_abandoned(garden: Garden) -> None:
    taken = garden.claimed()
    abandoned = threading.Event()
    beat = Heartbeat(work_of(taken, deadline=0), every=0.05, abandon=abandoned.set, overtime=0.1)
    with beat:
        assert abandoned.wait(PATIENCE)
        eventually(lambda: not beat._thread.is_alive(), "the heartbeat has ended")


def test_work_that_ends_by_itself_after_its_deadline_is_left_alone(garden: Garden) -> None:
    taken = garden.claimed()
    abandoned = threading.Event()
    with Heartbeat(work_of(taken, deadline=0), every=0.05, abandon=abandoned.set, overtime=60):
        pass
    assert not abandoned.is_set()
