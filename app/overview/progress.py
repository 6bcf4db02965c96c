"""How a project goes: what is published each week, and how many pages were fresh and stale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import func, select

from app.content.model import DRAFT, BlogPost
from app.executions.model import FAILED, ExecutionJob
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.local_time import monday_of, start_of
from app.keywords.service import counts_of_states, named_states
from app.pages.model import SitemapSync
from app.pages.reading_progress import count_of_waiting
from app.projects.model import Project
from app.publishing.service import has_target
from app.search_performance.service import latest_clicks

WEEKS: Final = 12
FAILURE_DAYS: Final = 7
_MOST_POSTS: Final = 5000
_MOST_SYNCS: Final = 2000


class Change(NamedTuple):
    """How a sync changed the numbers of fresh and stale pages at a moment."""

    at: datetime
    fresh: int
    stale: int


@dataclass(frozen=True)
class Numbers:
    """A project's counts: pages, posts, and the jobs that failed in the last FAILURE_DAYS.

    ``waiting`` pages were never read. ``has_written``: a post is more than an outline. ``clicks``: those from
    search in the latest period that is known, None without one. ``keywords``: how many are in each of
    coverage.STATES, and in all, as ``all``.
    """

    fresh: int
    stale: int
    waiting: int
    drafts: int
    published: int
    has_written: bool
    has_target: bool
    failures: int
    clicks: int | None
    keywords: Mapping[str, int]


def numbers_of(project: Project) -> Numbers:
    """Return the counts of a project, by one statement."""
    since = utc_now() - timedelta(days=FAILURE_DAYS)
    drafts = select(func.count(BlogPost.id)).where(BlogPost.project_id == project.id, DRAFT)
    published = select(func.count(BlogPost.id)).where(
        BlogPost.project_id == project.id, BlogPost.published_at.is_not(None)
    )
    written = (
        select(BlogPost.id)
        .where(BlogPost.project_id == project.id, BlogPost.draft_kind != "outline")
        .limit(1)
        .exists()
    )
    failures = select(func.count(ExecutionJob.id)).where(
        ExecutionJob.project_id == project.id, FAILED, ExecutionJob.completed_at >= since
    )
    pages = (Project.page_count - Project.stale_page_count, Project.stale_page_count)
    columns = (
        *pages,
        count_of_waiting(project),
        drafts.scalar_subquery(),
        published.scalar_subquery(),
        written,
        has_target(project),
        failures.scalar_subquery(),
        latest_clicks(project),
    )
    counts = select(*columns, *counts_of_states(project)).where(Project.id == project.id)
    found = db.session.execute(counts).one()
    keywords = named_states(*found[len(columns) :])
    return Numbers(*(*found[: len(columns)], keywords))


def weeks_until(now: datetime, zone: ZoneInfo) -> list[date]:
    """Return the Mondays of the last WEEKS weeks of a zone, the present one last."""
    monday = monday_of(now.astimezone(zone).date())
    return [monday - timedelta(weeks=back) for back in reversed(range(WEEKS))]


def posts_per_week(project: Project, weeks: Sequence[date], zone: ZoneInfo) -> list[int]:
    moments = db.session.scalars(
        select(BlogPost.published_at)
        .where(BlogPost.project_id == project.id, BlogPost.published_at >= start_of(weeks[0], zone))
        .limit(_MOST_POSTS)
    )
    counts = dict.fromkeys(weeks, 0)
    for moment in moments:
        week = monday_of(moment.astimezone(zone).date()) if moment else None
        if week in counts:
            counts[week] += 1
    return list(counts.values())


def pages_per_week(
    project: Project, weeks: Sequence[date], zone: ZoneInfo, now: tuple[int, int]
) -> list[tuple[int, int]]:
    """Return how many pages were (fresh, stale) at the end of each of these weeks, from the syncs since.

    ``now`` is how many there are. Pages that were added by hand count as having always been there.
    """
    rows = db.session.execute(
        select(SitemapSync.at, SitemapSync.new, SitemapSync.returned, SitemapSync.stale)
        .where(SitemapSync.project_id == project.id, SitemapSync.at >= start_of(weeks[0], zone))
        .order_by(SitemapSync.id.desc())
        .limit(_MOST_SYNCS)
    )
    changes = [Change(at, new + returned - stale, stale - returned) for at, new, returned, stale in rows]
    ends = [start_of(week + timedelta(weeks=1), zone) for week in weeks]
    return counts_at(ends, changes, now)


def counts_at(
    moments: Sequence[datetime], changes: Sequence[Change], now: tuple[int, int]
) -> list[tuple[int, int]]:
    """Return (fresh, stale) at each moment, by taking back the later changes from the present counts."""
    found = []
    for moment in moments:
        later = [change for change in changes if change.at >= moment]
        fresh = now[0] - sum(change.fresh for change in later)
        stale = now[1] - sum(change.stale for change in later)
        found.append((max(fresh, 0), max(stale, 0)))
    return found
