"""What the syncs of a project's sitemap did: the list, one of them, and the pages it changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import func, select

from app.failures import ServiceFailure
from app.infra.db import db
from app.pages.model import Page, SitemapSync, SitemapSyncChange
from app.projects.model import Project

KINDS: Final = ("new", "returned", "stale", "missing", "found")
"""What a sync may tell of a page; missing are those of a held loss, found those that came back."""


def list_syncs(project: Project, page: int, page_size: int) -> tuple[Sequence[SitemapSync], int]:
    """Return one page of the project's syncs, newest first, and how many there are in all."""
    mine = SitemapSync.project_id == project.id
    total = db.session.scalar(select(func.count()).select_from(SitemapSync).where(mine)) or 0
    rows = db.session.scalars(
        select(SitemapSync)
        .where(mine)
        .order_by(SitemapSync.id.desc())
        .offset((page - 1) * page_size)
        .limit(page_size)
    ).all()
    return rows, total


def get_sync(project: Project, sync_id: int) -> SitemapSync:
    """Return a sync of the project. Raises NOT_FOUND."""
    sync = db.session.get(SitemapSync, sync_id)
    if sync is None or sync.project_id != project.id:
        raise ServiceFailure("NOT_FOUND")
    return sync


def sync_of_job(job_id: int) -> SitemapSync | None:
    """Return the sync that a job made, if it came that far."""
    return db.session.scalar(select(SitemapSync).where(SitemapSync.job_id == job_id))


def changes_of(sync: SitemapSync, kind: str, most: int, skip: int = 0) -> Sequence[Page]:
    """Return the pages of which a sync tells one of KINDS, at most ``most``, without the first ``skip``.

    A new page was created at the sync's own time, so that no row has to say it again.
    """
    pages = select(Page).offset(skip).limit(most)
    if kind == "new":
        mine = (Page.project_id == sync.project_id, Page.created_at == sync.at, Page.source == "SITEMAP")
        return db.session.scalars(pages.where(*mine).order_by(Page.id)).all()
    of = SitemapSyncChange
    told = pages.join(of, of.page_id == Page.id).where(of.sync_id == sync.id, of.kind == kind)
    return db.session.scalars(told.order_by(of.page_id)).all()  # in the order of their index


def count_changes(sync: SitemapSync) -> dict[str, int]:
    """Return of how many pages a sync tells each of KINDS."""
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
