"""What becomes of a job whose attempt failed: another attempt, or the end. Nothing is committed here."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.exc import IntegrityError

from app.executions.model import ExecutionJob
from app.executions.retry_policy import another_attempt, backoff
from app.executions.states import Event, Status
from app.executions.transitions import move, owned_by
from app.failures import Failure
from app.infra.db import database_now, db
from app.infra.db_engine import DATABASE_UNAVAILABLE
from app.operations.registry import operation_named

_log = logging.getLogger(__name__)


def attempt_failed(job_id: int, fence: int, attempt: int, found: Failure, transient: bool = False) -> bool:
    """Hand a running job back when another attempt may help, else end it; whether it was still claimed."""
    if not another_attempt(found, attempt, transient):
        return end_failed(job_id, Status.RUNNING, found, owned_by(fence))
    return requeue(job_id, fence, found, backoff(attempt))


def requeue(job_id: int, fence: int, found: Failure, seconds: float) -> bool:
    """Move a running job back to the queue for ``seconds`` from now; return whether it was still claimed.

    A sync ends instead when another of its project is queued: that one reads the sitemap all the same.
    """
    try:
        with db.session.begin_nested():
            changed = move(
                job_id, [Status.RUNNING], Status.QUEUED, Event.JOB_REQUEUED, guards=owned_by(fence),
                details=lambda row: _told(row.attempt, found), failure=found.to_dict(), lease_until=None,
                available_at=database_now(seconds), enqueued_at=None,
            )  # fmt: skip
    except IntegrityError:
        superseded = replace(
            found, message="The attempt failed. A sync that is queued already takes its place."
        )
        return end_failed(job_id, Status.RUNNING, superseded, owned_by(fence))
    return changed is not None


def end_failed(job_id: int, old: Status, found: Failure, guards: Iterable[ColumnElement[bool]]) -> bool:
    """End a job as failed if every guard holds, and let its operation write what goes with it."""
    changed = move(
        job_id, [old], Status.FAILED, Event.JOB_FAILED, guards=guards, failure=found.to_dict(),
        details=lambda row: _told(row.attempt, found), lease_until=None, completed_at=database_now(),
        returning=[ExecutionJob.project_id, ExecutionJob.operation],
    )  # fmt: skip
    if changed is None:
        return False
    try:
        with db.session.begin_nested():
            operation_named(changed.operation).on_failed(changed.project_id, job_id, found)
    except DATABASE_UNAVAILABLE:
        raise
    except Exception:
        _log.exception("job %s: what goes with its failure could not be written", job_id)
    return True


def _told(attempt: int, found: Failure) -> Mapping[str, Any]:
    return {"attempt": attempt, "reason": found.code, "failure": found.to_dict()}
