"""What follows a failed attempt: another attempt, or the end of the job. Nothing is committed here."""

import logging
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import ColumnElement
from sqlalchemy.exc import IntegrityError

from app.executions.model import ExecutionJob
from app.executions.states import Event, Status
from app.executions.transitions import move, owned_by
from app.failures import Failure
from app.infra.db import database_now, db
from app.infra.db_engine import DATABASE_UNAVAILABLE
from app.operations.registry import operation_named

MAX_ATTEMPTS: Final = 3

TRANSIENT: Final = frozenset({"EXECUTION_FAILED", "SERVICE_UNAVAILABLE", "WORKER_LOST"})
"""Failures that may be over a moment later. Others need a person, or would happen again.

Calls of a text provider are not among them: they are retried within the attempt, and another attempt would
pay for all of them again.
"""

_log = logging.getLogger(__name__)


def another_attempt(found: Failure, attempt: int, transient: bool = False) -> bool:
    """Whether a job is tried again after attempt number ``attempt`` (from 1) failed with ``found``."""
    return attempt < MAX_ATTEMPTS and (transient or found.code in TRANSIENT)


def backoff(attempt: int, rng: random.Random | None = None) -> float:
    """Return the seconds to wait after attempt number ``attempt``: 2, 8, … with half of it as jitter."""
    longest = 2.0 * 4.0 ** (attempt - 1)
    return longest * (rng or random.Random()).uniform(0.5, 1.0)  # noqa: S311


def attempt_failed(job_id: int, fence: int, attempt: int, found: Failure, transient: bool = False) -> bool:
    """Requeue a running job if another attempt may help, else end it; return whether it was still claimed."""
    if not another_attempt(found, attempt, transient):
        return end_failed(job_id, Status.RUNNING, found, owned_by(fence))
    return requeue(job_id, fence, found, backoff(attempt))


def requeue(job_id: int, fence: int, found: Failure, seconds: float) -> bool:
    """Move a running job back to queued for ``seconds`` from now; return whether it was still claimed.

    A job of which there is one at a time ends instead when another of its project is queued: that one does
    the same.
    """
    try:
        with db.session.begin_nested():
            changed = move(
                job_id,
                [Status.RUNNING],
                Status.QUEUED,
                Event.JOB_REQUEUED,
                guards=owned_by(fence),
                details=lambda row: _details(row.attempt, found),
                failure=found.to_dict(),
                lease_until=None,
                available_at=database_now(seconds),
                enqueued_at=None,
            )
    except IntegrityError:
        superseded = replace(
            found, message="The attempt failed. A job that is queued already takes its place."
        )
        return end_failed(job_id, Status.RUNNING, superseded, owned_by(fence))
    return changed is not None


def end_failed(job_id: int, old: Status, found: Failure, guards: Iterable[ColumnElement[bool]]) -> bool:
    """End a job as failed and call its operation's ``on_failed``; return whether every guard was met."""
    changed = move(
        job_id,
        [old],
        Status.FAILED,
        Event.JOB_FAILED,
        guards=guards,
        failure=found.to_dict(),
        details=lambda row: _details(row.attempt, found),
        lease_until=None,
        returning=[ExecutionJob.project_id, ExecutionJob.operation],
    )
    if changed is None:
        return False
    _log_provider(job_id, found)
    try:
        with db.session.begin_nested():
            operation_named(changed.operation).on_failed(changed.project_id, job_id, found)
    except DATABASE_UNAVAILABLE:
        raise
    except Exception:
        _log.exception("job %s: the effect of its failure could not be written", job_id)
    return True


def _log_provider(job_id: int, found: Failure) -> None:
    """Log a failure of the text provider for the operator: nothing that it or a customer wrote."""
    details = found.details or {}
    if "provider" not in details:
        return
    status = details.get("http_status")
    how = f"HTTP {status}" if status else details.get("reason", "no reason")
    model = details.get("model", "none")
    _log.warning("job %s: %s, %s, model %s of %s", job_id, found.code, how, model, details["provider"])


def _details(attempt: int, found: Failure) -> Mapping[str, Any]:
    return {"attempt": attempt, "reason": found.code, "failure": found.to_dict()}
