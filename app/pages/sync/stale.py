"""Marking pages stale, and writing down which pages a sync changed. Nothing is committed here."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, exists, insert, literal, select, update

from app.infra.db import UtcDateTime, changed_rows, db
from app.pages.model import Page, SitemapSyncChange
from app.projects.model import Project


def known(project_id: int) -> ColumnElement[bool]:
    """Return the condition that a page is fresh and in the project's sitemap as far as is known."""
    return and_(Page.project_id == project_id, Page.in_sitemap, ~Page.is_stale)


def told_missing(sync_id: int) -> ColumnElement[bool]:
    """Return the condition that a sync was held because of a page, which was not found again since."""
    return exists().where(
        SitemapSyncChange.sync_id == sync_id,
        SitemapSyncChange.page_id == Page.id,
        SitemapSyncChange.kind == "missing",
    )


def mark_stale(project: Project, sync_id: int, which: ColumnElement[bool], at: datetime) -> int:
    """Mark pages stale by a sync, which remembers them; return how many."""
    gone = remember(sync_id, "stale", which)
    values: dict[str, Any] = {"is_stale": True, "stale_since": at, "in_sitemap": False, "updated_at": at}
    if project.last_synced_at is not None:
        values["last_seen_at"] = _last_seen(project.last_synced_at)
    return changed_rows(update(Page).where(gone, ~Page.is_stale).values(values))


def remember(sync_id: int, kind: str, which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Write down that a sync found these pages returned, stale or missing.

    Returns a condition for the same pages, which is cheaper than to look for them anew. A person may have
    changed one by then: whoever changes them asks for their state once more.
    """
    of = SitemapSyncChange
    rows = select(literal(sync_id), Page.id, literal(kind)).where(which)
    db.session.execute(insert(of).from_select(["sync_id", "page_id", "kind"], rows))
    return Page.id.in_(select(of.page_id).where(of.sync_id == sync_id, of.kind == kind))


def _last_seen(last_synced: datetime) -> ColumnElement[datetime]:
    # A page that a partial sync added or revived was seen after the last complete one.
    seen = literal(last_synced, UtcDateTime())
    return case((Page.last_seen_at > seen, Page.last_seen_at), else_=seen)
