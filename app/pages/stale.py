"""Marking pages stale, and writing down which pages a sync changed. Nothing is committed here."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CursorResult,
    Executable,
    and_,
    case,
    exists,
    false,
    func,
    insert,
    literal,
    select,
    update,
)

from app.infra.db import UtcDateTime, db
from app.pages.model import Page, SitemapSyncChange
from app.projects.model import Project


def lock_project(project_id: int) -> None:
    """Wait until nobody else changes the project's pages by a sync; held until the transaction ends.

    On SQLite until nobody else writes at all: the transaction must not have read anything yet as a reader.
    """
    if db.session.connection().dialect.name == "postgresql":
        db.session.execute(select(func.pg_advisory_xact_lock(project_id)))
        return
    # Whatever writes takes the lock, also if there is nothing to be changed.
    nothing = update(Project).where(false()).values(id=Project.id)
    db.session.execute(nothing.execution_options(synchronize_session=False))


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
    remember(sync_id, "stale", which)
    values: dict[str, Any] = {"is_stale": True, "stale_since": at, "in_sitemap": False, "updated_at": at}
    if project.last_synced_at is not None:
        values["last_seen_at"] = _last_seen(project.last_synced_at)
    return changed_rows(update(Page).where(which).values(values))


def remember(sync_id: int, kind: str, which: ColumnElement[bool]) -> None:
    """Write down that a sync found these pages returned, stale or missing."""
    rows = select(literal(sync_id), Page.id, literal(kind)).where(which)
    db.session.execute(insert(SitemapSyncChange).from_select(["sync_id", "page_id", "kind"], rows))


def changed_rows(statement: Executable) -> int:
    """Execute a statement and return how many rows it changed."""
    # Without preserve_rowcount PostgreSQL's driver has forgotten the count of an INSERT by then: -1.
    options = {"synchronize_session": False, "preserve_rowcount": True}
    result = db.session.execute(statement, execution_options=options)
    return result.rowcount if isinstance(result, CursorResult) else 0


def _last_seen(last_synced: datetime) -> ColumnElement[datetime]:
    # A page that a partial sync added or revived was seen after the last complete one.
    seen = literal(last_synced, UtcDateTime())
    return case((Page.last_seen_at > seen, Page.last_seen_at), else_=seen)
