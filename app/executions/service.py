"""Execution jobs: create, cancel, retry, wait. Every interface uses these functions."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from app.executions import dispatcher, limits, queries
from app.executions.idempotency import fingerprint, job_of_key
from app.executions.model import ExecutionJob, IdempotencyKey
from app.executions.states import ACTIVE, TERMINAL, Event, Status
from app.executions.subjects import post_of, subject_of
from app.executions.transitions import move, record
from app.failures import ServiceFailure, failure
from app.infra import queue
from app.infra.clock import wait_until
from app.infra.db import database_now, db, release
from app.infra.faults import Point, reach
from app.infra.logs import cause_of
from app.operations.base import Operation, no_op
from app.operations.registry import operation_named
from app.projects.model import Project

_NOW: Final = select(database_now())

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Submission:
    """A request for a job.

    ``key`` is the idempotency key; it is unique within the account and ``scope``. ``scheduled`` means that
    the service itself creates the job, so the operation's ``admit`` is not called. ``on_created`` is called
    with the id of a new job, inside the transaction that creates it.
    """

    project: Project
    operation: Operation
    payload: Mapping[str, Any]
    scope: str
    key: str | None = None
    requested_by: str = ""
    request_id: str | None = None
    retry_of: int | None = None
    scheduled: bool = False
    on_created: Callable[[int], None] = no_op

    @property
    def account_id(self) -> int:
        """Whose job it is: the project's owner."""
        return self.project.account_id

    def known_job(self, digest: str | None) -> ExecutionJob | None:
        """Return the job of an earlier request with this key, or None. Raises IDEMPOTENCY_KEY_CONFLICT."""
        return job_of_key(self.account_id, self.scope, self.key, digest)


@dataclass(frozen=True)
class Submitted:
    """The job of a submission.

    ``created``: the job is new. ``replayed``: an earlier request with the same key returned it. Neither, if
    the operation runs one job at a time and one was queued already.
    """

    job: ExecutionJob
    created: bool
    replayed: bool = False


def submit(submission: Submission) -> Submitted:
    """Create a job and enqueue it, or return the job that exists for this submission.

    The job is created even if enqueueing fails. Raises IDEMPOTENCY_KEY_CONFLICT, QUOTA_EXCEEDED,
    SERVICE_UNAVAILABLE, and what the operation's ``admit`` raises.
    """
    digest = fingerprint(submission.operation.name, submission.payload)
    for _ in range(5):
        try:
            submitted = _submit_once(submission, digest)
            job_id = submitted.job.id  # after the commit, this would query the row again
            reach(Point.AFTER_INSERT_BEFORE_COMMIT)
            db.session.commit()
        except IntegrityError:
            # A concurrent request created a job with this key, or a sync of this project: find that job.
            db.session.rollback()
            continue
        if submitted.created:
            reach(Point.AFTER_COMMIT_BEFORE_ENQUEUE)
            with _enqueueing(f"job {job_id}"):
                dispatcher.enqueue_next(job_id)
        return submitted
    raise ServiceFailure("SERVICE_UNAVAILABLE")


@contextmanager
def _enqueueing(what: str) -> Iterator[None]:
    """Log database errors instead of raising them, because the dispatcher enqueues the jobs later."""
    try:
        yield
    except SQLAlchemyError as error:
        _log.warning("%s created but not enqueued yet: %s", what, cause_of(error))
        db.session.rollback()


def _submit_once(submission: Submission, digest: str) -> Submitted:
    known = submission.known_job(digest)
    if known is not None:
        return Submitted(known, created=False, replayed=True)
    job = _queued_duplicate(submission)
    created = job is None
    if job is None:
        try:
            _admit(submission)
        except ServiceFailure:
            # A request with the same key may have used the rest of the quota since the first lookup.
            known = submission.known_job(digest)
            if known is None:
                raise
            return Submitted(known, created=False, replayed=True)
        job = _insert(submission)
        submission.on_created(job.id)
    if submission.key is not None:
        db.session.add(
            IdempotencyKey(
                account_id=submission.account_id,
                scope=submission.scope,
                key=submission.key,
                fingerprint=digest,
                job_id=job.id,
            )
        )
        db.session.flush()
    return Submitted(job, created=created)


def _admit(submission: Submission) -> None:
    limits.check_quota(submission.account_id, submission.operation)
    if not submission.scheduled:
        submission.operation.admit(submission.project, submission.payload)


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
    job = _new_job(submission, _now())
    db.session.add(job)
    db.session.flush()
    event = Event.JOB_CREATED if submission.retry_of is None else Event.JOB_RETRIED
    details: dict[str, Any] = {"requested_by": submission.requested_by}
    if submission.retry_of is not None:
        details["retry_of"] = submission.retry_of
    record([job.id], job.created_at, event, Status.QUEUED, details)
    return job


def _now() -> datetime:
    return db.session.scalars(_NOW).one()


def _new_job(submission: Submission, now: datetime) -> ExecutionJob:
    return ExecutionJob(
        account_id=submission.account_id,
        project_id=submission.project.id,
        operation=submission.operation.name,
        status=Status.QUEUED,
        payload=dict(submission.payload),
        subject=subject_of(submission.payload),
        post_id=post_of(submission.payload),
        idempotency_key=submission.key,
        requested_by=submission.requested_by,
        request_id=submission.request_id,
        retry_of=submission.retry_of,
        available_at=now,
        queued_at=now,
        created_at=now,
        updated_at=now,
    )


def submit_together(submissions: Sequence[Submission]) -> None:
    """Create jobs of one operation for many projects in one transaction, and enqueue them.

    These are jobs of the service itself: neither the quota nor ``admit`` is checked. A project with a queued
    job of this operation gets no second one. Raises IntegrityError, and creates no job, if a request creates
    one for such a project at the same time.
    """
    names = {each.operation.name for each in submissions}
    with_queued_job = select(ExecutionJob.project_id).where(
        ExecutionJob.project_id.in_(each.project.id for each in submissions),
        ExecutionJob.operation.in_(names),
        ExecutionJob.status == Status.QUEUED,
    )
    queued, now = set(db.session.scalars(with_queued_job)), _now()
    jobs = [_new_job(each, now) for each in submissions if each.project.id not in queued]
    db.session.add_all(jobs)
    db.session.flush()
    if jobs:
        details = {"requested_by": submissions[0].requested_by}
        record([job.id for job in jobs], now, Event.JOB_CREATED, Status.QUEUED, details)
    db.session.commit()
    if jobs:
        with _enqueueing(f"{len(jobs)} jobs"):
            dispatcher.dispatch()


def cancel(job: ExecutionJob) -> ExecutionJob:
    """Cancel a queued or running job; do nothing if it is canceled already.

    Raises JOB_ALREADY_TERMINAL if it has succeeded or failed.
    """
    job_id = job.id
    canceled = move(
        job_id,
        ACTIVE,
        Status.CANCELED,
        Event.JOB_CANCELED,
        canceled_at=database_now(),
        lease_until=None,
        failure=failure("CANCELED").to_dict(),
    )
    db.session.commit()
    if canceled is not None:
        queue.stop(job_id, canceled.attempt)
    job = queries.reload(job_id)
    if job.status != Status.CANCELED:
        raise ServiceFailure("JOB_ALREADY_TERMINAL", details={"status": job.status})
    return job


def retry(job: ExecutionJob, key: str, *, requested_by: str = "", request_id: str | None = None) -> Submitted:
    """Create a new job with the input of a failed or canceled one, or return the earlier one of this key.

    Raises RETRY_NOT_ALLOWED for any other status, and for a pruned job, whose input is deleted; otherwise as
    ``submit``.
    """
    submission = Submission(
        project=db.session.get_one(Project, job.project_id),
        operation=operation_named(job.operation),
        payload=job.payload,
        scope=f"retry:{job.id}",
        key=key,
        requested_by=requested_by,
        request_id=request_id,
        retry_of=job.id,
    )
    known = submission.known_job(None if job.pruned_at else fingerprint(job.operation, job.payload))
    if known is not None:
        return Submitted(known, created=False, replayed=True)
    if job.status not in (Status.FAILED, Status.CANCELED):
        limits.check_quota(submission.account_id, submission.operation)
        raise ServiceFailure("RETRY_NOT_ALLOWED", details={"status": job.status})
    if job.pruned_at is not None:
        message = "The input of this job has been deleted."
        raise ServiceFailure("RETRY_NOT_ALLOWED", message, details={"status": job.status})
    return submit(submission)


def wait(job_id: int, seconds: float) -> ExecutionJob:
    """Return a job when it has ended, or after ``seconds``. No database connection is kept while waiting."""

    def has_ended() -> bool:
        if queries.reload(job_id).status in TERMINAL:
            return True
        release()
        return False

    wait_until(time.monotonic() + seconds, has_ended)
    return queries.reload(job_id)
