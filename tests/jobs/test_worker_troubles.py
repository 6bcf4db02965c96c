"""A worker and a second queue entry, an empty or absent Redis, a fork that fails."""

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
from app.jobs.worker import ForkingWorker
from tests.executions.conftest import SYNC, check_history, events, job_of
from tests.jobs.conftest import KILLED_AFTER, LiveService, StartService


def handed_back(live: LiveService, job_id: int) -> None:
    """Assert that the job goes back long before its lease is over."""

    def requeued() -> bool:
        found = "JOB_REQUEUED" in events(job_id)
        db.session.rollback()  # nobody else may write as long as this transaction lasts
        return found

    live.eventually(requeued, "the job is requeued")
    check_history(job_id)
    db.session.rollback()


def executions(live: LiveService) -> Queue:
    return Queue(queue.EXECUTIONS, connection=Redis.from_url(live.service.redis.url))


def test_a_second_queue_entry_does_not_hide_the_death_of_a_child_process(start_service: StartService) -> None:
    live = start_service("worker", "worker")
    job_id = live.running_sync()
    with live.app.app_context():
        queue.enqueue_execution(job_id, 1, 60)
    live.eventually(lambda: executions(live).count == 0, "the second queue entry was taken")
    os.kill(live.child(), signal.SIGKILL)
    handed_back(live, job_id)


def test_an_emptied_redis_does_not_hide_the_death_of_a_child_process(start_service: StartService) -> None:
    live = start_service("worker")
    job_id = live.running_sync()
    Redis.from_url(live.service.redis.url).flushall()
    os.kill(live.child(), signal.SIGKILL)
    handed_back(live, job_id)


def test_an_absent_redis_does_not_hide_the_death_of_a_child_process(start_service: StartService) -> None:
    live = start_service("worker")
    job_id = live.running_sync()
    live.service.redis.kill()
    os.kill(live.child(), signal.SIGKILL)
    handed_back(live, job_id)


@pytest.mark.parametrize("worker_class", ["forking", "inline"])
def test_a_running_job_is_finished_after_sigterm_without_redis(
    start_service: StartService, worker_class: str
) -> None:
    live = start_service("worker", WORKER_CLASS=worker_class)
    job_id = live.running_sync()
    [worker] = live.service.running("worker")
    live.service.redis.kill()
    worker.process.send_signal(signal.SIGTERM)
    live.eventually(lambda: "SIGTERM" not in pending(worker.process.pid), "the signal has come")
    live.answer.set()
    assert live.ended(job_id) == ["succeeded"]
    assert worker.process.wait(KILLED_AFTER) == 0
    assert job_of(job_id).attempt == 1


def pending(pid: int) -> list[str]:
    """The names of the signals that wait to be delivered to a process."""
    with open(f"/proc/{pid}/status") as status:
        masks = [int(line.split()[1], 16) for line in status if line.startswith(("SigPnd", "ShdPnd"))]
    return [number.name for number in signal.Signals if any(mask >> (number - 1) & 1 for mask in masks)]


def troubled(start_service: StartService, mishap: str, **settings: Any) -> LiveService:
    live = start_service("scheduler", **settings)
    live.service.commands["worker"] = f"python -m tests.support.troubled {mishap} worker.py"
    live.service.start("worker")
    return live


def test_a_job_whose_fork_failed_is_requeued_at_once(start_service: StartService) -> None:
    live = troubled(start_service, "no-fork-once")
    job_id = live.garden.queued(SYNC)
    handed_back(live, job_id)
    live.answer.set()
    assert live.ended(job_id) == ["succeeded"]
    assert job_of(job_id).attempt == 2


def test_a_cancel_right_after_the_fork_stops_only_the_child_process(start_service: StartService) -> None:
    live = troubled(start_service, "slow-birth")
    job_id = live.garden.queued(SYNC)
    live.eventually(lambda: live.worker() and job_of(job_id).status == "running", "the child has started")
    service.cancel(get_job(live.garden.account_id, job_id))
    db.session.rollback()
    [worker] = live.service.running("worker")
    live.answer.set()
    follower = live.garden.queued(SYNC)
    assert live.ended(follower) == ["succeeded"]
    assert worker.process.poll() is None
    assert job_of(job_id).status == "canceled"


def test_a_task_that_fails_inside_a_transaction_does_not_affect_the_next(start_service: StartService) -> None:
    live = start_service("worker", WORKER_CLASS="inline")
    live.answer.set()
    assert live.ended(live.garden.queued(SYNC)) == ["succeeded"]
    broken = executions(live).enqueue("tests.support.troubled.fail_amid_a_transaction")
    live.eventually(lambda: broken.get_status() == "failed", "the task has failed")
    assert live.ended(live.garden.queued(SYNC)) == ["succeeded"]


def test_a_worker_that_lost_redis_leaves_no_connection_behind(start_service: StartService) -> None:
    live = start_service("worker")
    connection = Redis.from_url(live.service.redis.url)
    for _ in range(2):
        live.answer.clear()
        job_id = live.garden.queued(SYNC)
        live.eventually(lambda job=job_id: job_of(job).status == "running", "the job runs")
        live.service.redis.kill()
        live.answer.set()
        live.ended(job_id)
        live.service.redis.start()
        live.eventually(lambda: live.service.live_workers() == 1, "a worker is back")
    live.eventually(lambda: connection.client_list("pubsub"), "it listens again")
    assert len(connection.client_list("pubsub")) == 1


def test_the_listener_of_an_ending_worker_takes_the_loss_of_its_connection_for_the_end(
    redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    worker = ForkingWorker([Queue("tasks", connection=Redis.from_url(redis_url))])
    worker.subscribe()
    worker.is_ending = True
    for _ in range(100):  # a listener that was about to read connects once more
        worker.connection.close()
        worker.pubsub_thread.join(0.2)
        if not worker.pubsub_thread.is_alive():
            break
    assert not worker.pubsub_thread.is_alive()
    assert not [record for record in caplog.records if record.levelname in {"WARNING", "ERROR"}]
