"""Jobs in real workers, through the deaths of everything that can die."""

from __future__ import annotations

import os
import signal
import time

import pytest

from app.accounts.keys import create_key
from app.executions import service
from app.executions.queries import get_job
from app.infra.db import db
from tests.executions.conftest import SYNC, ago, change, check_history, events, job_of
from tests.jobs.conftest import KILLED_AFTER, SHORT_LEASE, LiveService, StartService
from tests.support.process_tree import alive, children
from tests.support.waiting import eventually

WRITTEN_ONCE = (1, 2)


def once(live: LiveService, job_id: int, attempts: int) -> None:
    """Assert that the sync succeeded, and wrote once what it had to write."""
    assert live.ended(job_id) == ["succeeded"]
    assert job_of(job_id).attempt == attempts
    assert events(job_id).count("JOB_SUCCEEDED") == 1
    assert live.written() == WRITTEN_ONCE
    check_history(job_id)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_jobs_run_end_to_end_without_a_scheduler(start_service: StartService, kind: str) -> None:
    live = start_service("worker", kind=kind)
    live.answer.set()
    sync, post = live.garden.queued(SYNC), live.garden.queued()
    assert live.ended(sync, post) == ["succeeded", "succeeded"]
    once(live, sync, 1)
    check_history(post)


@pytest.mark.smoke
def test_a_killed_child_process_is_noticed_at_once_and_its_job_runs_again(
    start_service: StartService,
) -> None:
    live = start_service()
    job_id = live.running_sync()
    os.kill(live.child(), signal.SIGKILL)
    live.reached(2)
    live.answer.set()
    once(live, job_id, 2)


@pytest.mark.postgresql
def test_the_job_of_a_killed_worker_and_child_runs_again_after_its_lease(start_service: StartService) -> None:
    live = start_service(kind="postgresql", **SHORT_LEASE)
    job_id = live.running_sync()
    child = live.child()
    live.service.kill("worker")
    eventually(lambda: not alive(child), "the child dies with its worker")
    live.service.start("worker")
    live.reached(2)
    live.answer.set()
    once(live, job_id, 2)


def test_a_worker_that_sleeps_past_its_lease_changes_nothing(start_service: StartService) -> None:
    live = start_service("worker", "worker", **SHORT_LEASE)
    job_id = live.running_sync()
    asleep = live.worker()
    live.signal_everyone(signal.SIGSTOP)
    live.service.start("scheduler")  # not before: its tasks give the other worker a child process, too
    live.reached(2)
    [child] = children(asleep)
    live.answer.set()
    once(live, job_id, 2)
    os.kill(asleep, signal.SIGCONT)
    os.kill(child, signal.SIGCONT)
    live.eventually(lambda: not alive(child), "the child that slept has ended")
    once(live, job_id, 2)


def test_the_worker_stops_a_canceled_job_that_is_frozen(start_service: StartService) -> None:
    live = start_service("worker")
    job_id = live.running_sync()
    child, asked = live.child(), len(live.site.requests)
    os.kill(child, signal.SIGSTOP)
    service.cancel(get_job(live.garden.account_id, job_id))
    db.session.rollback()
    eventually(lambda: not alive(child), "the child is stopped", 5)
    assert len(live.site.requests) == asked
    live.answer.set()
    follower = live.garden.queued(SYNC)
    once(live, follower, 1)
    assert job_of(job_id).status == "canceled"


def test_a_canceled_job_stops_within_5_seconds_without_redis(start_service: StartService) -> None:
    live = start_service("worker")
    job_id = live.running_sync()
    child, asked = live.child(), len(live.site.requests)
    live.service.redis.kill()
    service.cancel(get_job(live.garden.account_id, job_id))
    db.session.rollback()
    eventually(lambda: not alive(child), "the child is stopped", 5)
    live.answer.set()
    assert len(live.site.requests) == asked
    assert job_of(job_id).status == "canceled"
    assert live.written() == (0, 0)
    check_history(job_id)


def test_a_short_job_is_finished_after_sigterm_and_no_other_begun(start_service: StartService) -> None:
    live = start_service("worker")
    job_id = live.running_sync()
    waiting = live.garden.queued()
    live.signal_everyone(signal.SIGTERM)
    [worker] = live.service.running("worker")
    live.signal_everyone(signal.SIGTERM)
    live.answer.set()
    assert worker.process.wait(KILLED_AFTER) == 0
    once(live, job_id, 1)
    assert job_of(waiting).status == "queued"


def test_a_long_job_is_requeued_after_sigterm(start_service: StartService) -> None:
    live = start_service("worker")
    job_id = live.running_sync()
    [worker] = live.service.running("worker")
    started = time.monotonic()
    live.signal_everyone(signal.SIGTERM)
    assert worker.process.wait(KILLED_AFTER) == 0
    assert time.monotonic() - started > 15
    job = job_of(job_id)
    assert (job.status, job.attempt) == ("queued", 1)
    assert events(job_id)[-1] == "JOB_REQUEUED"
    assert live.written() == (0, 0)


def test_queued_jobs_run_when_redis_comes_back_empty(start_service: StartService) -> None:
    live = start_service()
    sync = live.running_sync()
    enqueued = live.garden.queued()
    live.service.redis.kill()
    not_enqueued = live.garden.queued()
    live.answer.set()
    live.service.redis.start()
    assert live.ended(sync, enqueued, not_enqueued) == ["succeeded"] * 3
    once(live, sync, 1)
    assert [job_of(job_id).attempt for job_id in (enqueued, not_enqueued)] == [1, 1]


@pytest.mark.parametrize("away", ["killed", "frozen"])
def test_a_job_is_created_within_2_seconds_without_redis(start_service: StartService, away: str) -> None:
    live = start_service("scheduler")
    redis = live.service.redis
    _, key = create_key(live.garden.account(), "tests")
    db.session.rollback()
    redis.kill() if away == "killed" else redis.freeze()
    started = time.monotonic()
    answer = live.app.test_client().post(
        f"/public-api/projects/{live.garden.project_id}/executions",
        json={"operation": SYNC},
        headers={"X-API-Key": key, "Idempotency-Key": "key"},
    )
    took = time.monotonic() - started
    if away == "frozen":
        redis.thaw()
    assert answer.status_code == 202
    assert took < 2


def test_dispatcher_and_reaper_work_while_every_worker_is_busy(start_service: StartService) -> None:
    live = start_service()
    live.running_sync()
    stuck, lost = live.garden.stuck(), live.garden.queued()
    change(lost, enqueued_at=None)
    live.eventually(lambda: job_of(lost).enqueued_at, "the lost job is enqueued again")
    live.eventually(lambda: job_of(stuck).status == "queued", "the stuck job is requeued")
    assert live.written() == (0, 0)


@pytest.mark.postgresql
def test_two_schedulers_at_once_do_nothing_twice(start_service: StartService) -> None:
    live = start_service("scheduler", "scheduler", "worker", "worker", kind="postgresql")
    lost = [live.garden.queued() for _ in range(4)]
    for job_id in lost:
        change(job_id, enqueued_at=None)
    stuck = live.garden.stuck()
    live.garden.set_project(next_sync_at=ago(1))
    live.answer.set()
    assert live.ended(*lost, stuck) == ["succeeded"] * 5
    live.eventually(lambda: live.written() == WRITTEN_ONCE, "the due sync has run")
    assert [job_of(job_id).attempt for job_id in lost] == [1] * 4
    assert events(stuck).count("JOB_REQUEUED") == 1
    for job_id in (*lost, stuck):
        assert events(job_id).count("JOB_SUCCEEDED") == 1
        check_history(job_id)
