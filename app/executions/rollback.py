"""Rolling back: deletes the draft that a job generated, unless it is, or may be, published.

One DELETE decides; whatever happens to the post at the same time happens before or after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Row, delete, select

from app.content.model import BlogPost
from app.content.service import post_of_job
from app.executions.model import ExecutionJob
from app.executions.queries import reload
from app.executions.states import Event, Status
from app.executions.transitions import note
from app.failures import ServiceFailure, failure
from app.infra.clock import rfc3339
from app.infra.db import database_now, db
from app.infra.faults import Point, reach
from app.operations.registry import OPERATIONS
from app.projects.service import ask_for_coverage
from app.publishing.model import MAYBE_LIVE, Publication, PublishTarget
from app.publishing.publications import LANDED

_SUPPORTED: Final = frozenset(operation.name for operation in OPERATIONS if operation.supports_rollback)

_UNSURE: Final = "The generated post may have been published, so it cannot be rolled back automatically."


def roll_back(job: ExecutionJob) -> ExecutionJob:
    """Delete the job's draft; doing it again is a success and changes nothing.

    Raises ROLLBACK_NOT_SUPPORTED, ROLLBACK_NOT_ALLOWED, ROLLBACK_PUBLISH_IN_PROGRESS, and
    ROLLBACK_REQUIRES_MANUAL_UNPUBLISH when the post is published or may be.
    """
    if job.operation not in _SUPPORTED:
        raise ServiceFailure("ROLLBACK_NOT_SUPPORTED", details={"operation": job.operation})
    if job.status != Status.SUCCEEDED:
        raise ServiceFailure("ROLLBACK_NOT_ALLOWED", details={"status": job.status})
    if job.rollback_state == "completed":
        return job
    deleted = _delete_draft(job.id)
    if deleted is None and post_of_job(job.id) is not None:
        _refuse(job)
    reach(Point.ROLLBACK_AFTER_DELETE_BEFORE_COMMIT)
    _complete(job, deleted)
    return reload(job.id)


def rollback_view(job: ExecutionJob) -> dict[str, Any]:
    """Return the ``rollback`` member of the job resource."""
    supported = job.operation in _SUPPORTED
    state = job.rollback_state or (
        "available" if supported and job.status == Status.SUCCEEDED else "unavailable"
    )
    return {
        "supported": supported,
        "state": state,
        "hook": f"/public-api/executions/{job.id}/rollback" if supported else None,
        "summary": _summary(job, state) if supported else "This operation cannot be rolled back.",
        "executed_at": rfc3339(job.rollback_executed_at),
        "reverted_blog_post_id": job.reverted_blog_post_id,
    }


_SUMMARIES = {
    "unavailable": "Rollback becomes available when the job has succeeded.",
    "available": "Rollback deletes the draft post that this job generated.",
    "completed": "The draft post was deleted.",
}


def _summary(job: ExecutionJob, state: str) -> str:
    return _SUMMARIES.get(state) or str((job.rollback_failure or {}).get("message", ""))


def _delete_draft(job_id: int) -> int | None:
    maybe_live = (
        select(Publication.id)
        .where(Publication.blog_post_id == BlogPost.id, Publication.state.in_(MAYBE_LIVE))
        .exists()
    )
    return db.session.scalar(
        delete(BlogPost)
        .where(BlogPost.job_id == job_id, BlogPost.status == "draft", ~maybe_live)
        .returning(BlogPost.id)
        .execution_options(synchronize_session=False)
    )


def _what_to_do(place: Row[str, str | None, str]) -> str:
    if place.state not in LANDED:
        return (
            f"Look at {place.name} and say in the dashboard, on the post's page, whether the post is there."
        )
    where = f" ({place.url})" if place.url else ""
    return f"Unpublish the post at {place.name}{where} and confirm it in the dashboard, on the post's page."


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


def _refuse(job: ExecutionJob) -> None:
    post = post_of_job(job.id)
    if post is None:
        return
    post_id, places = post.id, _places(post.id)
    if post.status == "publishing" or (post.status == "draft" and not places):
        # The second: its publishing ended without success since the draft was looked for.
        db.session.rollback()
        raise ServiceFailure("ROLLBACK_PUBLISH_IN_PROGRESS", details={"blog_post_id": post_id})
    refused = _where_it_is(post_id, places)
    note(
        job.id, Event.JOB_ROLLBACK_BLOCKED, details={"reason": refused.failure.code},
        guards=[ExecutionJob.rollback_state.is_distinct_from("blocked")], rollback_state="blocked",
        rollback_failure=refused.failure.to_dict(),
    )  # fmt: skip
    db.session.commit()
    raise refused


def _places(post_id: int) -> Sequence[Row[str, str | None, str]]:
    return db.session.execute(
        select(PublishTarget.name, Publication.url, Publication.state)
        .join(Publication, Publication.target_id == PublishTarget.id)
        .where(Publication.blog_post_id == post_id, Publication.state.in_(MAYBE_LIVE))
    ).all()


def _where_it_is(post_id: int, places: Sequence[Row[str, str | None, str]]) -> ServiceFailure:
    kind = failure("ROLLBACK_REQUIRES_MANUAL_UNPUBLISH").kind
    landed = any(place.state in LANDED for place in places)
    return ServiceFailure(
        kind.code,
        None if landed else _UNSURE,
        hints=[*map(_what_to_do, places), "Then roll back again."],
        details={
            "blog_post_id": post_id,
            "publications": [{"target": p.name, "url": p.url, "state": p.state} for p in places],
        },
    )
