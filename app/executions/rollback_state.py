"""Whether a job can be rolled back: one rule, which rollbacks are judged by and jobs tell of themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, and_, not_, select

from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.executions.states import ACTIVE, Status
from app.failures import Failure, failure
from app.infra.clock import rfc3339
from app.infra.db import db
from app.operations.registry import OPERATIONS
from app.publishing.model import MAYBE_LIVE, Publication, PublishTarget
from app.publishing.publications import LANDED

SUPPORTED: Final = frozenset(operation.name for operation in OPERATIONS if operation.supports_rollback)

MAY_GO: Final[ColumnElement[bool]] = and_(
    BlogPost.status == "draft",
    ~select(Publication.id)
    .where(Publication.blog_post_id == BlogPost.id, Publication.state.in_(MAYBE_LIVE))
    .correlate(BlogPost)
    .exists(),
)
"""The posts that a rollback may delete: drafts that are at no target, and surely not on their way to one."""

_UNSURE: Final = "The generated post may have been published, so it cannot be rolled back automatically."
_WAITS: Final = "Rollback becomes available when the job has succeeded."
_NOTHING: Final = "The job did not succeed, so there is no post to roll back."

_Place = Row[int | None, int, str, str, str | None, str]


def obstacles(jobs: Iterable[ExecutionJob]) -> dict[int, Failure]:
    """Return what a rollback of these jobs would be refused for now, by job; all are read in one query.

    A job whose post may be deleted, or is gone, is left out, and so is one that has no rollback at all.
    """
    ids = [job.id for job in jobs if _state(job, None) == "available"]
    if not ids:
        return {}
    rows = db.session.execute(
        select(
            BlogPost.job_id, BlogPost.id.label("post_id"), BlogPost.status,
            PublishTarget.name, Publication.url, Publication.state,
        )
        .outerjoin(
            Publication, and_(Publication.blog_post_id == BlogPost.id, Publication.state.in_(MAYBE_LIVE))
        )
        .outerjoin(PublishTarget, PublishTarget.id == Publication.target_id)
        .where(BlogPost.job_id.in_(ids), not_(MAY_GO))
        .order_by(BlogPost.job_id, Publication.id)
    )  # fmt: skip
    found = {job_id: list(places) for job_id, places in groupby(rows, lambda row: row.job_id)}
    return {job_id: _obstacle(found[job_id]) for job_id in ids if job_id in found}


def rollback_view(job: ExecutionJob, obstacle: Failure | None) -> dict[str, Any]:
    """Return the ``rollback`` member of the job resource; ``obstacle`` is the job's own of ``obstacles``."""
    supported, state = job.operation in SUPPORTED, _state(job, obstacle)
    return {
        "supported": supported,
        "state": state,
        "hook": f"/public-api/executions/{job.id}/rollback" if supported else None,
        "summary": _summary(job, state, obstacle),
        "executed_at": rfc3339(job.rollback_executed_at),
        "reverted_blog_post_id": job.reverted_blog_post_id,
    }


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
    if state == "unavailable":
        return _WAITS if job.status in ACTIVE else _NOTHING
    if state == "completed":
        return "The draft post was deleted."
    return "Rollback deletes the draft post that this job generated."


def _obstacle(rows: Sequence[_Place]) -> Failure:
    post_id, places = rows[0].post_id, [row for row in rows if row.state]
    if rows[0].status == "publishing":
        return failure("ROLLBACK_PUBLISH_IN_PROGRESS", details={"blog_post_id": post_id})
    return failure(
        "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH",
        None if any(place.state in LANDED for place in places) else _UNSURE,
        hints=[*map(_what_to_do, places), "Then roll back again."],
        details={
            "blog_post_id": post_id,
            "publications": [{"target": p.name, "url": p.url, "state": p.state} for p in places],
        },
    )


def _what_to_do(place: _Place) -> str:
    if place.state not in LANDED:
        return (
            f"Look at {place.name} and say in the dashboard, on the post's page, whether the post is there."
        )
    where = f" ({place.url})" if place.url else ""
    return f"Unpublish the post at {place.name}{where} and confirm it in the dashboard, on the post's page."
