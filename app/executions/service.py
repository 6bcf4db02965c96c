"""Execution jobs: create, cancel, retry, wait. Every rule of these lives here, for every face."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from app.accounts.model import Account
from app.executions import dispatcher, limits, queries
from app.executions.idempotency import fingerprint
from app.executions.model import ExecutionJob, IdempotencyKey
from app.executions.states import ACTIVE, TERMINAL, Event, Status
from app.executions.transitions import move, record
from app.failures import ServiceFailure, failure
from app.infra import queue
from app.infra.db import database_now, db, release
from app.infra.faults import Point, reach
from app.infra.logs import cause_of
from app.operations.base import Operation
from app.operations.registry import operation_named
from app.projects.model import Project

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Submission:
    """What a caller asks for: who, where, what, and the key that makes it one.

    ``scheduled``: the service itself asks, which needs no admission.
    """

    account: Account
    project: Project
    operation: Operation
    payload: Mapping[str, Any]
    scope: str
    key: str | None = None
    requested_by: str = ""
    request_id: str | None = None
    retry_of: int | None = None
    scheduled: bool = False


@dataclass(frozen=True)
class Submitted:
    """The job of a submission; ``created`` is False when it existed, ``replayed`` when its key said so."""

    job: ExecutionJob
    created: bool
    replayed: bool = False


def submit(submission: Submission) -> Submitted:
    """Make the job of a submission, or return the one that its key made before, and ring the queue.

    Raises IDEMPOTENCY_KEY_CONFLICT, QUOTA_EXCEEDED, and what the operation's ``admit`` refuses.
    """
    mark = fingerprint(submission.operation.name, submission.payload)
    for _ in range(5):
        try:
            submitted = _submit_once(submission, mark)
            reach(Point.AFTER_INSERT_BEFORE_COMMIT)
            db.session.commit()
        except IntegrityError:
            # Another request with this key, or another sync of the project, came first: look again.
            db.session.rollback()
            continue
        if submitted.created:
            reach(Point.AFTER_COMMIT_BEFORE_ENQUEUE)
            _ring(submitted.job.id)
        return submitted
    raise ServiceFailure("SERVICE_UNAVAILABLE")


def _ring(job_id: int) -> None:
    """Ring what is next in line; where that fails the job is made all the same, and the dispatcher rings."""
    try:
        dispatcher.enqueue_next(job_id)
    except SQLAlchemyError as error:
        _log.warning("job %s is made and not rung yet: %s", job_id, cause_of(error))
        db.session.rollback()  # the job is still to be shown


def _submit_once(submission: Submission, mark: str) -> Submitted:
    known = _known_job(submission, mark)
    if known is not None:
        return Submitted(known, created=False, replayed=True)
    job = _queued_duplicate(submission)
    created = job is None
    if job is None:
        try:
            _admit(submission)
        except ServiceFailure:
            # An equal request may have used up the quota since the key was looked for.
            known = _known_job(submission, mark)
            if known is None:
                raise
            return Submitted(known, created=False, replayed=True)
        job = _insert(submission)
    if submission.key is not None:
        db.session.add(
            IdempotencyKey(
                account_id=submission.account.id, scope=submission.scope, key=submission.key,
                fingerprint=mark, job_id=job.id,
            )
        )  # fmt: skip
        db.session.flush()
    return Submitted(job, created=created)


def _admit(submission: Submission) -> None:
    limits.check_quota(submission.account, submission.operation)
    if not submission.scheduled:
        submission.operation.admit(submission.project, submission.payload)


def _known_job(submission: Submission, mark: str | None) -> ExecutionJob | None:
    if submission.key is None:
        return None
    row = db.session.scalar(
        select(IdempotencyKey).where(
            IdempotencyKey.account_id == submission.account.id,
            IdempotencyKey.scope == submission.scope,
            IdempotencyKey.key == submission.key,
        )
    )
    if row is None:
        return None
    if mark is not None and row.fingerprint != mark:
        raise ServiceFailure("IDEMPOTENCY_KEY_CONFLICT", details={"job_id": row.job_id})
    return db.session.get_one(ExecutionJob, row.job_id)


def _queued_duplicate(submission: Submission) -> ExecutionJob | None:
    if not submission.operation.one_at_a_time:
        return None
    return db.session.scalar(
        select(ExecutionJob).where(
            ExecutionJob.project_id == submission.project.id,
            ExecutionJob.operation == submission.operation.name,
            ExecutionJob.status == Status.QUEUED,
        )
    )


def _insert(submission: Submission) -> ExecutionJob:
    now = db.session.scalar(select(database_now()))
    if now is None:
        raise RuntimeError("the database told no time")
    job = ExecutionJob(
        account_id=submission.account.id, project_id=submission.project.id,
        operation=submission.operation.name, status=Status.QUEUED, payload=dict(submission.payload),
        idempotency_key=submission.key, requested_by=submission.requested_by,
        request_id=submission.request_id, retry_of=submission.retry_of, available_at=now, queued_at=now,
        created_at=now, updated_at=now,
    )  # fmt: skip
    db.session.add(job)
    db.session.flush()
    event = Event.JOB_CREATED if submission.retry_of is None else Event.JOB_RETRIED
    details: dict[str, Any] = {"requested_by": submission.requested_by}
    if submission.retry_of is not None:
        details["retry_of"] = submission.retry_of
    record(job.id, now, event, Status.QUEUED, details)
    return job


def cancel(job: ExecutionJob) -> ExecutionJob:
    """Cancel a queued or running job; canceling twice is one cancel. Raises JOB_ALREADY_TERMINAL."""
    job_id = job.id
    moved = move(
        job_id, ACTIVE, Status.CANCELED, Event.JOB_CANCELED, canceled_at=database_now(),
        completed_at=database_now(), lease_until=None, failure=failure("CANCELED").to_dict(),
    )  # fmt: skip
    db.session.commit()
    if moved is not None:
        queue.stop(job_id, moved.attempt)
    job = queries.reload(job_id)
    if job.status != Status.CANCELED:
        raise ServiceFailure("JOB_ALREADY_TERMINAL", details={"status": job.status})
    return job


def retry(
    job: ExecutionJob, account: Account, key: str, *, requested_by: str = "", request_id: str | None = None
) -> Submitted:
    """Make a new job with a failed or canceled job's input. Raises RETRY_NOT_ALLOWED for any other.

    A pruned job's input is gone: it answers the keys it was retried with before, and no other.
    """
    submission = Submission(
        account=account, project=db.session.get_one(Project, job.project_id),
        operation=operation_named(job.operation), payload=job.payload, scope=f"retry:{job.id}", key=key,
        requested_by=requested_by, request_id=request_id, retry_of=job.id,
    )  # fmt: skip
    known = _known_job(submission, None if job.pruned_at else fingerprint(job.operation, job.payload))
    if known is not None:
        return Submitted(known, created=False, replayed=True)
    if job.status not in (Status.FAILED, Status.CANCELED):
        limits.check_quota(account, submission.operation)
        raise ServiceFailure("RETRY_NOT_ALLOWED", details={"status": job.status})
    if job.pruned_at is not None:
        message = "The input of this job is no longer kept."
        raise ServiceFailure("RETRY_NOT_ALLOWED", message, details={"status": job.status})
    return submit(submission)


def wait(job_id: int, seconds: float) -> ExecutionJob:
    """Wait until a job has ended, at most ``seconds``, holding no connection meanwhile; return the job."""
    deadline = time.monotonic() + seconds
    pause = 0.05
    while True:
        job = queries.reload(job_id)
        if job.status in TERMINAL or time.monotonic() >= deadline:
            return job
        release()
        time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
        pause = min(0.5, pause * 1.5)
