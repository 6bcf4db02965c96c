"""What a calendar shows of a project: what is planned, what was published, and what failed at its time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, and_, exists, func, or_, select
from sqlalchemy.orm import load_only

from app.content.model import BlogPost
from app.infra.db import db, page_of
from app.projects.model import Project
from app.publishing.model import Publication, PublishTarget, ScheduledPublication
from app.publishing.scheduled import IS_OPEN, open_schedule

MOST: Final = 300

WILL_BE_REFUSED: Final[ColumnElement[bool]] = and_(
    ScheduledPublication.state == "waiting",
    ScheduledPublication.override_reason.is_(None),
    func.coalesce(BlogPost.quality["decision"].as_string(), "") == "block",
)
"""What waits although the last checks of its post block publishing, and nobody overrode them."""


@dataclass(frozen=True)
class Entry:
    """A post at a moment. ``state`` is waiting or failed, with the id of the schedule, or published.

    What ``will_be_refused`` waits, and the last checks of its post block it.
    """

    moment: datetime
    state: str
    post_id: int
    title: str
    target: str = ""
    schedule_id: int | None = None
    will_be_refused: bool = False


def entries_between(project: Project, start: datetime, end: datetime) -> list[Entry]:
    """Return what happens from ``start`` to before ``end``, earliest first, at most MOST of a kind."""
    found = [*scheduled_between(project, start, end), *_published(project, start, end)]
    return sorted(found, key=lambda entry: (entry.moment, entry.post_id))


def drafts_without_time(project: Project, most: int) -> tuple[Sequence[BlogPost], int]:
    """Return the newest drafts that are not scheduled, at most ``most``, and how many there are."""
    row = ScheduledPublication
    begun = exists().where(
        Publication.blog_post_id == row.blog_post_id,
        Publication.target_id == row.target_id,
        Publication.updated_at >= row.publish_at,
    )
    is_open = or_(row.state == "waiting", and_(row.state == "submitted", ~begun))
    scheduled = exists().where(row.blog_post_id == BlogPost.id, is_open)
    where = (BlogPost.project_id == project.id, BlogPost.status == "draft", ~scheduled)
    shown = load_only(BlogPost.title, BlogPost.draft_kind, BlogPost.quality)
    newest = select(BlogPost).where(*where).order_by(BlogPost.created_at.desc(), BlogPost.id.desc())
    return page_of(newest.options(shown), 1, most)


def waiting_for(post: BlogPost) -> list[ScheduledPublication]:
    """Return what waits for a post, the earliest time first."""
    return [row for row in open_schedule(post) if row.state == "waiting"]


def waiting_times(post_ids: Sequence[int]) -> dict[int, datetime]:
    """Return the earliest time that waits for each of these posts; those without one are left out."""
    rows = db.session.execute(
        select(ScheduledPublication.blog_post_id, func.min(ScheduledPublication.publish_at))
        .where(ScheduledPublication.blog_post_id.in_(post_ids), ScheduledPublication.state == "waiting")
        .group_by(ScheduledPublication.blog_post_id)
    )
    return {row[0]: row[1] for row in rows}


def refused_posts(post_ids: Sequence[int]) -> set[int]:
    """Return the ids of those of these posts that wait for a time and that their checks block."""
    found = (
        select(BlogPost.id)
        .join(ScheduledPublication, ScheduledPublication.blog_post_id == BlogPost.id)
        .where(BlogPost.id.in_(post_ids), WILL_BE_REFUSED)
    )
    return set(db.session.scalars(found))


def scheduled_between(project: Project, start: datetime, end: datetime) -> Sequence[Entry]:
    """Return what is scheduled from ``start`` to before ``end``, earliest first, at most MOST."""
    rows = db.session.execute(
        select(
            ScheduledPublication.publish_at,
            ScheduledPublication.state,
            BlogPost.id,
            BlogPost.title,
            PublishTarget.name,
            ScheduledPublication.id.label("schedule_id"),
            WILL_BE_REFUSED.label("will_be_refused"),
        )
        .join(BlogPost, BlogPost.id == ScheduledPublication.blog_post_id)
        .join(PublishTarget, PublishTarget.id == ScheduledPublication.target_id)
        .where(
            ScheduledPublication.project_id == project.id,
            ScheduledPublication.publish_at >= start,
            ScheduledPublication.publish_at < end,
            IS_OPEN,
        )
        .order_by(ScheduledPublication.publish_at, BlogPost.id)
        .limit(MOST)
    )
    return [Entry(*row) for row in rows]


def _published(project: Project, start: datetime, end: datetime) -> Sequence[Entry]:
    rows = db.session.execute(
        select(BlogPost.published_at, BlogPost.id, BlogPost.title)
        .where(BlogPost.project_id == project.id, BlogPost.published_at >= start, BlogPost.published_at < end)
        .order_by(BlogPost.published_at)
        .limit(MOST)
    )
    return [Entry(moment, "published", post_id, title) for moment, post_id, title in rows if moment]
