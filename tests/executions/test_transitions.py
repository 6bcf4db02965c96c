"""The one place where a job's status changes: what it writes, and what it refuses, on both databases."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from app.executions.model import ExecutionJob
from app.executions.states import TRANSITIONS, Event, Status
from app.executions.transitions import move, note, owned_by, record
from app.infra.clock import utc_now
from app.infra.db import db
from tests.executions.conftest import Garden, ago, change, events, history, job_of

QUEUED, RUNNING, FAILED = Status.QUEUED, Status.RUNNING, Status.FAILED


@pytest.mark.parametrize(
    ("old", "new"), [(old, new) for old in Status for new in Status if new not in TRANSITIONS[old]]
)
def test_a_transition_that_is_not_in_the_table_is_a_mistake(garden: Garden, old: Status, new: Status) -> None:
    job_id = garden.queued()
    change(job_id, status=old)
    with pytest.raises(ValueError, match=f"no transition from .*{old}.* to {new}"):
        move(job_id, [RUNNING, old], new, Event.JOB_STARTED)
    assert (job_of(job_id).status, events(job_id)) == (old, ["JOB_CREATED"])


@pytest.mark.parametrize(
    ("new", "started", "seconds"), [(FAILED, 10, 10), (FAILED, None, 0), (RUNNING, 10, 0)]
)
def test_a_job_that_ends_gets_its_time_and_its_duration(
    garden: Garden, new: Status, started: int | None, seconds: int
) -> None:
    job_id = garden.queued()
    change(job_id, started_at=ago(started) if started else None)
    row = move(job_id, [QUEUED], new, Event.JOB_FAILED)
    db.session.commit()
    job = job_of(job_id)
    assert row is not None
    assert (job.status, job.updated_at) == (new, row.updated_at)
    assert (job.completed_at is not None) == (new == FAILED)
    assert job.seconds == pytest.approx(seconds, abs=3)


@pytest.mark.parametrize(
    ("given", "kept"),
    [(None, None), ({"attempt": 1}, {"attempt": 1}), (lambda row: {"attempt": row.attempt}, {"attempt": 2})],
)
def test_a_move_writes_one_entry_at_its_own_time(garden: Garden, given: Any, kept: Any) -> None:
    job_id, returning = garden.queued(), [ExecutionJob.operation]
    change(job_id, updated_at=ago(60))
    row = move(
        job_id, [QUEUED], RUNNING, Event.JOB_STARTED, details=given, returning=returning, attempt=2, fence=3
    )
    db.session.commit()
    assert row is not None
    assert (row.operation, row.attempt, row.fence) == ("GENERATE_BLOG_POST", 2, 3)
    first, line = history(job_id)
    assert (line.event, line.status, line.details) == ("JOB_STARTED", "running", kept)
    assert line.at == row.updated_at >= first.at


def test_a_move_from_another_state_or_against_a_guard_changes_nothing(garden: Garden) -> None:
    job_id, other = garden.queued(), garden.queued()
    before = job_of(job_id).updated_at
    assert move(job_id, [RUNNING], FAILED, Event.JOB_FAILED) is None
    assert move(job_id, [QUEUED], FAILED, Event.JOB_FAILED, guards=[ExecutionJob.attempt == 9]) is None
    assert not note(job_id, Event.JOB_PROGRESS, guards=owned_by(0), details=None)
    assert move(other, [QUEUED, RUNNING], FAILED, Event.JOB_FAILED, guards=[ExecutionJob.attempt == 0])
    db.session.commit()
    job = job_of(job_id)
    assert (job.status, job.updated_at, events(job_id)) == ("queued", before, ["JOB_CREATED"])
    assert job_of(other).status == "failed"


def test_a_history_does_not_go_back_with_the_clock(garden: Garden) -> None:
    job_id, ahead = garden.queued(), utc_now() + timedelta(hours=1)
    db.session.execute(update(ExecutionJob).where(ExecutionJob.id == job_id).values(updated_at=ahead))
    move(job_id, [QUEUED], RUNNING, Event.JOB_STARTED, fence=7)
    db.session.commit()
    assert note(job_id, Event.JOB_PROGRESS, guards=owned_by(7), details={"done": 1}, progress={"done": 1})
    db.session.commit()
    assert [row.at for row in history(job_id)[1:]] == [ahead, ahead] == [job_of(job_id).updated_at] * 2
    line = history(job_id)[-1]
    assert (line.event, line.status, line.details) == ("JOB_PROGRESS", "running", {"done": 1})
    assert job_of(job_id).progress == {"done": 1}


def test_a_write_belongs_to_the_worker_with_the_fence_of_a_running_job(garden: Garden) -> None:
    taken, another = garden.claimed(), garden.claimed()
    assert taken.fence == another.fence
    for fence, status, owned in (
        (taken.fence, RUNNING, True), (taken.fence + 1, RUNNING, False), (taken.fence, QUEUED, False),
    ):  # fmt: skip
        change(taken.job_id, status=status, updated_at=ago(60))
        assert note(taken.job_id, Event.JOB_PROGRESS, guards=owned_by(fence), details=None) is owned
        db.session.commit()
        lines = history(taken.job_id)
        assert lines[-1].at >= lines[0].at
    assert events(another.job_id) == ["JOB_CREATED", "JOB_STARTED"]


def test_one_entry_is_added_to_each_of_some_histories(garden: Garden) -> None:
    ids, at = [garden.queued() for _ in range(3)], utc_now()
    record(ids[:2], at, Event.JOB_CANCELED, Status.CANCELED, {"reason": "x"})
    db.session.commit()
    assert [len(history(job_id)) for job_id in ids] == [2, 2, 1]
    for job_id in ids[:2]:
        line = history(job_id)[-1]
        assert (line.at, line.event, line.status, line.details) == (
            at, "JOB_CANCELED", "canceled", {"reason": "x"},
        )  # fmt: skip
