"""The runs of autopilots: started when they are due, published when they are written.

    due | claim, with the run and its generation job in one transaction: writing | publishing | done, failed

Each step is one conditional UPDATE in the transaction that creates the job, so any number of processes may
take it, late or again.
"""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import exists, select, update
from sqlalchemy.orm import aliased

from app.accounts.model import Account
from app.autopilot.model import OPEN_STATES, Autopilot, AutopilotRun
from app.autopilot.service import slot_after
from app.autopilot.subjects import Subject, next_subject
from app.executions.model import ExecutionJob
from app.executions.service import Submission, submit
from app.executions.states import TERMINAL, Status
from app.failures import Failure, ServiceFailure, failure
from app.infra.clock import utc_now
from app.infra.db import changed_rows, database_now, db, insert_new
from app.infra.db_engine import DATABASE_UNAVAILABLE
from app.operations import generate_blog_post, publish_blog_post
from app.operations.base import Operation
from app.projects.model import Project

BATCH: Final = 100
GRACE: Final = timedelta(hours=6)
"""A run that is later than this is missed, so that nothing is published at an odd hour after an outage."""

MOST_FAILURES: Final = 3
"""After so many failed runs in a row an autopilot pauses itself."""

NOTHING_LEFT: Final = (
    "No keyword without a post and no unused title idea is left. Add keywords or find title ideas, then "
    "let it go on writing."
)
REQUESTED_BY: Final = "the autopilot"

_log = logging.getLogger(__name__)


class _NotDue(Exception):
    """Raised inside the transaction that creates a job, to create none."""


def start_due_runs() -> int:
    """Start a run of each autopilot that is due; return how many were started."""
    due = db.session.scalars(
        select(Autopilot.project_id)
        .where(Autopilot.next_run_at <= database_now())
        .order_by(Autopilot.next_run_at)
        .limit(BATCH)
    ).all()
    db.session.commit()
    return sum(_guarded(_start, project_id) for project_id in due)


def continue_runs() -> int:
    """Publish what autopilots have written, and end runs whose jobs have ended; return how many changed."""
    publishing = aliased(ExecutionJob)
    rows = db.session.scalars(
        select(AutopilotRun.id)
        .outerjoin(ExecutionJob, ExecutionJob.id == AutopilotRun.job_id)
        .outerjoin(publishing, publishing.id == AutopilotRun.publish_job_id)
        .where(
            ((AutopilotRun.state == "writing") & ExecutionJob.status.in_(TERMINAL))
            | ((AutopilotRun.state == "publishing") & publishing.status.in_(TERMINAL)),
            AutopilotRun.state.in_(OPEN_STATES),
        )
        .order_by(AutopilotRun.id)
        .limit(BATCH)
    ).all()
    db.session.commit()
    return sum(_guarded(_continue, run_id) for run_id in rows)


def _guarded(step: Any, row_id: int) -> bool:
    """Take a step of one row; an error of this one must not keep the others waiting."""
    try:
        return bool(step(row_id))
    except DATABASE_UNAVAILABLE:
        raise
    except _NotDue:
        db.session.rollback()
    except Exception:
        _log.exception("%s %s", step.__name__, row_id)
        db.session.rollback()
    return False


def _start(project_id: int) -> bool:
    autopilot = db.session.get_one(Autopilot, project_id, populate_existing=True)
    due_at = autopilot.next_run_at
    now = db.session.scalars(select(database_now())).one().astimezone(UTC)
    if due_at is None or due_at > now:
        return False
    project = db.session.get_one(Project, project_id)
    upcoming = slot_after(autopilot, now)
    if _has_run(project_id, due_at):  # the clock was set back since
        _set(project_id, next_run_at=upcoming)
        db.session.commit()
        return False
    run = {"mode": autopilot.mode, "target_id": autopilot.target_id}
    if now - due_at > GRACE:
        _claim(project_id, due_at, upcoming, {**run, "state": "missed"})
        db.session.commit()
        return False
    subject = next_subject(project)
    if subject is None:
        _set_if_due(project_id, due_at, paused_reason=NOTHING_LEFT, next_run_at=None)
        db.session.commit()
        return False
    return _submit_generation(project, subject, due_at, upcoming, {**run, "subject": subject.name})


def _has_run(project_id: int, due_at: datetime) -> bool:
    there = exists().where(AutopilotRun.project_id == project_id, AutopilotRun.due_at == due_at)
    return bool(db.session.scalar(select(there)))


def _submit_generation(
    project: Project, subject: Subject, due_at: datetime, upcoming: datetime, run: Mapping[str, Any]
) -> bool:
    project_id = project.id

    def claim(job_id: int) -> None:
        _claim(project_id, due_at, upcoming, {**run, "state": "writing", "job_id": job_id})

    try:
        submit(_submission(project, generate_blog_post.OPERATION, subject.payload, claim))
    except ServiceFailure as refused:
        db.session.rollback()
        found = refused.failure.to_dict()
        _claim(project_id, due_at, upcoming, {**run, "state": "failed", "failure": found})
        _count_failure(project_id, refused.failure)
        db.session.commit()
        return False
    return True


def _claim(project_id: int, due_at: datetime, upcoming: datetime, run: Mapping[str, Any]) -> None:
    """Move an autopilot to its next run and store this one. Commits nothing; raises _NotDue."""
    claimed = _set_if_due(project_id, due_at, next_run_at=upcoming)
    now = utc_now()
    values = {"project_id": project_id, "due_at": due_at, "created_at": now, "updated_at": now, **run}
    if not claimed or insert_new(AutopilotRun, **values) is None:
        raise _NotDue


def _continue(run_id: int) -> bool:
    run = db.session.get_one(AutopilotRun, run_id, populate_existing=True)
    job = db.session.get(ExecutionJob, run.job_id if run.state == "writing" else run.publish_job_id)
    if job is None or job.status not in TERMINAL:
        return False
    if job.status != Status.SUCCEEDED:
        found = job.failure or failure("CANCELED").to_dict()
        counts = job.status == Status.FAILED  # a person has canceled it otherwise
        return _end(run, "failed", found, counts=counts)
    stopped = not db.session.get_one(Autopilot, run.project_id, populate_existing=True).enabled
    if run.state == "publishing" or run.mode == "write" or stopped:
        return _end(run, "done")
    return _publish(run, job)


def _publish(run: AutopilotRun, job: ExecutionJob) -> bool:
    run_id, project = run.id, db.session.get_one(Project, run.project_id)
    payload = {
        "blog_post_id": (job.result or {}).get("blog_post_id"),
        "target": run.target_id,
        "visibility": run.mode,
    }

    def claim(publish_job_id: int) -> None:
        if not _change(run_id, "writing", state="publishing", publish_job_id=publish_job_id):
            raise _NotDue

    try:
        submit(_submission(project, publish_blog_post.OPERATION, payload, claim))
    except ServiceFailure as refused:
        db.session.rollback()
        if refused.failure.code == "BLOG_POST_NOT_FOUND":  # it was rolled back meanwhile
            return _end(run, "done")
        return _end(run, "failed", refused.failure.to_dict())
    return True


def _submission(project: Project, operation: Operation, payload: Mapping[str, Any], claim: Any) -> Submission:
    account = db.session.get_one(Account, project.account_id)
    if not account.active:
        raise ServiceFailure("ACCOUNT_INACTIVE")
    return Submission(
        project=project,
        operation=operation,
        payload=payload,
        scope=f"autopilot:{project.id}",
        requested_by=REQUESTED_BY,
        on_created=claim,
    )


def _end(
    run: AutopilotRun, state: str, found: Mapping[str, Any] | None = None, *, counts: bool = True
) -> bool:
    project_id = run.project_id
    if not _change(run.id, run.state, state=state, failure=found):
        db.session.rollback()
        return False
    if found is None:
        _set(project_id, failures=0)
    elif counts:
        _count_failure(project_id, failure(found["code"], found["message"]))
    db.session.commit()
    return True


def _count_failure(project_id: int, found: Failure) -> None:
    failures = db.session.scalar(
        update(Autopilot)
        .where(Autopilot.project_id == project_id)
        .values(failures=Autopilot.failures + 1)
        .returning(Autopilot.failures)
        .execution_options(synchronize_session=False)
    )
    if failures is not None and failures >= MOST_FAILURES:
        reason = f"{failures} posts in a row could not be made. The last one: {found.message}"
        _set(project_id, paused_reason=reason, next_run_at=None)


def _set_if_due(project_id: int, due_at: datetime, **values: Any) -> bool:
    is_due = (Autopilot.project_id == project_id, Autopilot.next_run_at == due_at)
    return changed_rows(update(Autopilot).where(*is_due).values(**values)) == 1


def _set(project_id: int, **values: Any) -> None:
    changed_rows(update(Autopilot).where(Autopilot.project_id == project_id).values(**values))


def _change(run_id: int, former: str, **values: Any) -> bool:
    own = (AutopilotRun.id == run_id, AutopilotRun.state == former)
    values = {"updated_at": utc_now(), **values}
    return changed_rows(update(AutopilotRun).where(*own).values(**values)) == 1
