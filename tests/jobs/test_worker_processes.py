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
from tests.jobs.conftest import KILLED_AFTER, SHORT_LEASE, House, OpenHouse
from tests.support.process_tree import alive, children
from tests.support.waiting import eventually

WRITTEN_ONCE = (1, 2)


def once(house: House, job_id: int, attempts: int) -> None:
    """Assert that the sync succeeded, and wrote once what it had to write."""
    assert house.ended(job_id) == ["succeeded"]
    assert job_of(job_id).attempt == attempts
    assert events(job_id).count("JOB_SUCCEEDED") == 1
    assert house.written() == WRITTEN_ONCE
    check_history(job_id)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_jobs_run_end_to_end_without_a_scheduler(open_house: OpenHouse, kind: str) -> None:
    house = open_house("worker", kind=kind)
    house.answer.set()
    sync, post = house.garden.queued(SYNC), house.garden.queued()
    assert house.ended(sync, post) == ["succeeded", "succeeded"]
    once(house, sync, 1)
    check_history(post)


@pytest.mark.smoke
def test_a_killed_work_horse_is_noticed_at_once_and_its_job_runs_again(open_house: OpenHouse) -> None:
    house = open_house()
    job_id = house.running_sync()
    os.kill(house.horse(), signal.SIGKILL)
    house.reached(2)
    house.answer.set()
    once(house, job_id, 2)


@pytest.mark.postgresql
def test_the_job_of_a_killed_worker_and_horse_runs_again_after_its_lease(open_house: OpenHouse) -> None:
    house = open_house(kind="postgresql", **SHORT_LEASE)
    job_id = house.running_sync()
    horse = house.horse()
    house.service.kill("worker")
    eventually(lambda: not alive(horse), "the horse dies with its worker")
    house.service.start("worker")
    house.reached(2)
    house.answer.set()
    once(house, job_id, 2)


def test_a_worker_that_sleeps_past_its_lease_changes_nothing(open_house: OpenHouse) -> None:
    house = open_house("worker", "worker", **SHORT_LEASE)
    job_id = house.running_sync()
    asleep = house.worker()
    house.tell_everyone(signal.SIGSTOP)
    house.service.start("scheduler")  # not before: its tasks give the other worker a work-horse, too
    house.reached(2)
    [horse] = children(asleep)
    house.answer.set()
    once(house, job_id, 2)
    os.kill(asleep, signal.SIGCONT)
    os.kill(horse, signal.SIGCONT)
    house.eventually(lambda: not alive(horse), "the horse that slept has ended")
    once(house, job_id, 2)


def test_the_worker_stops_a_canceled_job_that_hears_nothing_itself(open_house: OpenHouse) -> None:
    house = open_house("worker")
    job_id = house.running_sync()
    horse, asked = house.horse(), len(house.site.requests)
    os.kill(horse, signal.SIGSTOP)
    service.cancel(get_job(house.garden.account_id, job_id))
    db.session.rollback()
    eventually(lambda: not alive(horse), "the horse is stopped", 5)
    assert len(house.site.requests) == asked
    house.answer.set()
    follower = house.garden.queued(SYNC)
    once(house, follower, 1)
    assert job_of(job_id).status == "canceled"


def test_a_canceled_job_stops_within_5_seconds_without_redis(open_house: OpenHouse) -> None:
    house = open_house("worker")
    job_id = house.running_sync()
    horse, asked = house.horse(), len(house.site.requests)
    house.service.redis.kill()
    service.cancel(get_job(house.garden.account_id, job_id))
    db.session.rollback()
    eventually(lambda: not alive(horse), "the horse is stopped", 5)
    house.answer.set()
    assert len(house.site.requests) == asked
    assert job_of(job_id).status == "canceled"
    assert house.written() == (0, 0)
    check_history(job_id)


def test_a_short_job_is_finished_after_sigterm_and_no_other_begun(open_house: OpenHouse) -> None:
    house = open_house("worker")
    job_id = house.running_sync()
    waiting = house.garden.queued()
    house.tell_everyone(signal.SIGTERM)
    [worker] = house.service.running("worker")
    house.tell_everyone(signal.SIGTERM)
    house.answer.set()
    assert worker.process.wait(KILLED_AFTER) == 0
    once(house, job_id, 1)
    assert job_of(waiting).status == "queued"


def test_a_long_job_is_handed_back_after_sigterm(open_house: OpenHouse) -> None:
    house = open_house("worker")
    job_id = house.running_sync()
    [worker] = house.service.running("worker")
    started = time.monotonic()
    house.tell_everyone(signal.SIGTERM)
    assert worker.process.wait(KILLED_AFTER) == 0
    assert time.monotonic() - started > 15
    job = job_of(job_id)
    assert (job.status, job.attempt) == ("queued", 1)
    assert events(job_id)[-1] == "JOB_REQUEUED"
    assert house.written() == (0, 0)


def test_queued_jobs_run_when_redis_comes_back_empty(open_house: OpenHouse) -> None:
    house = open_house()
    sync = house.running_sync()
    rung = house.garden.queued()
    house.service.redis.kill()
    unheard = house.garden.queued()
    house.answer.set()
    house.service.redis.start()
    assert house.ended(sync, rung, unheard) == ["succeeded"] * 3
    once(house, sync, 1)
    assert [job_of(job_id).attempt for job_id in (rung, unheard)] == [1, 1]


@pytest.mark.parametrize("away", ["killed", "frozen"])
def test_a_job_is_created_within_2_seconds_without_redis(open_house: OpenHouse, away: str) -> None:
    house = open_house("scheduler")
    redis = house.service.redis
    _, key = create_key(house.garden.submission().account, "tests")
    db.session.rollback()
    redis.kill() if away == "killed" else redis.freeze()
    started = time.monotonic()
    answer = house.app.test_client().post(
        f"/public-api/projects/{house.garden.project_id}/executions",
        json={"operation": SYNC},
        headers={"X-API-Key": key, "Idempotency-Key": "key"},
    )
    took = time.monotonic() - started
    if away == "frozen":
        redis.thaw()
    assert answer.status_code == 202
    assert took < 2


def test_dispatcher_and_reaper_work_while_every_worker_is_busy(open_house: OpenHouse) -> None:
    house = open_house()
    house.running_sync()
    stuck, lost = house.garden.stuck(), house.garden.queued()
    change(lost, enqueued_at=None)
    house.eventually(lambda: job_of(lost).enqueued_at, "the lost ring is repeated")
    house.eventually(lambda: job_of(stuck).status == "queued", "the stuck job is handed back")
    assert house.written() == (0, 0)


@pytest.mark.postgresql
def test_two_schedulers_at_once_do_nothing_twice(open_house: OpenHouse) -> None:
    house = open_house("scheduler", "scheduler", "worker", "worker", kind="postgresql")
    lost = [house.garden.queued() for _ in range(4)]
    for job_id in lost:
        change(job_id, enqueued_at=None)
    stuck = house.garden.stuck()
    house.garden.set_project(next_sync_at=ago(1))
    house.answer.set()
    assert house.ended(*lost, stuck) == ["succeeded"] * 5
    house.eventually(lambda: house.written() == WRITTEN_ONCE, "the due sync has run")
    assert [job_of(job_id).attempt for job_id in lost] == [1] * 4
    assert events(stuck).count("JOB_REQUEUED") == 1
    for job_id in (*lost, stuck):
        assert events(job_id).count("JOB_SUCCEEDED") == 1
        check_history(job_id)
