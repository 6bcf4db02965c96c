"""Requeues or ends stuck jobs: of silent workers, over their deadline, or never run."""

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
    """Requeue or end one batch of stuck jobs of each kind; return how many."""
    lease_over = ExecutionJob.lease_until < database_now()
    timed_out = _find(Status.RUNNING, and_(lease_over, _over_deadline()))
    silent = _find(Status.RUNNING, and_(lease_over, ~_over_deadline()))
    never_run = _find(Status.QUEUED, ExecutionJob.available_at < database_now(-QUEUE_TIMEOUT))
    reaped = 0
    for job_id, fence, _attempt in timed_out:
        with _logging_errors(job_id):
            reaped += _end(job_id, Status.RUNNING, failure("JOB_TIMEOUT"), owned_by(fence))
    for job_id, fence, attempt in silent:
        with _logging_errors(job_id):
            reaped += worker_lost(job_id, fence, attempt)
        reach(Point.REAPER_MID_BATCH)
    for job_id, fence, _attempt in never_run:
        with _logging_errors(job_id):
            guards = (ExecutionJob.fence == fence,)
            reaped += _end(job_id, Status.QUEUED, failure("QUEUE_TIMEOUT"), guards)
    return reaped


def worker_lost(job_id: int, fence: int, attempt: int) -> bool:
    """Requeue the job of a lost worker, or fail it after its last attempt; return whether it was claimed."""
    claimed = attempt_failed(job_id, fence, attempt, failure("WORKER_LOST"))
    db.session.commit()
    return claimed


@contextmanager
def _logging_errors(job_id: int) -> Iterator[None]:
    """Log an error about one job, so that the others are still reaped."""
    try:
        yield
    except DATABASE_UNAVAILABLE as error:
        if not is_locked(error):
            raise
        _log.warning("job %s is stuck and locked, tried again at the next tick", job_id)
        db.session.rollback()
    except Exception:
        _log.exception("job %s is stuck and could not be reaped", job_id)
        db.session.rollback()


def _over_deadline() -> ColumnElement[bool]:
    # No heartbeat renews a lease after the deadline. Until the lease is over the worker may end the job
    # itself.
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
