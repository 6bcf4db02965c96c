"""What a worker does about a second ring, an empty or absent Redis, a fork that fails."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
from redis import Redis
from rq import Queue

from app.executions import service
from app.executions.queries import get_job
from app.infra import queue
from app.infra.db import db
from tests.executions.conftest import SYNC, check_history, events, job_of
from tests.jobs.conftest import KILLED_AFTER, House, OpenHouse


def handed_back(house: House, job_id: int) -> None:
    """Assert that the job goes back long before its lease is over."""

    def requeued() -> bool:
        found = "JOB_REQUEUED" in events(job_id)
        db.session.rollback()  # nobody else may write as long as this transaction lasts
        return found

    house.eventually(requeued, "the job is handed back")
    check_history(job_id)
    db.session.rollback()


def executions(house: House) -> Queue:
    return Queue(queue.EXECUTIONS, connection=Redis.from_url(house.service.redis.url))


def test_a_second_ring_does_not_hide_the_death_of_a_work_horse(open_house: OpenHouse) -> None:
    house = open_house("worker", "worker")
    job_id = house.running_sync()
    with house.app.app_context():
        queue.enqueue_execution(job_id, 1, 60)
    house.eventually(lambda: executions(house).count == 0, "the second ring was heard")
    os.kill(house.horse(), signal.SIGKILL)
    handed_back(house, job_id)


def test_an_emptied_redis_does_not_hide_the_death_of_a_work_horse(open_house: OpenHouse) -> None:
    house = open_house("worker")
    job_id = house.running_sync()
    Redis.from_url(house.service.redis.url).flushall()
    os.kill(house.horse(), signal.SIGKILL)
    handed_back(house, job_id)


def test_an_absent_redis_does_not_hide_the_death_of_a_work_horse(open_house: OpenHouse) -> None:
    house = open_house("worker")
    job_id = house.running_sync()
    house.service.redis.kill()
    os.kill(house.horse(), signal.SIGKILL)
    handed_back(house, job_id)


@pytest.mark.parametrize("worker_class", ["forking", "inline"])
def test_a_running_job_is_finished_after_sigterm_without_redis(
    open_house: OpenHouse, worker_class: str
) -> None:
    house = open_house("worker", WORKER_CLASS=worker_class)
    job_id = house.running_sync()
    [worker] = house.service.running("worker")
    house.service.redis.kill()
    worker.process.send_signal(signal.SIGTERM)
    house.eventually(lambda: "SIGTERM" not in pending(worker.process.pid), "the signal has come")
    house.answer.set()
    assert house.ended(job_id) == ["succeeded"]
    assert worker.process.wait(KILLED_AFTER) == 0
    assert job_of(job_id).attempt == 1


def pending(pid: int) -> list[str]:
    """The names of the signals that wait to be delivered to a process."""
    with open(f"/proc/{pid}/status") as status:
        masks = [int(line.split()[1], 16) for line in status if line.startswith(("SigPnd", "ShdPnd"))]
    return [number.name for number in signal.Signals if any(mask >> (number - 1) & 1 for mask in masks)]


def troubled(open_house: OpenHouse, mishap: str, **settings: Any) -> House:
    house = open_house("scheduler", **settings)
    house.service.commands["worker"] = f"python -m tests.support.troubled {mishap} worker.py"
    house.service.start("worker")
    return house


def test_a_job_whose_fork_failed_goes_back_at_once(open_house: OpenHouse) -> None:
    house = troubled(open_house, "no-fork-once")
    job_id = house.garden.queued(SYNC)
    handed_back(house, job_id)
    house.answer.set()
    assert house.ended(job_id) == ["succeeded"]
    assert job_of(job_id).attempt == 2


def test_a_cancel_that_meets_a_newborn_work_horse_stops_only_that(open_house: OpenHouse) -> None:
    house = troubled(open_house, "slow-birth")
    job_id = house.garden.queued(SYNC)
    house.eventually(lambda: house.worker() and job_of(job_id).status == "running", "the horse is born")
    service.cancel(get_job(house.garden.account_id, job_id))
    db.session.rollback()
    [worker] = house.service.running("worker")
    house.answer.set()
    follower = house.garden.queued(SYNC)
    assert house.ended(follower) == ["succeeded"]
    assert worker.process.poll() is None
    assert job_of(job_id).status == "canceled"


def test_a_task_that_fails_amid_a_transaction_spoils_no_other(open_house: OpenHouse) -> None:
    house = open_house("worker", WORKER_CLASS="inline")
    house.answer.set()
    assert house.ended(house.garden.queued(SYNC)) == ["succeeded"]
    broken = executions(house).enqueue("tests.support.troubled.fail_amid_a_transaction")
    house.eventually(lambda: broken.get_status() == "failed", "the task has failed")
    assert house.ended(house.garden.queued(SYNC)) == ["succeeded"]


def test_a_worker_that_lost_redis_leaves_nothing_of_itself_behind(open_house: OpenHouse) -> None:
    house = open_house("worker")
    connection = Redis.from_url(house.service.redis.url)
    for _ in range(2):
        house.answer.clear()
        job_id = house.garden.queued(SYNC)
        house.eventually(lambda job=job_id: job_of(job).status == "running", "the job runs")
        house.service.redis.kill()
        house.answer.set()
        house.ended(job_id)
        house.service.redis.start()
        house.eventually(lambda: house.service.live_workers() == 1, "a worker is back")
    house.eventually(lambda: connection.client_list("pubsub"), "it listens again")
    assert len(connection.client_list("pubsub")) == 1
