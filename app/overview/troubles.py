"""The statements that find what needs a hand in a project.

They are made once, because making one takes longer than running it; their parameters are in ``values_for``.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Boolean, Integer, Select, and_, bindparam, case, exists, func, literal, or_, select
from sqlalchemy.orm import aliased

from app.autopilot.model import Autopilot
from app.content.model import CHANGED_SINCE, TROUBLED, BlogPost, BlogPostProposal
from app.executions.model import FAILED, ExecutionJob
from app.infra.clock import utc_now
from app.pages.model import SitemapSync
from app.pages.sync.quarantine import quarantine_of
from app.projects.model import Project
from app.publishing.model import LIVE_STATES, Publication, PublishTarget, ScheduledPublication
from app.publishing.model import TROUBLED as TROUBLED_PUBLICATION
from app.publishing.scheduled import IS_OPEN
from app.search_performance.google import connection
from app.search_performance.model import SearchConnection

RECENT: Final = timedelta(days=7)
"""How long a failed job is listed that nobody tried again."""

LATE: Final = timedelta(days=3)
"""How long search results may be older than usual before that is listed."""

Rows = Select[*tuple[Any, ...]]

PROJECT_ID: Final = bindparam("project_id", type_=Integer)
POST_ID: Final = bindparam("post_id", type_=Integer)
_RECENT: Final = bindparam("recent", type_=ExecutionJob.completed_at.type)
_LATE: Final = bindparam("late", type_=SearchConnection.fetched_at.type)
_READS_GOOGLE: Final = bindparam("reads_google", type_=Boolean)

_PUBLISHING: Final = ("PUBLISH_BLOG_POST", "UNPUBLISH_BLOG_POST")
_WRITING: Final = (
    "GENERATE_BLOG_POST",
    "PLAN_BLOG_POST",
    "REFRESH_BLOG_POST",
    "REWRITE_BLOG_POST",
    "SUGGEST_TITLES",
)


def values_for(project: Project) -> dict[str, object]:
    now = utc_now()
    return {
        PROJECT_ID.key: project.id,
        _RECENT.key: now - RECENT,
        _LATE.key: now - LATE,
        _READS_GOOGLE.key: connection.is_offered(),
    }


def _publications() -> Rows:
    """Publications that failed, whose outcome is unknown, or that readers do not see."""
    later = aliased(Publication)
    is_last = ~exists().where(
        later.blog_post_id == Publication.blog_post_id,
        later.target_id == Publication.target_id,
        later.id > Publication.id,
    )
    kind = case(
        (Publication.state == "unknown", "unknown"),
        (Publication.state == "failed", "not_published"),
        (Publication.failure.is_not(None), "not_updated"),
        else_="unreachable",
    )
    seen = or_(Publication.failure.is_not(None), Publication.state != "draft")
    return (
        select(
            kind.label("kind"),
            Publication.updated_at.label("at"),
            BlogPost.title,
            BlogPost.id.label("post_id"),
            Publication.target_id,
            Publication.job_id,
            Publication.failure,
            Publication.public_remark.label("remark"),
        )
        .join(PublishTarget, PublishTarget.id == Publication.target_id)
        .join(BlogPost, BlogPost.id == Publication.blog_post_id)
        .where(PublishTarget.project_id == PROJECT_ID, PublishTarget.removed_at.is_(None))
        .where(TROUBLED_PUBLICATION, is_last, seen)
        .where(Publication.state.in_(("unknown", "failed", "draft", *LIVE_STATES)))
        .order_by(Publication.updated_at.desc())
    )


def _publish_jobs() -> Rows:
    """Failed jobs that had not begun to publish their post, and that nobody repeated in any way."""
    post_id = ExecutionJob.payload["blog_post_id"].as_integer()
    # A job ends a moment after its publication, so that one is no newer than the job.
    since = exists().where(
        Publication.blog_post_id == BlogPost.id,
        or_(Publication.updated_at >= ExecutionJob.completed_at, Publication.job_id == ExecutionJob.id),
    )
    planned = exists().where(ScheduledPublication.job_id == ExecutionJob.id)
    return (
        _failed_jobs("not_published", _PUBLISHING)
        .add_columns(BlogPost.title, BlogPost.id.label("post_id"))
        .join(BlogPost, and_(BlogPost.id == post_id, BlogPost.project_id == PROJECT_ID))
        .where(~since, ~planned)
    )


def _scheduled() -> Rows:
    """Publications that failed at their time, before they began."""
    begun = exists().where(Publication.job_id == ScheduledPublication.job_id)
    row = ScheduledPublication
    return (
        select(
            literal("not_scheduled").label("kind"),
            row.publish_at.label("at"),
            BlogPost.title,
            BlogPost.id.label("post_id"),
            row.failure,
        )
        .join(BlogPost, BlogPost.id == row.blog_post_id)
        .where(row.project_id == PROJECT_ID, row.state == "failed", IS_OPEN, ~begun)
        .order_by(row.publish_at.desc())
    )


def _written() -> Rows:
    """Posts, plans and ideas that could not be made."""
    subject = ExecutionJob.payload["topic"].as_string()
    return _failed_jobs("not_written", _WRITING).add_columns(func.coalesce(subject, "").label("title"))


def _failed_jobs(kind: str, operations: tuple[str, ...]) -> Rows:
    job, retry, inner = ExecutionJob, aliased(ExecutionJob), aliased(ExecutionJob)
    recent = select(inner.id).where(inner.project_id == PROJECT_ID, FAILED, inner.completed_at >= _RECENT)
    return (
        select(
            literal(kind).label("kind"),
            job.completed_at.label("at"),
            job.id.label("job_id"),
            job.failure,
        )
        .where(job.id.in_(recent), job.operation.in_(operations))
        .where(~exists().where(retry.retry_of == job.id))
        .order_by(job.completed_at.desc())
    )


def _search() -> Rows:
    """A connection to Google that waits for a person, or that has read nothing for days."""
    row = SearchConnection
    is_late = func.coalesce(row.fetched_at, row.created_at) < _LATE
    return (
        select(
            literal("search_not_read").label("kind"),
            row.fetched_at.label("at"),
            row.failure,
        )
        .where(row.project_id == PROJECT_ID, row.failure.is_not(None), _READS_GOOGLE)
        .where(or_(row.failure["fix_required"].as_boolean(), is_late))
        .order_by(row.id)
    )


def _quarantined() -> Rows:
    return quarantine_of(PROJECT_ID).with_only_columns(
        literal("quarantined").label("kind"),
        SitemapSync.at,
        SitemapSync.id.label("sync_id"),
        SitemapSync.missing.label("number"),
    )


def _autopilot() -> Rows:
    return (
        select(
            literal("autopilot_paused").label("kind"),
            Autopilot.updated_at.label("at"),
            Autopilot.paused_reason.label("remark"),
        )
        .where(Autopilot.project_id == PROJECT_ID, Autopilot.enabled, Autopilot.paused_reason.is_not(None))
        .order_by(Autopilot.project_id)
    )


def _edited() -> Rows:
    """Published posts whose text was changed afterwards."""
    inner = aliased(BlogPost)
    changed = select(inner.id).where(inner.project_id == PROJECT_ID, CHANGED_SINCE)
    newer = or_(
        BlogPost.edited_at > Publication.published_at, BlogPost.refreshed_at > Publication.published_at
    )
    waiting = exists().where(
        Publication.blog_post_id == BlogPost.id,
        Publication.state.in_(LIVE_STATES),
        Publication.failure.is_(None),
        newer,
    )
    is_refreshed_last = BlogPost.refreshed_at > BlogPost.edited_at
    at = case(
        (is_refreshed_last, BlogPost.refreshed_at),
        else_=func.coalesce(BlogPost.edited_at, BlogPost.refreshed_at),
    )
    return (
        select(
            literal("edited_since").label("kind"),
            at.label("at"),
            BlogPost.title,
            BlogPost.id.label("post_id"),
        )
        .where(BlogPost.id.in_(changed), BlogPost.status == "published", waiting)
        .order_by(at.desc())
    )


def _outdated() -> Rows:
    """Posts that link to stale pages, and published ones whose sources have changed."""
    is_proposed = exists().where(
        BlogPostProposal.blog_post_id == BlogPost.id, BlogPostProposal.state == "open"
    )
    kind = case((BlogPost.stale_links > 0, "stale_links"), (is_proposed, "proposed"), else_="changed_sources")
    number = case((BlogPost.stale_links > 0, BlogPost.stale_links), else_=BlogPost.changed_sources)
    return (
        select(kind.label("kind"), BlogPost.title, BlogPost.id.label("post_id"), number.label("number"))
        .where(BlogPost.project_id == PROJECT_ID, TROUBLED)
        .where(or_(BlogPost.stale_links > 0, BlogPost.status == "published"))
        .order_by(BlogPost.id.desc())
    )


TROUBLES: Final[tuple[Callable[[], Rows], ...]] = (
    _publications,
    _publish_jobs,
    _scheduled,
    _written,
    _search,
    _autopilot,
    _quarantined,
    _outdated,
    _edited,
)
"""Makes the statement of each kind of trouble; its columns are members of a Need."""


PUBLISHING_TROUBLES: Final = (_publications, _publish_jobs, _scheduled)
"""Those on a post's way to its readers; their rows have the columns of ``BlogPost``, to be narrowed by."""
