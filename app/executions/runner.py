"""Runs one attempt of a claimed job.

    perform the operation, with a heartbeat | write its effect and the job's end in one transaction

A worker that lost its claim changes nothing: the fence guards every write.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from rq.timeouts import BaseTimeoutException

from app.executions import limits
from app.executions.claims import Claim
from app.executions.failing import attempt_failed
from app.executions.heartbeat import Heartbeat
from app.executions.job_run import JobRun
from app.executions.states import Event, Status
from app.executions.subjects import post_of, subject_of
from app.executions.transitions import move, owned_by
from app.failures import Failure, ServiceFailure, failure
from app.infra.db import db, extend_lock_timeout, release
from app.infra.db_engine import DATABASE_UNAVAILABLE
from app.infra.faults import Point, reach
from app.infra.logs import cause_of, on_behalf_of
from app.infra.settings import current_settings
from app.operations.base import JobResult, OperationFailed, Stopped, no_op
from app.operations.registry import operation_named

_log = logging.getLogger(__name__)


def execute(claim: Claim, abandon: Callable[[], None] = no_op) -> None:
    """Perform a claimed job's operation and write how it ended.

    ``abandon`` ends the process if the work does not stop after the claim is lost or the time is up.
    """
    settings = current_settings()
    run = JobRun(claim, limits.deadline(claim.operation), settings.lease_seconds)
    with on_behalf_of(claim.request_id):
        _log.info("job %s: %s, attempt %s", claim.job_id, claim.operation, claim.attempt)
        with Heartbeat(run, settings.heartbeat_seconds, abandon):
            try:
                _perform(run)()
            finally:
                release()  # the heartbeat may wait for a lock of an interrupted transaction
    reach(Point.AFTER_COMMIT_BEFORE_ACKNOWLEDGEMENT)


def warm_up() -> None:
    """Prepare the statement that ends a job; the worker's children inherit it."""
    try:
        _mark_succeeded(JobRun(Claim(0, 0, "", {}, 0, 0, ""), 0, 0), JobResult(), {})
        db.session.rollback()
    finally:
        release()


def _perform(run: JobRun) -> Callable[[], None]:
    """Perform the operation outside any transaction; return what writes the job's end."""
    claim = run.claim
    try:
        result = operation_named(claim.operation).perform(run)
        run.check_cancelled()
    except Stopped:
        _log.info("job %s: stopped, the claim is lost", claim.job_id)
        return no_op
    except OperationFailed as error:
        found, effect, transient = error.failure, error.effect, error.transient
        return lambda: _fail(claim, found, effect, transient)
    except Exception as error:
        unexpected = _failure_of(claim, error)
        return lambda: _fail(claim, unexpected)
    finally:
        release()
    return lambda: _succeed(run, result)


def _succeed(run: JobRun, result: JobResult) -> None:
    claim = run.claim
    reach(Point.AFTER_ANSWER_BEFORE_EFFECT)
    try:
        extend_lock_timeout()
        added = result.effect() or {}
        db.session.flush()
    except Exception as error:
        db.session.rollback()
        _fail(claim, _failure_of(claim, error))
        return
    claimed = _mark_succeeded(run, result, added)
    reach(Point.AFTER_EFFECT_BEFORE_COMMIT)
    _commit_if(claimed, claim)
    if claimed:
        result.afterwards()


def _failure_of(claim: Claim, error: Exception) -> Failure:
    if isinstance(error, ServiceFailure):
        return error.failure
    if isinstance(error, BaseTimeoutException):
        return failure("JOB_TIMEOUT")
    if isinstance(error, DATABASE_UNAVAILABLE):
        _log.warning("job %s: the database is unavailable: %s", claim.job_id, cause_of(error))
        return failure("SERVICE_UNAVAILABLE")
    _log.error("job %s failed unexpectedly", claim.job_id, exc_info=error)
    return failure("EXECUTION_FAILED", details={"error": type(error).__name__})


def _mark_succeeded(run: JobRun, result: JobResult, added: Mapping[str, Any]) -> bool:
    data = {**result.data, **added}
    changed = move(
        run.job_id,
        [Status.RUNNING],
        Status.SUCCEEDED,
        Event.JOB_SUCCEEDED,
        guards=owned_by(run.claim.fence),
        details={"attempt": run.attempt},
        result=data,
        subject=subject_of(run.payload, data),
        post_id=post_of(run.payload, data),
        failure=None,
        progress=run.finished_progress(),
        artefacts=result.artefacts,
        lease_until=None,
    )
    return changed is not None


def _fail(claim: Claim, found: Failure, effect: Callable[[], Any] = no_op, transient: bool = False) -> None:
    try:
        effect()
        db.session.flush()
    except Exception:
        _log.exception("job %s: the effect of its failure could not be written", claim.job_id)
        db.session.rollback()
    _commit_if(attempt_failed(claim.job_id, claim.fence, claim.attempt, found, transient), claim)


def _commit_if(claimed: bool, claim: Claim) -> None:
    if claimed:
        db.session.commit()
        return
    _log.info("job %s: the claim was lost before the result was recorded, nothing was changed", claim.job_id)
    db.session.rollback()
