"""Rolling back: deletes the draft that a job generated, unless it is published or may be.

The state of a rollback is read from the post and its publications whenever a job is shown. One DELETE
decides: a publication that begins at the same time begins before or after it.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Row, and_, bindparam, delete, not_, select

from app.content.model import BlogPost, PostRemoval, RemovedPost
from app.content.posts.service import post_of_job
from app.executions.model import ExecutionJob
from app.executions.queries import reload
from app.executions.states import ACTIVE, Event, Status
from app.executions.transitions import note
from app.failures import Failure, ServiceFailure, failure
from app.infra.clock import rfc3339
from app.infra.db import changed_rows, database_now, db
from app.infra.faults import Point, reach
from app.operations.registry import OPERATIONS
from app.projects.service import schedule_coverage
from app.publishing.abandoned import abandon, drafts_of
from app.publishing.model import LIVE_STATES, MAYBE_LIVE, AbandonedDraft, Publication, PublishTarget
from app.publishing.removal import DELETABLE

SUPPORTED: Final = frozenset(operation.name for operation in OPERATIONS if operation.supports_rollback)

_MAYBE_PUBLISHED: Final = (
    "The generated post may have been published, so it cannot be rolled back automatically."
)

_Place = Row[int | None, int, str, str, str | None, str]


def roll_back(job: ExecutionJob) -> ExecutionJob:
    """Delete the job's draft and return the job. Repeating it is a success that changes nothing.

    Raises ROLLBACK_NOT_SUPPORTED, ROLLBACK_NOT_ALLOWED, ROLLBACK_PUBLISH_IN_PROGRESS, and
    ROLLBACK_REQUIRES_MANUAL_UNPUBLISH when the post is published or may be.
    """
    refuse_unless_possible(job)
    if job.rollback_state == "completed":
        return job
    drafts = _drafts_at_targets(job.id)
    _forget_removed_draft(job)
    deleted = db.session.scalar(
        delete(BlogPost)
        .where(BlogPost.job_id == job.id, DELETABLE)
        .returning(BlogPost.id)
        .execution_options(synchronize_session=False)
    )
    if deleted is None:
        _refuse_if_post_exists(job)
    abandon(drafts)
    reach(Point.ROLLBACK_AFTER_DELETE_BEFORE_COMMIT)
    _complete(job, deleted)
    return reload(job.id)


def refuse_unless_possible(job: ExecutionJob) -> None:
    """Raise ROLLBACK_NOT_SUPPORTED or ROLLBACK_NOT_ALLOWED for a job that left no draft."""
    if job.operation not in SUPPORTED:
        raise ServiceFailure("ROLLBACK_NOT_SUPPORTED", details={"operation": job.operation})
    if job.status != Status.SUCCEEDED:
        raise ServiceFailure("ROLLBACK_NOT_ALLOWED", details={"status": job.status})


def _forget_removed_draft(job: ExecutionJob) -> None:
    """Let nobody bring back a draft that a person removed. Before the draft is deleted: an undo may be on."""
    removals = select(PostRemoval.id).where(PostRemoval.project_id == job.project_id)
    its = RemovedPost.removal_id.in_(removals), RemovedPost.blog_post_id == job.post_id
    changed_rows(delete(RemovedPost).where(*its))


_PLACES: Final = (
    select(
        BlogPost.job_id,
        BlogPost.id.label("post_id"),
        BlogPost.status,
        PublishTarget.name,
        Publication.url,
        Publication.state,
    )
    .outerjoin(Publication, and_(Publication.blog_post_id == BlogPost.id, Publication.state.in_(MAYBE_LIVE)))
    .outerjoin(PublishTarget, PublishTarget.id == Publication.target_id)
    .where(BlogPost.job_id.in_(bindparam("job_ids", expanding=True)), not_(DELETABLE))
    .order_by(BlogPost.job_id, Publication.id)
)
"""The posts of jobs that cannot be deleted, and where they are published."""


def obstacles(jobs: Iterable[ExecutionJob]) -> dict[int, Failure]:
    """Return the failures with which a rollback of these jobs would be refused now, by job id.

    Jobs that can be rolled back, or that never support it, are left out. One query reads all of them.
    """
    ids = [job.id for job in jobs if _state(job, None) == "available"]
    if not ids:
        return {}
    rows = db.session.execute(_PLACES, {"job_ids": ids})
    return {job_id: _obstacle(list(places)) for job_id, places in groupby(rows, lambda row: row.job_id)}


def rollback_view(job: ExecutionJob, obstacle: Failure | None) -> dict[str, Any]:
    """Return the ``rollback`` member of a job; ``obstacle`` is the job's entry in ``obstacles``."""
    supported, state = job.operation in SUPPORTED, _state(job, obstacle)
    return {
        "supported": supported,
        "state": state,
        "hook": f"/public-api/executions/{job.id}/rollback" if supported else None,
        "summary": _summary(job, state, obstacle),
        "executed_at": rfc3339(job.rollback_executed_at),
        "reverted_blog_post_id": job.reverted_blog_post_id,
    }


def _drafts_at_targets(job_id: int) -> list[AbandonedDraft]:
    post_id = db.session.scalar(select(BlogPost.id).where(BlogPost.job_id == job_id).with_for_update())
    return [] if post_id is None else drafts_of(post_id)


def _complete(job: ExecutionJob, deleted: int | None) -> None:
    # When a person deleted the draft before, there is nothing left to delete.
    post_id = deleted if deleted is not None else (job.result or {}).get("blog_post_id")
    noted = note(
        job.id,
        Event.JOB_ROLLBACK_COMPLETED,
        details={"blog_post_id": post_id},
        guards=[ExecutionJob.rollback_state.is_distinct_from("completed")],
        rollback_state="completed",
        rollback_executed_at=database_now(),
        reverted_blog_post_id=post_id,
        rollback_failure=None,
    )
    if noted:
        schedule_coverage(job.project_id)
        db.session.commit()
    else:
        db.session.rollback()


def _refuse_if_post_exists(job: ExecutionJob) -> None:
    found, post = obstacles([job]).get(job.id), post_of_job(job.id)
    if post is None:
        return
    if found is None:
        # Its publishing ended without success since the DELETE.
        found = failure("ROLLBACK_PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
    if found.kind.retryable:
        db.session.rollback()
    else:
        note(
            job.id,
            Event.JOB_ROLLBACK_BLOCKED,
            details={"reason": found.code},
            guards=[ExecutionJob.rollback_state.is_distinct_from("blocked")],
            rollback_state="blocked",
            rollback_failure=found.to_dict(),
        )
        db.session.commit()
    raise ServiceFailure(found.code, found.message, hints=found.hints, details=found.details)


def _state(job: ExecutionJob, obstacle: Failure | None) -> str:
    if job.operation not in SUPPORTED or job.status != Status.SUCCEEDED:
        return "unavailable"
    if job.rollback_state == "completed":
        return "completed"
    return "blocked" if obstacle else "available"


def _summary(job: ExecutionJob, state: str, obstacle: Failure | None) -> str:
    if obstacle:
        return obstacle.message
    if job.operation not in SUPPORTED:
        return "This operation cannot be rolled back."
    if job.status in ACTIVE:
        return "Rollback becomes available when the job has succeeded."
    if state == "unavailable":
        return "The job did not succeed, so there is no post to roll back."
    if state == "completed":
        return "The draft post was deleted."
    return "Rollback deletes the draft post that this job generated."


def _obstacle(rows: Sequence[_Place]) -> Failure:
    post_id, places = rows[0].post_id, [row for row in rows if row.state]
    if rows[0].status == "publishing":
        return failure("ROLLBACK_PUBLISH_IN_PROGRESS", details={"blog_post_id": post_id})
    return failure(
        "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH",
        None if any(place.state in LIVE_STATES for place in places) else _MAYBE_PUBLISHED,
        hints=[*map(_hint, places), "Then roll back again."],
        details={
            "blog_post_id": post_id,
            "publications": [{"target": p.name, "url": p.url, "state": p.state} for p in places],
        },
    )


def _hint(place: _Place) -> str:
    if place.state not in LIVE_STATES:
        return f"Check {place.name}, then confirm on the post's page in the dashboard whether it is there."
    where = f" ({place.url})" if place.url else ""
    return f"Unpublish the post at {place.name}{where}: on the post's page in the dashboard, or by the API."
