"""Runs one attempt of a job.

    claim (queued → running, fence + 1, lease) | perform, with a heartbeat | settle (effect and status in one)

A worker that lost its claim changes nothing: every write is guarded by the fence.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from rq.timeouts import BaseTimeoutException
from sqlalchemy.exc import IntegrityError

from app.executions import dispatcher, limits, queries
from app.executions.failing import attempt_failed
from app.executions.model import ExecutionJob
from app.executions.states import Event, Status
from app.executions.transitions import move, owned_by
from app.executions.work import Claim, Heartbeat, Work
from app.failures import Failure, ServiceFailure, failure
from app.infra.db import database_now, db, extend_lock_timeout, release
from app.infra.db_engine import DATABASE_UNAVAILABLE
from app.infra.faults import Point, reach
from app.infra.logs import cause_of, on_behalf_of
from app.infra.settings import current_settings
from app.operations.base import JobResult, OperationFailed, Stopped, no_effect
from app.operations.registry import operation_named

_PAUSE: Final = 0.5

_log = logging.getLogger(__name__)


def run(job_id: int) -> None:
    """Claim a job, perform its operation and settle it; a job that cannot be claimed is left alone."""
    claim = claim_with_retry(job_id)
    if claim is None:
        return
    dispatcher.enqueue_next(job_id)
    carry_out(claim)
    dispatcher.enqueue_next(job_id)


def carry_out(claim: Claim, abandon: Callable[[], None] = no_effect) -> None:
    """Perform a claimed job's operation and settle it, with a heartbeat meanwhile.

    ``abandon`` ends a process whose claim is gone, or time over, and whose work does not stop by itself.
    """
    settings = current_settings()
    work = Work(claim, limits.deadline(claim.operation), settings.lease_seconds)
    with on_behalf_of(claim.request_id):
        _log.info("job %s: %s, attempt %s", claim.job_id, claim.operation, claim.attempt)
        with Heartbeat(work, settings.heartbeat_seconds, abandon):
            try:
                _perform(work)()
            finally:
                release()  # a heartbeat may wait for what an interrupted settle holds
    reach(Point.AFTER_COMMIT_BEFORE_ACKNOWLEDGEMENT)


def warm_up() -> None:
    """Settle a job that does not exist: each child of this process then inherits the prepared statement."""
    try:
        _mark_succeeded(Work(Claim(0, 0, "", {}, 0, 0, ""), 0, 0), JobResult(), {})
        db.session.rollback()
    finally:
        release()


def claim_with_retry(job_id: int, stop_requested: Callable[[], bool] = lambda: False) -> Claim | None:
    """Take a job, waiting for a database that is away; None when it is not to be had, or told to stop.

    Giving up at once would use up the rings of all queued jobs within moments, and each would wait for its
    next one long after the database is back. Raises one of DATABASE_UNAVAILABLE when it stays away.
    """
    ring_counts_until = time.monotonic() + dispatcher.ENQUEUE_AGAIN_AFTER
    while True:
        try:
            claim = None if stop_requested() else take(job_id)
            if claim is None:
                # Its ring is used up: the dispatcher rings again as soon as the job may be claimed.
                queries.forget_enqueued(job_id)
                return None
            reach(Point.AFTER_CLAIM)
            return claim
        except DATABASE_UNAVAILABLE:
            if stop_requested() or time.monotonic() > ring_counts_until:
                raise
            _log.warning("job %s waits for the database", job_id)
            time.sleep(_PAUSE)
        finally:
            release()


def take(job_id: int) -> Claim | None:
    """Move a queued job to running for this process; None when it is not to be had now."""
    settings = current_settings()
    try:
        limits.lock_account_of(job_id)
        changed = move(
            job_id, [Status.QUEUED], Status.RUNNING, Event.JOB_STARTED,
            guards=[
                ExecutionJob.available_at <= database_now(),
                limits.below_running_limit(),
                limits.no_running_duplicate(),
            ],
            details=lambda row: {"attempt": row.attempt},
            returning=[
                ExecutionJob.project_id, ExecutionJob.operation, ExecutionJob.payload,
                ExecutionJob.requested_by, ExecutionJob.request_id,
            ],
            attempt=ExecutionJob.attempt + 1, fence=ExecutionJob.fence + 1, started_at=database_now(),
            lease_until=database_now(settings.lease_seconds),
        )  # fmt: skip
        db.session.commit()
    except IntegrityError:
        # Two syncs of one project were claimed at the same moment; the index let one pass.
        db.session.rollback()
        return None
    finally:
        release()
    if changed is None:
        return None
    return Claim(
        job_id, changed.project_id, changed.operation, changed.payload, changed.attempt, changed.fence,
        changed.requested_by, changed.request_id,
    )  # fmt: skip


def _perform(work: Work) -> Callable[[], None]:
    claim = work.claim
    try:
        outcome = operation_named(claim.operation).perform(work)
        work.check()
    except Stopped:
        _log.info("job %s: stopped, the claim is gone", claim.job_id)
        return no_effect
    except OperationFailed as error:
        found, effect, transient = error.failure, error.effect, error.transient
        return lambda: _fail(claim, found, effect, transient)
    except Exception as error:
        unexpected = _failure_of(claim, error)
        return lambda: _fail(claim, unexpected)
    finally:
        release()
    return lambda: _succeed(work, outcome)


def _succeed(work: Work, outcome: JobResult) -> None:
    claim = work.claim
    reach(Point.AFTER_ANSWER_BEFORE_EFFECT)
    try:
        extend_lock_timeout()
        added = outcome.effect() or {}
        db.session.flush()
    except Exception as error:
        db.session.rollback()
        _fail(claim, _failure_of(claim, error))
        return
    ours = _mark_succeeded(work, outcome, added)
    reach(Point.AFTER_EFFECT_BEFORE_COMMIT)
    _commit_if(ours, claim)


def _failure_of(claim: Claim, error: Exception) -> Failure:
    if isinstance(error, ServiceFailure):
        return error.failure
    if isinstance(error, BaseTimeoutException):
        return failure("JOB_TIMEOUT")
    if isinstance(error, DATABASE_UNAVAILABLE):
        _log.warning("job %s: the database is away: %s", claim.job_id, cause_of(error))
        return failure("SERVICE_UNAVAILABLE")
    _log.error("job %s failed unexpectedly", claim.job_id, exc_info=error)
    return failure("EXECUTION_FAILED", details={"error": type(error).__name__})


def _mark_succeeded(work: Work, outcome: JobResult, added: Mapping[str, Any]) -> bool:
    changed = move(
        work.job_id, [Status.RUNNING], Status.SUCCEEDED, Event.JOB_SUCCEEDED,
        guards=owned_by(work.claim.fence), details={"attempt": work.attempt},
        result={**outcome.result, **added}, failure=None, progress=work.finished_progress(),
        artefacts=outcome.artefacts, lease_until=None, completed_at=database_now(),
    )  # fmt: skip
    return changed is not None


def _fail(
    claim: Claim, found: Failure, effect: Callable[[], Any] = no_effect, transient: bool = False
) -> None:
    try:
        effect()
        db.session.flush()
    except Exception:
        _log.exception("job %s: what goes with its failure could not be written", claim.job_id)
        db.session.rollback()
    _commit_if(attempt_failed(claim.job_id, claim.fence, claim.attempt, found, transient), claim)


def _commit_if(still_ours: bool, claim: Claim) -> None:
    if still_ours:
        db.session.commit()
        return
    _log.info("job %s: the claim was lost before it settled, nothing is written", claim.job_id)
    db.session.rollback()
