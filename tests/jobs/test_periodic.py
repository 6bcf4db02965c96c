"""The periodic table over a real Redis."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from redis import Redis
from rq import Queue
from rq_scheduler import Scheduler

from app.infra.queue import PERIODIC
from app.jobs.periodic import TABLE, Periodic, PeriodicScheduler
from tests.support.waiting import PATIENCE, eventually

EVERY_HOUR = Periodic("app.jobs.tasks.submit_due_syncs", every=3600)
IN_AN_HOUR = datetime.now(UTC).replace(tzinfo=None) + timedelta(hours=1)
EVERY_TWO_SECONDS = Periodic("app.jobs.tasks.enqueue_due_pages", every=2)


@pytest.fixture
def redis(redis_url: str) -> Iterator[Redis]:
    with Redis.from_url(redis_url) as connection:
        yield connection


def entries(redis: Redis) -> dict[str, float]:
    """The due times of the table's entries."""
    key = Scheduler.scheduled_jobs_key
    return {name.decode(): score for name, score in redis.zrange(key, 0, -1, withscores=True)}


def pushed(redis: Redis) -> list[str]:
    return Queue(PERIODIC, connection=redis).job_ids


def test_every_entry_is_scheduled_once(redis: Redis) -> None:
    PeriodicScheduler(redis).reconcile()
    assert set(entries(redis)) == {entry.id for entry in TABLE}


def test_reconciling_keeps_due_times(redis: Redis) -> None:
    scheduler = PeriodicScheduler(redis, (EVERY_HOUR,))
    scheduler.reconcile()
    assert scheduler.enqueue_due() == 1
    before = entries(redis)
    scheduler.reconcile()
    PeriodicScheduler(redis, (EVERY_HOUR,)).reconcile()
    assert entries(redis) == before
    assert scheduler.enqueue_due() == 0


def test_an_entry_that_is_no_longer_wanted_goes_and_others_stay(redis: Redis) -> None:
    PeriodicScheduler(redis, (EVERY_HOUR, EVERY_TWO_SECONDS)).reconcile()
    Scheduler(connection=redis).schedule(IN_AN_HOUR, "app.jobs.tasks.refresh_coverage", id="not-ours")
    PeriodicScheduler(redis, (EVERY_TWO_SECONDS,)).reconcile()
    assert set(entries(redis)) == {EVERY_TWO_SECONDS.id, "not-ours"}


def test_an_entry_whose_definition_changed_replaces_the_old_one(redis: Redis) -> None:
    changed = Periodic(EVERY_HOUR.task, every=1800)
    PeriodicScheduler(redis, (EVERY_HOUR,)).reconcile()
    PeriodicScheduler(redis, (changed,)).reconcile()
    assert set(entries(redis)) == {changed.id} != {EVERY_HOUR.id}


def test_the_table_comes_back_after_redis_was_emptied(redis: Redis) -> None:
    scheduler = PeriodicScheduler(redis)
    scheduler.reconcile()
    redis.flushall()
    scheduler.reconcile()
    assert set(entries(redis)) == {entry.id for entry in TABLE}
    assert scheduler.enqueue_due() == len(TABLE)


def test_a_due_entry_is_enqueued_as_the_task_itself(redis: Redis) -> None:
    scheduler = PeriodicScheduler(redis, (EVERY_HOUR,))
    scheduler.reconcile()
    scheduler.enqueue_due()
    [job] = Queue(PERIODIC, connection=redis).jobs
    assert job.func_name == EVERY_HOUR.task
    assert job.id.startswith(EVERY_HOUR.id)


def test_a_task_is_due_at_its_interval(redis: Redis) -> None:
    scheduler = PeriodicScheduler(redis, (EVERY_TWO_SECONDS,))
    scheduler.reconcile()
    assert scheduler.enqueue_due() == 1
    [due] = entries(redis).values()
    eventually(scheduler.enqueue_due, "the next tick")
    assert redis.time()[0] >= due
    assert len(set(pushed(redis))) == 2


def test_schedulers_at_once_enqueue_each_due_task_once(redis: Redis) -> None:
    for _ in range(10):
        redis.flushall()
        schedulers = [PeriodicScheduler(redis) for _ in range(4)]
        start = threading.Barrier(len(schedulers))

        def tick(scheduler: PeriodicScheduler, start: threading.Barrier = start) -> int:
            start.wait(PATIENCE)
            scheduler.reconcile()
            return scheduler.enqueue_due() + scheduler.enqueue_due()

        with ThreadPoolExecutor(len(schedulers)) as pool:
            assert sum(pool.map(tick, schedulers)) == len(TABLE)
        assert len(pushed(redis)) == len(TABLE)


def test_a_slow_scheduler_enqueues_no_due_task_again(redis: Redis) -> None:
    fast, slow = PeriodicScheduler(redis, (EVERY_HOUR,)), PeriodicScheduler(redis, (EVERY_HOUR,))
    fast.reconcile()
    [moment] = [moment for _, moment in slow._scheduler.get_jobs(with_times=True)]
    assert fast.enqueue_due() == 1
    assert not slow._enqueue(EVERY_HOUR.id, moment)
    assert len(pushed(redis)) == 1


@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: entry.task)
def test_an_entry_names_a_task_and_leaves_it_time(entry: Periodic) -> None:
    module, _, name = entry.task.rpartition(".")
    assert callable(getattr(import_module(module), name))
    assert entry.every >= 2
