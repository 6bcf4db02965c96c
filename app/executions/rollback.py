"""Rolling back: deletes the draft that a job generated, unless it is, or may be, published.

One DELETE decides; whatever happens to the post at the same time happens before or after it.
"""

from __future__ import annotations

from sqlalchemy import delete

from app.content.model import BlogPost
from app.content.posts.service import post_of_job
from app.executions.model import ExecutionJob
from app.executions.queries import reload
from app.executions.rollback_state import MAY_GO, SUPPORTED, obstacles
from app.executions.states import Event, Status
from app.executions.transitions import note
from app.failures import Failure, ServiceFailure, failure
from app.infra.db import database_now, db
from app.infra.faults import Point, reach
from app.projects.service import ask_for_coverage


def roll_back(job: ExecutionJob) -> ExecutionJob:
    """Delete the job's draft; doing it again is a success and changes nothing.

    Raises ROLLBACK_NOT_SUPPORTED, ROLLBACK_NOT_ALLOWED, ROLLBACK_PUBLISH_IN_PROGRESS, and
    ROLLBACK_REQUIRES_MANUAL_UNPUBLISH when the post is published or may be.
    """
    if job.operation not in SUPPORTED:
        raise ServiceFailure("ROLLBACK_NOT_SUPPORTED", details={"operation": job.operation})
    if job.status != Status.SUCCEEDED:
        raise ServiceFailure("ROLLBACK_NOT_ALLOWED", details={"status": job.status})
    if job.rollback_state == "completed":
        return job
    deleted = _delete_draft(job.id)
    if deleted is None:
        _refuse_if_there(job)
    reach(Point.ROLLBACK_AFTER_DELETE_BEFORE_COMMIT)
    _complete(job, deleted)
    return reload(job.id)


def _delete_draft(job_id: int) -> int | None:
    return db.session.scalar(
        delete(BlogPost)
        .where(BlogPost.job_id == job_id, MAY_GO)
        .returning(BlogPost.id)
        .execution_options(synchronize_session=False)
    )


def _complete(job: ExecutionJob, deleted: int | None) -> None:
    # A draft that a person deleted before leaves nothing to delete: the job's effect is gone either way.
    post_id = deleted if deleted is not None else (job.result or {}).get("blog_post_id")
    noted = note(
        job.id, Event.JOB_ROLLBACK_COMPLETED, details={"blog_post_id": post_id},
        guards=[ExecutionJob.rollback_state.is_distinct_from("completed")], rollback_state="completed",
        rollback_executed_at=database_now(), reverted_blog_post_id=post_id, rollback_failure=None,
    )  # fmt: skip
    if noted:
        ask_for_coverage(job.project_id)
        db.session.commit()
    else:
        db.session.rollback()


def _refuse_if_there(job: ExecutionJob) -> None:
    found, post = obstacles([job]).get(job.id), post_of_job(job.id)
    if post is None:
        return
    if found is None:
        # Its publishing ended without success since the draft was looked for.
        found = failure("ROLLBACK_PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
    if found.kind.retryable:
        db.session.rollback()
    else:
        _note_blocked(job, found)
    raise ServiceFailure(found.code, found.message, hints=found.hints, details=found.details)


def _note_blocked(job: ExecutionJob, refused: Failure) -> None:
    note(
        job.id, Event.JOB_ROLLBACK_BLOCKED, details={"reason": refused.code},
        guards=[ExecutionJob.rollback_state.is_distinct_from("blocked")], rollback_state="blocked",
        rollback_failure=refused.to_dict(),
    )  # fmt: skip
    db.session.commit()
