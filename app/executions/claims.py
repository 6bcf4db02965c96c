"""Claims a job for a worker: one conditional UPDATE from queued to running, with a new fence and a lease."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import IntegrityError

from app.executions import dispatcher, limits
from app.executions.model import ExecutionJob
from app.executions.states import Event, Status
from app.executions.transitions import move
from app.infra.db import database_now, db, release
from app.infra.db_engine import DATABASE_UNAVAILABLE
from app.infra.faults import Point, reach
from app.infra.settings import current_settings
from app.operations.base import Payload

_PAUSE: Final = 0.5

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Claim:
    """A job that this process runs, and the fence that proves it."""

    job_id: int
    project_id: int
    operation: str
    payload: Payload
    attempt: int
    fence: int
    requested_by: str
    request_id: str | None = None


def claim_with_retry(job_id: int, should_stop: Callable[[], bool] = lambda: False) -> Claim | None:
    """Claim a job, retrying for a few seconds while the database is unavailable.

    Without the retries a short outage would use up the queue entries of all queued jobs, and each job would
    wait until the dispatcher enqueues it again. Returns None when the job cannot be claimed now or
    ``should_stop`` returns True. Raises one of DATABASE_UNAVAILABLE when the database stays unavailable.
    """
    deadline = time.monotonic() + dispatcher.ENQUEUE_AGAIN_AFTER
    while True:
        try:
            claim = None if should_stop() else claim_job(job_id)
            if claim is None:
                # The queue entry is used up: the dispatcher enqueues the job again once it can be claimed.
                dispatcher.forget_enqueued(job_id)
                return None
            reach(Point.AFTER_CLAIM)
            return claim
        except DATABASE_UNAVAILABLE:
            if should_stop() or time.monotonic() > deadline:
                raise
            _log.warning("job %s waits for the database", job_id)
            time.sleep(_PAUSE)
        finally:
            release()


def claim_job(job_id: int) -> Claim | None:
    """Move a queued job to running for this process; return None when it cannot be claimed now."""
    try:
        limits.lock_account_of(job_id)
        row = move(
            job_id,
            [Status.QUEUED],
            Status.RUNNING,
            Event.JOB_STARTED,
            guards=[
                ExecutionJob.available_at <= database_now(),
                limits.below_running_limit(),
                limits.no_running_duplicate(),
            ],
            details=lambda row: {"attempt": row.attempt},
            returning=[
                ExecutionJob.project_id,
                ExecutionJob.operation,
                ExecutionJob.payload,
                ExecutionJob.requested_by,
                ExecutionJob.request_id,
            ],
            attempt=ExecutionJob.attempt + 1,
            fence=ExecutionJob.fence + 1,
            started_at=database_now(),
            lease_until=database_now(current_settings().lease_seconds),
        )
        db.session.commit()
    except IntegrityError:
        # Two syncs, or two fetches, of one project were claimed at the same moment; the unique index refused
        # this one.
        db.session.rollback()
        return None
    finally:
        release()
    if row is None:
        return None
    return Claim(
        job_id=job_id,
        project_id=row.project_id,
        operation=row.operation,
        payload=row.payload,
        attempt=row.attempt,
        fence=row.fence,
        requested_by=row.requested_by,
        request_id=row.request_id,
    )
