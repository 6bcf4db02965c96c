"""The history of a project's syncs: the list, one of them, and the pages it changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, exists, func, or_, select

from app.infra.db import db, page_of, row_of_project
from app.pages.lookup import containing
from app.pages.model import Page, SitemapSync, SitemapSyncChange
from app.projects.model import Project

KINDS: Final = ("new", "returned", "stale", "missing", "found")
"""How a sync changes a page. missing: its removal is in quarantine, found: a later sync listed it again."""

OUTCOMES: Final[Mapping[str, ColumnElement[bool]]] = {
    "changed": SitemapSync.new + SitemapSync.returned + SitemapSync.stale > 0,
    "trouble": SitemapSync.state.in_(("failed", "partial", "quarantined")),
}
ORDERS: Final = {
    "newest": (SitemapSync.id.desc(),),
    "oldest": (SitemapSync.id,),
    "longest": (SitemapSync.duration_ms.desc(), SitemapSync.id.desc()),
}
MOST_MATCHES: Final = 10


@dataclass(frozen=True)
class SyncFilter:
    """Which syncs a list shows; None does not filter.

    ``outcome`` is one of OUTCOMES. ``q`` is in the URL or title of a page that the sync changed; of pages
    that match, the newest MOST_MATCHES count.
    """

    outcome: str | None = None
    q: str | None = None


def list_syncs(
    project: Project,
    page: int,
    page_size: int,
    where: SyncFilter = SyncFilter(),
    order: str = "newest",
) -> tuple[Sequence[SitemapSync], int]:
    """Return one page of the project's syncs in one of ORDERS, and how many there are in all."""
    statement = select(SitemapSync).where(SitemapSync.project_id == project.id)
    if where.outcome is not None:
        statement = statement.where(OUTCOMES[where.outcome])
    if where.q and where.q.strip():
        statement = statement.where(_changed_pages_like(project, where.q.strip()))
    return page_of(statement.order_by(*ORDERS[order]), page, page_size)


def latest_syncs(project: Project, most: int) -> Sequence[SitemapSync]:
    """Return at most ``most`` syncs of the project, newest first."""
    newest = select(SitemapSync).where(SitemapSync.project_id == project.id).order_by(*ORDERS["newest"])
    return db.session.scalars(newest.limit(most)).all()


def _changed_pages_like(project: Project, q: str) -> ColumnElement[bool]:
    found = db.session.execute(
        select(Page.id, Page.created_at)
        .where(Page.project_id == project.id, Page.source == "SITEMAP", containing(q))
        .order_by(Page.created_at.desc(), Page.id.desc())
        .limit(MOST_MATCHES)
    ).all()
    change = SitemapSyncChange
    changed = exists().where(change.sync_id == SitemapSync.id, change.page_id.in_([row.id for row in found]))
    return or_(changed, SitemapSync.at.in_([row.created_at for row in found]))


def get_sync(project: Project, sync_id: int) -> SitemapSync:
    """Return a sync of the project. Raises NOT_FOUND."""
    return row_of_project(SitemapSync, sync_id, project.id, "NOT_FOUND")


def sync_of_job(job_id: int) -> SitemapSync | None:
    """Return the sync that a job wrote, None if it wrote none."""
    return db.session.scalar(select(SitemapSync).where(SitemapSync.job_id == job_id))


def changes_of(sync: SitemapSync, kind: str, most: int, skip: int = 0) -> Sequence[Page]:
    """Return at most ``most`` pages that a sync changed in one of KINDS, after the first ``skip``.

    New pages have no row of their own: they were created at the sync's time.
    """
    pages = select(Page).offset(skip).limit(most)
    if kind == "new":
        mine = (Page.project_id == sync.project_id, Page.created_at == sync.at, Page.source == "SITEMAP")
        return db.session.scalars(pages.where(*mine).order_by(Page.id)).all()
    change = SitemapSyncChange
    changed = pages.join(change, change.page_id == Page.id).where(
        change.sync_id == sync.id, change.kind == kind
    )
    return db.session.scalars(changed.order_by(change.page_id)).all()  # the order of the index


def count_changes(sync: SitemapSync) -> dict[str, int]:
    """Return how many pages a sync changed in each of KINDS."""
    counts = dict.fromkeys(KINDS, 0)
    rows = db.session.execute(
        select(SitemapSyncChange.kind, func.count())
        .where(SitemapSyncChange.sync_id == sync.id)
        .group_by(SitemapSyncChange.kind)
    )
    for kind, number in rows:
        counts[kind] = number
    counts["new"] = sync.new
    return counts
