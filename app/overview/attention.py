"""What needs a hand in a project: everything that failed, is outdated, or waits for a decision.

Each kind of trouble is one indexed query of at most MOST rows. All of them are counted by one statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.orm import aliased

from app.autopilot.model import Autopilot
from app.content.model import CHANGED_SINCE, DRAFT, TROUBLED, BlogPost, BlogPostProposal
from app.executions.model import FAILED, ExecutionJob
from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import SitemapSync
from app.pages.sync.quarantine import quarantine_of
from app.projects.model import Project
from app.publishing.model import LIVE_STATES, Publication, PublishTarget, ScheduledPublication
from app.publishing.model import TROUBLED as TROUBLED_PUBLICATION
from app.publishing.scheduled import IS_OPEN
from app.search_performance.google import connection
from app.search_performance.model import SearchConnection

MOST: Final = 20
"""How many of a kind are listed."""

COUNTED: Final = 100
"""How many of a kind are counted."""

RECENT: Final = timedelta(days=7)
"""How long a failed job is listed that nobody tried again."""

LATE: Final = timedelta(days=3)
"""How long search results may be older than usual before that is listed."""

_Rows = Select[*tuple[Any, ...]]

_PROJECT_ID: Final = bindparam("project_id", type_=Integer)
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


@dataclass(frozen=True)
class Need:
    """One thing that needs a hand.

    ``kind`` is sync_failed, quarantined, autopilot_paused, not_published, not_updated, unknown, unreachable,
    not_scheduled, not_written, search_not_read, edited_since, stale_links, changed_sources or proposed. The
    ids are those of what is to be fixed, ``number`` counts the pages or links that are wrong.
    """

    kind: str
    at: datetime | None = None
    title: str = ""
    post_id: int | None = None
    target_id: int | None = None
    job_id: int | None = None
    sync_id: int | None = None
    number: int = 0
    failure: Mapping[str, Any] | None = None
    remark: str | None = None


def needs_of(project: Project) -> list[Need]:
    """Return what needs a hand in a project: failures first, at most MOST of each kind of trouble."""
    values = _values(project)
    found = [Need(**row._mapping) for listing in _listings() for row in db.session.execute(listing, values)]
    if project.last_sync_error is None:
        return found
    return [Need("sync_failed", project.last_synced_at, failure=project.last_sync_error), *found]


def count_needs(project: Project) -> tuple[int, int]:
    """Return how many things need a hand, and how many drafts there are, by one statement.

    Of each kind of trouble, and of the drafts, at most COUNTED are counted.
    """
    row = db.session.execute(_counting(), _values(project)).one()
    return row[0] + (project.last_sync_error is not None), row[1]


@cache
def _listings() -> tuple[_Rows, ...]:
    """Return the statement of each kind of trouble, made once: to make one takes longer than to run it."""
    return tuple(trouble().limit(MOST) for trouble in _TROUBLES)


@cache
def _counting() -> _Rows:
    """Return the statement that counts troubles and drafts, made once."""
    needs = sum((_count(trouble()) for trouble in _TROUBLES), start=literal(0))
    return select(needs, _count(select(BlogPost.id).where(BlogPost.project_id == _PROJECT_ID, DRAFT)))


def _values(project: Project) -> dict[str, object]:
    """Return the values of the statements' parameters."""
    now = utc_now()
    return {
        _PROJECT_ID.key: project.id,
        _RECENT.key: now - RECENT,
        _LATE.key: now - LATE,
        _READS_GOOGLE.key: connection.is_offered(),
    }


def _count(statement: _Rows) -> ColumnElement[int]:
    bounded = statement.order_by(None).with_only_columns(literal(1), maintain_column_froms=True)
    return select(func.count()).select_from(bounded.limit(COUNTED).subquery()).scalar_subquery()


def _publications() -> _Rows:
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
        .where(PublishTarget.project_id == _PROJECT_ID, PublishTarget.removed_at.is_(None))
        .where(TROUBLED_PUBLICATION, is_last, seen)
        .where(Publication.state.in_(("unknown", "failed", "draft", *LIVE_STATES)))
        .order_by(Publication.updated_at.desc())
    )


def _publish_jobs() -> _Rows:
    """Failed jobs that had not begun to publish their post, and that nobody repeated in any way."""
    post_id = ExecutionJob.payload["blog_post_id"].as_integer()
    since = exists().where(
        Publication.blog_post_id == BlogPost.id, Publication.updated_at >= ExecutionJob.completed_at
    )
    planned = exists().where(ScheduledPublication.job_id == ExecutionJob.id)
    return (
        _failed_jobs("not_published", _PUBLISHING)
        .add_columns(BlogPost.title, BlogPost.id.label("post_id"))
        .join(BlogPost, and_(BlogPost.id == post_id, BlogPost.project_id == _PROJECT_ID))
        .where(~since, ~planned)
    )


def _scheduled() -> _Rows:
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
        .where(row.project_id == _PROJECT_ID, row.state == "failed", IS_OPEN, ~begun)
        .order_by(row.publish_at.desc())
    )


def _written() -> _Rows:
    """Posts, plans and ideas that could not be made."""
    subject = ExecutionJob.payload["topic"].as_string()
    return _failed_jobs("not_written", _WRITING).add_columns(func.coalesce(subject, "").label("title"))


def _failed_jobs(kind: str, operations: tuple[str, ...]) -> _Rows:
    job, retry, inner = ExecutionJob, aliased(ExecutionJob), aliased(ExecutionJob)
    recent = select(inner.id).where(inner.project_id == _PROJECT_ID, FAILED, inner.completed_at >= _RECENT)
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


def _search() -> _Rows:
    """A connection to Google that waits for a person, or that has read nothing for days."""
    row = SearchConnection
    is_late = func.coalesce(row.fetched_at, row.created_at) < _LATE
    return (
        select(
            literal("search_not_read").label("kind"),
            row.fetched_at.label("at"),
            row.failure,
        )
        .where(row.project_id == _PROJECT_ID, row.failure.is_not(None), _READS_GOOGLE)
        .where(or_(row.failure["fix_required"].as_boolean(), is_late))
        .order_by(row.id)
    )


def _quarantined() -> _Rows:
    return quarantine_of(_PROJECT_ID).with_only_columns(
        literal("quarantined").label("kind"),
        SitemapSync.at,
        SitemapSync.id.label("sync_id"),
        SitemapSync.missing.label("number"),
    )


def _autopilot() -> _Rows:
    return (
        select(
            literal("autopilot_paused").label("kind"),
            Autopilot.updated_at.label("at"),
            Autopilot.paused_reason.label("remark"),
        )
        .where(Autopilot.project_id == _PROJECT_ID, Autopilot.enabled, Autopilot.paused_reason.is_not(None))
        .order_by(Autopilot.project_id)
    )


def _edited() -> _Rows:
    """Published posts whose text was changed afterwards."""
    inner = aliased(BlogPost)
    changed = select(inner.id).where(inner.project_id == _PROJECT_ID, CHANGED_SINCE)
    newer = or_(
        BlogPost.edited_at > Publication.published_at, BlogPost.refreshed_at > Publication.published_at
    )
    waiting = exists().where(
        Publication.blog_post_id == BlogPost.id,
        Publication.state.in_(LIVE_STATES),
        Publication.failure.is_(None),
        newer,
    )
    at = func.coalesce(BlogPost.edited_at, BlogPost.refreshed_at)
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


def _outdated() -> _Rows:
    """Posts that link to stale pages, and published ones whose sources have changed."""
    is_proposed = exists().where(
        BlogPostProposal.blog_post_id == BlogPost.id, BlogPostProposal.state == "open"
    )
    kind = case((BlogPost.stale_links > 0, "stale_links"), (is_proposed, "proposed"), else_="changed_sources")
    number = case((BlogPost.stale_links > 0, BlogPost.stale_links), else_=BlogPost.changed_sources)
    return (
        select(kind.label("kind"), BlogPost.title, BlogPost.id.label("post_id"), number.label("number"))
        .where(BlogPost.project_id == _PROJECT_ID, TROUBLED)
        .where(or_(BlogPost.stale_links > 0, BlogPost.status == "published"))
        .order_by(BlogPost.id.desc())
    )


_TROUBLES: Final[tuple[Callable[[], _Rows], ...]] = (
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
