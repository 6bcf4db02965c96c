"""What a sync does to page rows, as set-based statements. The caller commits."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    and_,
    case,
    exists,
    false,
    func,
    insert,
    literal,
    null,
    select,
    true,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError

from app.infra.db import UtcDateTime, changed_rows, db
from app.pages.model import Page, SitemapSyncChange
from app.pages.supplied import due_again
from app.pages.sync.staging import NEWER, STAGING, Difference, listed
from app.projects.model import Project

SORTED_BY_URL: Final = 5000
"""Up to this many new pages get their ids in the order of their URLs."""


def lock_project(project_id: int) -> None:
    """Wait until no other sync or person changes the project's pages; the lock ends with the transaction.

    SQLite has only its write lock. The transaction must not have begun with a read there.
    """
    if db.session.connection().dialect.name == "postgresql":
        db.session.execute(select(func.pg_advisory_xact_lock(project_id)))
        return
    # An UPDATE takes the write lock even if it changes no row.
    changed_rows(update(Project).where(false()).values(id=Project.id))


def record_changes(sync_id: int, kind: str, which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Record these pages as returned or stale in a sync.

    Return a condition for the same pages that is cheaper than ``which``. A person may have changed one of
    them meanwhile, so an UPDATE has to check their state again.
    """
    change = SitemapSyncChange
    rows = select(literal(sync_id), Page.id, literal(kind)).where(which)
    db.session.execute(insert(change).from_select(["sync_id", "page_id", "kind"], rows))
    return Page.id.in_(select(change.page_id).where(change.sync_id == sync_id, change.kind == kind))


def record_missing(sync_id: int, which: ColumnElement[bool], at: datetime, earlier: int | None) -> None:
    """Record these pages as missing in a sync, since then or since the quarantine of an ``earlier`` sync."""
    change = SitemapSyncChange
    since = (
        select(change.missing_since)
        .where(change.sync_id == earlier, change.page_id == Page.id, change.kind == "missing")
        .scalar_subquery()
    )
    rows = select(
        literal(sync_id), Page.id, literal("missing"), func.coalesce(since, literal(at, UtcDateTime()))
    )
    columns = ["sync_id", "page_id", "kind", "missing_since"]
    db.session.execute(insert(change).from_select(columns, rows.where(which)))


def quarantined_by(sync_id: int, until: datetime | None = None) -> ColumnElement[bool]:
    """Return the condition that a sync quarantined a page's removal, and no later one has listed the page.

    With ``until``, the page has been missing since then or longer.
    """
    change = SitemapSyncChange
    long_enough = true() if until is None else change.missing_since <= until
    return exists().where(
        change.sync_id == sync_id, change.page_id == Page.id, change.kind == "missing", long_enough
    )


def mark_stale(project: Project, sync_id: int, which: ColumnElement[bool], at: datetime) -> int:
    """Mark pages stale and record them in the sync; return how many changed."""
    gone = record_changes(sync_id, "stale", which)
    values: dict[str, Any] = {"is_stale": True, "stale_since": at, "in_sitemap": False, "updated_at": at}
    if project.last_synced_at is not None:
        # A partial sync that came later may have seen the page after the last complete one.
        seen = literal(project.last_synced_at, UtcDateTime())
        values["last_seen_at"] = case((Page.last_seen_at > seen, Page.last_seen_at), else_=seen)
    return changed_rows(update(Page).where(gone, ~Page.is_stale).values(values))


def insert_new(project_id: int, difference: Difference, at: datetime) -> int:
    """Insert the staged URLs that the project has no page for; return how many were inserted."""
    values: Mapping[str, Any] = {
        "project_id": project_id,
        "source": "SITEMAP",
        "in_sitemap": True,
        "always_use": False,
        "is_stale": False,
        "noindex": False,
        "read_attempts": 0,
        "first_seen_at": at,
        "last_seen_at": at,
        "read_due_at": at,
        "created_at": at,
        "updated_at": at,
    }
    columns = [literal(value, Page.__table__.c[name].type) for name, value in values.items()]
    new = select(STAGING.c.url_key, STAGING.c.url, STAGING.c.lastmod, *columns)
    if difference.new < difference.found:
        stored = select(Page.id).where(Page.project_id == project_id, Page.url_key == STAGING.c.url_key)
        new = new.where(~exists(stored))
    # People read short lists by URL. For long ones the order of the index is twice as fast.
    new = new.order_by(STAGING.c.url if difference.new <= SORTED_BY_URL else STAGING.c.url_key)
    names = ["url_key", "url", "lastmod", *values]
    try:
        with db.session.begin_nested():
            return changed_rows(insert(Page).from_select(names, new))
    except IntegrityError:
        # On PostgreSQL a person may add one of the pages by hand at the same moment.
        return changed_rows(postgresql.insert(Page).from_select(names, new).on_conflict_do_nothing())


def revive(project_id: int, sync_id: int, at: datetime) -> int:
    """Make stale pages that are listed again fresh, and record them as returned; return how many changed."""
    stale = and_(Page.project_id == project_id, Page.is_stale, listed())
    returned = record_changes(sync_id, "returned", stale)
    return changed_rows(
        update(Page)
        .where(returned, Page.is_stale)
        .values(
            is_stale=False,
            stale_since=null(),
            in_sitemap=True,
            last_seen_at=at,
            read_due_at=due_again(at),
            read_attempts=0,
            updated_at=at,
        )
    )


def update_listed(project_id: int, at: datetime) -> None:
    """Store changed entries of known pages; a newer lastmod makes a page due for reading."""
    is_listed = and_(Page.project_id == project_id, Page.url_key == STAGING.c.url_key)
    changed_rows(
        update(Page)
        .where(is_listed, NEWER)
        .values(lastmod=STAGING.c.lastmod, read_due_at=due_again(at), read_attempts=0)
    )
    changed_rows(update(Page).where(is_listed, ~Page.in_sitemap, ~Page.is_stale).values(in_sitemap=True))
