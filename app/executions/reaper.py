"""Ends or hands back what is stuck: jobs of silent workers, jobs over their time, jobs nobody ever ran."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from sqlalchemy import ColumnElement, and_, or_, select

from app.executions.failing import attempt_failed, end_failed
from app.executions.model import ExecutionJob
from app.executions.states import Status
from app.executions.transitions import owned_by
from app.failures import Failure, failure
from app.infra.db import database_now, db
from app.infra.db_engine import DATABASE_UNAVAILABLE, is_locked
from app.infra.faults import Point, reach
from app.infra.settings import current_settings
from app.operations.registry import OPERATIONS

BATCH: Final = 100
QUEUE_TIMEOUT: Final = 24 * 3600.0

_log = logging.getLogger(__name__)


def reap() -> int:
    """Settle one batch of stuck jobs of each kind; return how many were settled."""
    lease_over = ExecutionJob.lease_until < database_now()
    over = _find(Status.RUNNING, and_(lease_over, _over_time()))
    silent = _find(Status.RUNNING, and_(lease_over, ~_over_time()))
    forgotten = _find(Status.QUEUED, ExecutionJob.available_at < database_now(-QUEUE_TIMEOUT))
    settled = 0
    for job_id, fence, _attempt in over:
        with _alone(job_id):
            settled += _end(job_id, Status.RUNNING, failure("JOB_TIMEOUT"), owned_by(fence))
    for job_id, fence, attempt in silent:
        with _alone(job_id):
            settled += worker_lost(job_id, fence, attempt)
        reach(Point.REAPER_MID_BATCH)
    for job_id, fence, _attempt in forgotten:
        with _alone(job_id):
            guards = (ExecutionJob.fence == fence,)
            settled += _end(job_id, Status.QUEUED, failure("QUEUE_TIMEOUT"), guards)
    return settled


def worker_lost(job_id: int, fence: int, attempt: int) -> bool:
    """Hand a lost worker's job back, or fail it when its attempts are used; return whether it was stuck."""
    stuck = attempt_failed(job_id, fence, attempt, failure("WORKER_LOST"))
    db.session.commit()
    return stuck


@contextmanager
def _alone(job_id: int) -> Iterator[None]:
    """Let a job that cannot be settled, for whatever reason, keep none of the others waiting."""
    try:
        yield
    except DATABASE_UNAVAILABLE as error:
        if not is_locked(error):
            raise
        _log.warning("job %s is stuck and locked, tried again at the next turn", job_id)
        db.session.rollback()
    except Exception:
        _log.exception("job %s is stuck and could not be settled", job_id)
        db.session.rollback()


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
    ended = end_failed(job_id, old, found, guards)
    db.session.commit()
    return ended
