"""What a week brought to the projects of an account: posts that went live, stale pages, what to look at."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import func, select

from app.content.model import BlogPost
from app.infra.db import db
from app.overview.attention import Need, count_needs, needs_of
from app.pages.model import SitemapSync
from app.projects.model import Project

MOST_PROJECTS: Final = 20
_MOST_READ: Final = 200
MOST_TITLES: Final = 5
MOST_NEEDS: Final = 3


@dataclass(frozen=True)
class Week:
    """One project's week.

    ``titles`` are those of the newest of the ``published`` posts, ``stale`` counts the pages that left the
    sitemap, ``drafts`` those that wait now, ``attention`` what needs a hand now, of which ``needs`` are some.
    """

    project: Project
    published: int
    titles: list[str]
    drafts: int
    stale: int
    attention: int
    needs: list[Need]

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to report."""
        return not (self.published or self.drafts or self.stale or self.attention)


def weeks_of(account_id: int, until: datetime) -> list[Week]:
    """Return the week up to ``until`` of each of an account's projects with news, at most MOST_PROJECTS.

    Of the projects, the first _MOST_READ by name are looked at.
    """
    projects = db.session.scalars(
        select(Project)
        .where(Project.account_id == account_id)
        .order_by(Project.name, Project.id)
        .limit(_MOST_READ)
    )
    found: list[Week] = []
    for project in projects:
        week = _week_of(project, until)
        if not week.is_quiet:
            found.append(week)
        if len(found) == MOST_PROJECTS:
            break
    return found


def _week_of(project: Project, until: datetime) -> Week:
    since = until - timedelta(weeks=1)
    live = (BlogPost.project_id == project.id, BlogPost.published_at >= since, BlogPost.published_at < until)
    titles = db.session.scalars(
        select(BlogPost.title).where(*live).order_by(BlogPost.published_at.desc()).limit(MOST_TITLES)
    ).all()
    attention, drafts = count_needs(project)
    return Week(
        project,
        published=db.session.scalar(select(func.count(BlogPost.id)).where(*live)) or 0 if titles else 0,
        titles=list(titles),
        drafts=drafts,
        stale=_stale(project.id, since, until),
        attention=attention,
        needs=needs_of(project)[:MOST_NEEDS] if attention else [],
    )


def _stale(project_id: int, since: datetime, until: datetime) -> int:
    total = select(func.coalesce(func.sum(SitemapSync.stale), 0)).where(
        SitemapSync.project_id == project_id, SitemapSync.at >= since, SitemapSync.at < until
    )
    return int(db.session.scalar(total) or 0)
