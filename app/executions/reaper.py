"""Ends or hands back what is stuck: jobs of silent workers, jobs over their time, jobs nobody ever ran."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, and_, or_, select

from app.executions.model import ExecutionJob
from app.executions.retry_policy import another_attempt, backoff
from app.executions.runner import hand_back
from app.executions.states import Event, Status
from app.executions.transitions import held_by, move
from app.failures import Failure, failure
from app.infra.db import database_now, db
from app.infra.faults import Point, reach
from app.infra.settings import current_settings
from app.operations.registry import OPERATIONS

BATCH: Final = 100
QUEUE_TIMEOUT: Final = 24 * 3600.0


def reap() -> int:
    """Settle one batch of stuck jobs of each kind; return how many were settled."""
    lease_over = ExecutionJob.lease_until < database_now()
    over = _find(Status.RUNNING, and_(lease_over, _over_time()))
    silent = _find(Status.RUNNING, and_(lease_over, ~_over_time()))
    forgotten = _find(Status.QUEUED, ExecutionJob.available_at < database_now(-QUEUE_TIMEOUT))
    settled = 0
    for job_id, fence, _attempt in over:
        settled += _end(job_id, Status.RUNNING, failure("JOB_TIMEOUT"), held_by(fence))
    for job_id, fence, attempt in silent:
        settled += worker_lost(job_id, fence, attempt)
        reach(Point.REAPER_MID_BATCH)
    for job_id, fence, _attempt in forgotten:
        guards = (ExecutionJob.fence == fence,)
        settled += _end(job_id, Status.QUEUED, failure("QUEUE_TIMEOUT"), guards)
    return settled


def worker_lost(job_id: int, fence: int, attempt: int) -> bool:
    """Hand a lost worker's job back, or fail it when its attempts are used; return whether it was stuck."""
    lost = failure("WORKER_LOST")
    if not another_attempt(lost, attempt):
        return _end(job_id, Status.RUNNING, lost, held_by(fence))
    handed = hand_back(job_id, fence, lost, backoff(attempt))
    db.session.commit()
    return handed


def _over_time() -> ColumnElement[bool]:
    # No heartbeat renews a lease after the deadline: until it is over, the worker may settle by itself.
    settings = current_settings()
    slow = tuple(operation.name for operation in OPERATIONS if operation.long_running)
    job, sync = settings.job_deadline, settings.sync_deadline
    return or_(
        and_(ExecutionJob.operation.not_in(slow), ExecutionJob.started_at < database_now(-job)),
        and_(ExecutionJob.operation.in_(slow), ExecutionJob.started_at < database_now(-sync)),
    )


def _find(status: Status, condition: ColumnElement[bool]) -> Sequence[tuple[int, int, int]]:
    rows = db.session.execute(
        select(ExecutionJob.id, ExecutionJob.fence, ExecutionJob.attempt)
        .where(ExecutionJob.status == status, condition)
        .limit(BATCH)
    ).all()
    db.session.commit()
    return [(row.id, row.fence, row.attempt) for row in rows]


def _end(job_id: int, old: Status, found: Failure, guards: Sequence[ColumnElement[bool]]) -> bool:
    changed = move(
        job_id, [old], Status.FAILED, Event.JOB_FAILED, guards=guards, failure=found.to_dict(),
        lease_until=None, completed_at=database_now(),
        details=lambda row: {"attempt": row.attempt, "reason": found.code, "failure": found.to_dict()},
    )  # fmt: skip
    db.session.commit()
    return changed is not None
