"""Enqueueing what is next in line, on both databases and over a real Redis."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from redis import Redis
from rq import Queue
from sqlalchemy import func, select, update

from app.config import Settings
from app.executions import dispatcher, failing, schedule, service
from app.executions.dispatcher import dispatch
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.failures import failure
from app.infra import queue
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from tests.executions.conftest import PUBLISH, SYNC, Garden, ago, change, claim, finish, job_of
from tests.support.publishing import project_of
from tests.support.together import together
from tests.support.working import run_job


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"RUNNING_GENERATIONS": "2"}


@pytest.fixture
def enqueued(settings: Settings, garden: Garden) -> Queue:
    """The queue of executions, from a Redis that was seen before."""
    queue.set_marker()
    return Queue("executions", connection=Redis.from_url(settings.redis_url))


def not_enqueued(garden: Garden, operation: str = "GENERATE_BLOG_POST") -> int:
    """A queued job that was lost between commit and Redis."""
    job_id = garden.queued(operation)
    change(job_id, enqueued_at=None)
    queue.redis_client().delete("rq:queue:executions")
    return job_id


def test_a_job_that_was_not_enqueued_is_enqueued(garden: Garden, enqueued: Queue) -> None:
    job_id = not_enqueued(garden)
    assert dispatch() == 1
    assert enqueued.job_ids == [f"execution-{job_id}-1"]
    assert job_of(job_id).enqueued_at is not None
    assert dispatch() == 0


def test_a_job_is_enqueued_again_after_7_seconds(garden: Garden, enqueued: Queue) -> None:
    job_id = garden.queued()
    enqueued.empty()
    change(job_id, enqueued_at=ago(6))
    assert dispatch() == 0
    change(job_id, enqueued_at=ago(8))
    assert dispatch() == 1
    assert enqueued.job_ids == [f"execution-{job_id}-1"]


def test_a_job_that_is_still_on_the_queue_is_not_enqueued_again(garden: Garden, enqueued: Queue) -> None:
    job_id = garden.queued()
    for _ in range(3):
        change(job_id, enqueued_at=ago(60))
        dispatch()
    assert enqueued.job_ids == [f"execution-{job_id}-1"]


def test_an_attempt_that_was_requeued_meanwhile_is_not_marked_as_enqueued(garden: Garden) -> None:
    taken = garden.claimed()
    failing.requeue(taken.job_id, taken.fence, failure("WORKER_LOST"), 0)
    db.session.commit()
    dispatcher.mark_enqueued([(taken.job_id, taken.attempt - 1)])
    assert job_of(taken.job_id).enqueued_at is None
    dispatcher.mark_enqueued([(taken.job_id, taken.attempt)])
    assert job_of(taken.job_id).enqueued_at is not None


def test_a_requeued_job_is_enqueued_as_its_next_attempt_when_it_is_available(
    garden: Garden, enqueued: Queue
) -> None:
    taken = garden.claimed()
    enqueued.empty()
    failing.requeue(taken.job_id, taken.fence, failure("WORKER_LOST"), 60)
    db.session.commit()
    assert dispatch() == 0
    change(taken.job_id, available_at=ago(0.1))
    assert dispatch() == 1
    assert enqueued.job_ids == [f"execution-{taken.job_id}-2"]


@pytest.mark.parametrize("status", ["running", "canceled"])
def test_only_queued_jobs_are_enqueued(garden: Garden, enqueued: Queue, status: str) -> None:
    job_id = not_enqueued(garden)
    if status == "running":
        claim(job_id)
    else:
        service.cancel(get_job(garden.account_id, job_id))
    assert dispatch() == 0


def test_a_job_over_its_accounts_limit_is_enqueued_when_another_ends(garden: Garden, enqueued: Queue) -> None:
    first, _second = garden.claimed(), garden.claimed()
    waiting = not_enqueued(garden)
    assert dispatch() == 0
    finish(first)
    assert dispatch() == 1
    assert enqueued.job_ids == [f"execution-{waiting}-1"]


def test_a_sync_is_enqueued_when_the_running_sync_has_ended(garden: Garden, enqueued: Queue) -> None:
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    first = garden.claimed(SYNC)
    not_enqueued(garden, SYNC)
    assert dispatch() == 0
    finish(first)
    assert dispatch() == 1


def test_every_job_is_enqueued_again_when_redis_was_emptied(garden: Garden, enqueued: Queue) -> None:
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    ids = [garden.queued(), garden.queued(), garden.queued(SYNC)]
    assert dispatch() == 0
    queue.redis_client().flushall()
    assert dispatch() == 3
    assert sorted(enqueued.job_ids) == sorted(f"execution-{job_id}-1" for job_id in ids)
    assert dispatch() == 0


def test_a_job_that_could_not_run_when_redis_was_emptied_is_enqueued_as_soon_as_it_can(
    garden: Garden, enqueued: Queue
) -> None:
    waiting = [garden.queued() for _ in range(3)]
    busy = [claim(job_id) for job_id in waiting[:2]]
    change(waiting[2], enqueued_at=ago(1))
    queue.redis_client().flushall()
    assert dispatch() == 0
    finish(busy[0])
    assert dispatch() == 1
    assert enqueued.job_ids == [f"execution-{waiting[2]}-1"]


def test_a_loss_is_noticed_again_when_the_first_to_notice_died(garden: Garden, enqueued: Queue) -> None:
    garden.queued()
    queue.redis_client().flushall()
    assert queue.was_emptied()
    assert dispatch() == 1


def test_without_redis_nothing_is_marked_as_enqueued(
    app: Flask, settings: Settings, garden: Garden, enqueued: Queue
) -> None:
    job_id = not_enqueued(garden)
    app.extensions["redis"] = queue.connect(replace(settings, redis_url="unix:///nowhere.sock"))
    assert dispatch() == 0
    assert job_of(job_id).enqueued_at is None


def test_a_job_that_is_enqueued_twice_runs_once(app: Flask, garden: Garden, enqueued: Queue) -> None:
    job_id = not_enqueued(garden)
    together(app, dispatch, 4)
    for _ in range(len(enqueued.job_ids)):
        run_job(job_id)
    assert job_of(job_id).attempt == 1


def test_only_as_many_jobs_are_enqueued_as_the_account_may_start(garden: Garden, enqueued: Queue) -> None:
    ids = [garden.queued() for _ in range(6)]
    assert enqueued.job_ids == [f"execution-{job_id}-1" for job_id in ids[:2]]
    claim(ids[0])
    assert dispatch() == 0


def test_the_end_of_a_job_enqueues_the_next_one(garden: Garden, enqueued: Queue) -> None:
    ids = [garden.queued() for _ in range(4)]
    run_job(ids[0])
    assert enqueued.job_ids[2:] == [f"execution-{ids[2]}-1"]
    run_job(ids[1])
    assert enqueued.job_ids[3:] == [f"execution-{ids[3]}-1"]


def test_a_job_without_a_running_limit_makes_room_for_the_next_when_it_is_claimed(
    garden: Garden, enqueued: Queue
) -> None:
    ids = [garden.queued() for _ in range(4)]
    change_all(operation=PUBLISH)
    claim(ids[0])
    assert dispatcher.enqueue_next(ids[0]) == 1
    assert enqueued.job_ids[2:] == [f"execution-{ids[2]}-1"]


def test_accounts_are_served_in_turn(garden: Garden, enqueued: Queue) -> None:
    """A long backlog of one customer stands behind another's first job, and not before it."""
    alices = [not_enqueued(garden) for _ in range(5)]
    bob = project_of("bob")
    bobs = [not_enqueued(Garden(bob.account_id, bob.id))]
    change_all(enqueued_at=None)
    queue.redis_client().delete("rq:queue:executions")
    assert dispatch() == 3
    assert enqueued.job_ids == [f"execution-{job_id}-1" for job_id in (alices[0], bobs[0], alices[1])]


def change_all(**values: Any) -> None:
    db.session.execute(update(ExecutionJob).values(**values))
    db.session.commit()


def due(garden: Garden) -> None:
    moment = utc_now() - timedelta(minutes=1)
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml", next_sync_at=moment)


def syncs() -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(ExecutionJob)) or 0


def test_a_due_sync_becomes_a_job(garden: Garden) -> None:
    due(garden)
    assert schedule.submit_due_syncs() == 1
    job = db.session.scalars(select(ExecutionJob)).one()
    assert (job.operation, job.status, job.requested_by) == (SYNC, "queued", "the schedule")
    next_sync = db.session.get_one(Project, garden.project_id).next_sync_at
    assert next_sync is not None
    assert next_sync > utc_now() + timedelta(minutes=50)
    db.session.rollback()
    assert schedule.submit_due_syncs() == 0


def test_a_due_sync_that_two_find_at_once_is_one_job(app: Flask, garden: Garden) -> None:
    for number in range(1, 6):
        due(garden)
        counts = together(app, schedule.submit_due_syncs, 6)
        assert sum(counts) == 1
        assert syncs() == number
        finish(claim(db.session.scalars(select(func.max(ExecutionJob.id))).one()))


def test_a_due_sync_joins_one_that_is_queued(garden: Garden) -> None:
    due(garden)
    garden.queued(SYNC)
    schedule.submit_due_syncs()
    assert syncs() == 1


def test_a_sync_that_is_not_due_makes_no_job(garden: Garden) -> None:
    garden.set_project(next_sync_at=utc_now() + timedelta(minutes=1))
    assert schedule.submit_due_syncs() == 0
    garden.set_project(next_sync_at=None)
    assert schedule.submit_due_syncs() == 0


def test_a_job_of_an_operation_that_no_longer_exists_does_not_delay_the_others(
    garden: Garden, enqueued: Queue
) -> None:
    old = not_enqueued(garden)
    change(old, operation="OPERATION_OF_OLD")
    other = not_enqueued(garden)
    change(old, enqueued_at=None)
    assert dispatch() == 2
    run_job(old)
    assert job_of(old).status == "failed"
    assert claim(other) is not None
