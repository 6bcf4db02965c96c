"""Syncs of a served sitemap, and what they did to the pages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import select, text

from app.failures import ServiceFailure
from app.infra.db import db
from app.infra.settings import current_settings
from app.pages.model import SitemapSync, SitemapSyncChange
from app.pages.sitemaps.document_cache import StoredDocuments
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sitemaps.url_buffer import UrlBuffer
from app.pages.sync.apply import FailedReading, apply_sitemap, record_failure
from app.pages.sync.sync_history import changes_of
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import html, pages_of, urlset


def read(project: Project, site: SiteServer, into: UrlBuffer | None = None) -> UrlBuffer:
    """Read the sitemap as the operation does, into a buffer of its own or a given one."""
    url, project_id = project.url, project.id
    db.session.rollback()
    return fetch_sitemap(
        current_settings(),
        url,
        f"{site.url}/sitemap.xml",
        seconds=30,
        should_stop=lambda: False,
        on_progress=lambda _urls, _children: None,
        cache=StoredDocuments(project_id),
        into=into,
    )


def age_quarantines(minutes: float) -> None:
    """Let removals that are in quarantine, and empty sitemaps, have been found so much earlier."""
    earlier = timedelta(minutes=minutes)
    for change in db.session.scalars(select(SitemapSyncChange).where(SitemapSyncChange.kind == "missing")):
        assert change.missing_since is not None
        change.missing_since -= earlier
    for sync in db.session.scalars(select(SitemapSync).where(SitemapSync.found == 0)):
        sync.at -= earlier
    db.session.commit()


def synced(
    project: Project, site: SiteServer, body: str | bytes | None = None, *, minutes_later: float = 11
) -> SitemapSync:
    """Serve ``body`` as the sitemap, if given, and sync it so long after the last quarantine."""
    age_quarantines(minutes_later)
    if body is not None:
        site.serve("/sitemap.xml", body)
    buffer = read(project, site)
    row = apply_sitemap(project.id, None, buffer, 0.5)
    db.session.commit()
    return row


def failed(project: Project, site: SiteServer) -> None:
    """Serve a web page as the sitemap, and sync it."""
    site.serve("/sitemap.xml", html("Welcome", "No sitemap here."))
    try:
        read(project, site)
    except ServiceFailure as error:
        record_failure(project.id, None, FailedReading(f"{site.url}/sitemap.xml", error.failure))
    db.session.commit()


def listing(site: SiteServer, *names: str, lastmod: str | None = None) -> str:
    """A sitemap of these pages of the site."""
    return urlset([f"{site.url}/{name}" for name in names], lastmod)


def many(site: SiteServer, count: int) -> str:
    """A sitemap of so many pages of the site."""
    return listing(site, *(f"page-{number}" for number in range(count)))


def stale(project: Project) -> set[str]:
    """The names of the pages that are stale."""
    return {url.rpartition("/")[2] for url, page in pages_of(project.id).items() if page.is_stale}


def fresh(project: Project) -> set[str]:
    """The names of the pages that are not."""
    return {url.rpartition("/")[2] for url, page in pages_of(project.id).items() if not page.is_stale}


def changed(row: SitemapSync, kind: str) -> list[str]:
    """The names of the pages that a sync found new, returned, stale or missing."""
    return [page.url.rpartition("/")[2] for page in changes_of(row, kind, 100)]


def counts(row: SitemapSync) -> tuple[int, int, int, int, int]:
    """How many pages a sync found, added, revived, marked stale and left unchanged."""
    return row.found, row.new, row.returned, row.stale, row.unchanged


def row_versions(project: Project) -> list[Any]:
    """Every page row in full, and on PostgreSQL the transaction that last wrote it."""
    db.session.rollback()
    version = ", xmin::text" if db.engine.dialect.name == "postgresql" else ""
    statement = f"SELECT *{version} FROM pages WHERE project_id = {project.id} ORDER BY id"
    return [tuple(row) for row in db.session.execute(text(statement))]
