"""Applies a read sitemap to a project's pages: a set-based diff in one transaction, all or nothing.

stage the URLs | lock the project | insert new | revive returned | mark gone | one row of history
Unchanged pages are not touched; a page row is never deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    CursorResult,
    Executable,
    and_,
    case,
    exists,
    func,
    insert,
    literal,
    null,
    or_,
    outerjoin,
    select,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError

from app.failures import Failure
from app.infra.clock import utc_now
from app.infra.db import UtcDateTime, db
from app.pages.decide import Decision, Reading, decide
from app.pages.model import Page, SitemapSync, SitemapSyncChange
from app.pages.spool import Spool
from app.pages.stage import STAGE, drop, fill, staged
from app.projects.model import Project

LISTED_BY_URL: Final = 5000

_SUPPLIED: Final = and_(Page.fetched_at.is_(None), Page.word_count.is_not(None))
"""A page that was added with its text, which is never fetched."""


_NEWER: Final = and_(
    STAGE.c.lastmod.is_not(None), or_(Page.lastmod.is_(None), Page.lastmod < STAGE.c.lastmod)
)


class _Difference(NamedTuple):
    """Counts of staged URLs and pages. ``changed``: listed pages of which the sitemap says something new."""

    found: int
    known: int
    missing: int
    new: int
    returned: int
    changed: int


def apply(project_id: int, job_id: int | None, spool: Spool, seconds: float) -> SitemapSync:
    """Bring the pages in line with what was read and write the sync's row; the caller commits.

    ``seconds`` is how long fetching took, for the history.
    """
    _lock(project_id)
    found = fill(db.session.connection(), spool)
    project = db.session.get_one(Project, project_id, populate_existing=True)
    at = utc_now()
    difference = _compare(project_id, found)
    reading, decision = _judge(project_id, spool, difference)
    sync = SitemapSync(
        project_id=project_id, job_id=job_id, sitemap_url=spool.sitemap_url, state=decision.state,
        complete=reading.lists_everything, found=reading.found, missing=reading.missing,
        new=0, returned=0, stale=0, duplicates=spool.listed - reading.found,
        invalid=spool.report.invalid, foreign=spool.foreign,
        bytes=spool.report.bytes, children=spool.report.children, at=at,
        problems=_problems(spool, decision), duration_ms=round(seconds * 1000),
    )  # fmt: skip
    db.session.add(sync)
    db.session.flush()
    if difference.new:
        sync.new = _insert_new(project_id, difference, at)
    if difference.returned:
        sync.returned = _revive(project_id, sync.id, at)
    if difference.missing and decision.marks_stale:
        sync.stale = _mark_stale(project, sync.id, at)
    if decision.state == "held":
        _remember(sync.id, "missing", _missing(project_id))
    if difference.changed or sync.new < difference.new:  # the rest was added by hand at this very moment
        _note_changed(project_id, at)
    sync.unchanged = reading.found - sync.new - sync.returned
    _tell_project(project, decision, at)
    drop(db.session.connection())
    return sync


def record_failure(project_id: int, job_id: int | None, sitemap_url: str, failed: Failure) -> None:
    """Write the row of a sync that read nothing; no page is touched. The caller commits."""
    db.session.add(
        SitemapSync(
            project_id=project_id, job_id=job_id, sitemap_url=sitemap_url, state="failed", complete=False,
            problems=[], failure=failed.to_dict(),
        )
    )  # fmt: skip
    project = db.session.get_one(Project, project_id, populate_existing=True)
    project.sync_status = "failed"
    project.last_sync_error = failed.to_dict()


def summary(sync: SitemapSync) -> dict[str, Any]:
    """Return what a sync did, for the job's result."""
    counts = ("found", "new", "returned", "stale", "unchanged", "missing", "invalid", "duplicates", "foreign")
    return {
        "sync_id": sync.id,
        "complete": sync.complete,
        "held": sync.state == "held",
        **{name: getattr(sync, name) for name in counts},
        "problems": sync.problems,
    }


def _lock(project_id: int) -> None:
    # On SQLite the transaction holds the write lock already.
    if _is_postgresql():
        db.session.execute(select(func.pg_advisory_xact_lock(project_id)))


def _is_postgresql() -> bool:
    return db.session.connection().dialect.name == "postgresql"


def _known(project_id: int) -> ColumnElement[bool]:
    return and_(Page.project_id == project_id, Page.in_sitemap, ~Page.is_stale)


def _missing(project_id: int) -> ColumnElement[bool]:
    return and_(_known(project_id), ~staged())


def _compare(project_id: int, found: int) -> _Difference:
    """Count, in one pass over both, how the pages differ from the ``found`` URLs of the stage."""
    is_listed, known = STAGE.c.url_key.is_not(None), _known(project_id)
    counts = select(
        func.count().filter(known),
        func.count().filter(known, ~is_listed),
        func.count(STAGE.c.url_key),
        func.count().filter(is_listed, Page.is_stale),
        func.count().filter(is_listed, or_(_NEWER, and_(~Page.in_sitemap, ~Page.is_stale))),
    ).select_from(outerjoin(Page, STAGE, STAGE.c.url_key == Page.url_key))
    known_pages, missing, listed, returned, changed = db.session.execute(
        counts.where(Page.project_id == project_id)
    ).one()
    return _Difference(found, known_pages, missing, found - listed, returned, changed)


def _judge(project_id: int, spool: Spool, difference: _Difference) -> tuple[Reading, Decision]:
    reading = Reading(
        lists_everything=spool.report.lists_everything,
        found=difference.found,
        known=difference.known,
        missing=difference.missing,
    )
    return reading, decide(reading, _said_before(project_id, reading.missing))


def _said_before(project_id: int, missing: int) -> bool:
    """Whether the last sync was held for exactly these missing pages."""
    syncs = select(SitemapSync).where(SitemapSync.project_id == project_id)
    last = db.session.scalar(syncs.order_by(SitemapSync.id.desc()).limit(1))
    if last is None or last.state != "held" or last.missing != missing:
        return False
    told = exists().where(SitemapSyncChange.sync_id == last.id, SitemapSyncChange.page_id == Page.id)
    return _count(and_(_missing(project_id), ~told)) == 0


def _insert_new(project_id: int, difference: _Difference, at: datetime) -> int:
    values: Mapping[str, Any] = {
        "project_id": project_id, "source": "SITEMAP", "in_sitemap": True, "always_use": False,
        "is_stale": False, "noindex": False, "read_attempts": 0, "first_seen_at": at, "last_seen_at": at,
        "read_due_at": at, "created_at": at, "updated_at": at,
    }  # fmt: skip
    columns = [literal(value, Page.__table__.c[name].type) for name, value in values.items()]
    new = select(STAGE.c.url_key, STAGE.c.url, STAGE.c.lastmod, *columns)
    if difference.new < difference.found:
        known = select(Page.id).where(Page.project_id == project_id, Page.url_key == STAGE.c.url_key)
        new = new.where(~exists(known))
    # In a short list pages stand by their address; for many the order of their index is twice as fast.
    new = new.order_by(STAGE.c.url if difference.new <= LISTED_BY_URL else STAGE.c.url_key)
    names = ["url_key", "url", "lastmod", *values]
    try:
        with db.session.begin_nested():
            return _rows(insert(Page).from_select(names, new))
    except IntegrityError:
        # A page that is added by hand at this very moment (never on SQLite) is no reason to fail.
        return _rows(postgresql.insert(Page).from_select(names, new).on_conflict_do_nothing())


def _revive(project_id: int, sync_id: int, at: datetime) -> int:
    gone = and_(Page.project_id == project_id, Page.is_stale, staged())
    _remember(sync_id, "returned", gone)
    return _rows(
        update(Page)
        .where(gone)
        .values(
            is_stale=False,
            stale_since=null(),
            in_sitemap=True,
            last_seen_at=at,
            read_due_at=_due_again(at),
            read_attempts=0,
            updated_at=at,
        )
    )


def _mark_stale(project: Project, sync_id: int, at: datetime) -> int:
    missing = _missing(project.id)
    _remember(sync_id, "stale", missing)
    values: dict[str, Any] = {"is_stale": True, "stale_since": at, "in_sitemap": False, "updated_at": at}
    if project.last_synced_at is not None:
        values["last_seen_at"] = _last_seen(project.last_synced_at)
    return _rows(update(Page).where(missing).values(values))


def _last_seen(last_synced: datetime) -> ColumnElement[datetime]:
    # A page that a partial sync added or revived was seen after the last complete one.
    seen = literal(last_synced, UtcDateTime())
    return case((Page.last_seen_at > seen, Page.last_seen_at), else_=seen)


def _due_again(at: datetime) -> ColumnElement[datetime | None]:
    return case((_SUPPLIED, Page.read_due_at), else_=literal(at, UtcDateTime()))


def _note_changed(project_id: int, at: datetime) -> None:
    """Take over what the sitemap says anew of known pages; a newer lastmod makes a page due for reading."""
    mine = and_(Page.project_id == project_id, Page.url_key == STAGE.c.url_key)
    db.session.execute(
        update(Page)
        .where(mine, _NEWER)
        .values(lastmod=STAGE.c.lastmod, read_due_at=_due_again(at), read_attempts=0)
        .execution_options(synchronize_session=False)
    )
    db.session.execute(
        update(Page)
        .where(mine, ~Page.in_sitemap, ~Page.is_stale)
        .values(in_sitemap=True)
        .execution_options(synchronize_session=False)
    )


def _remember(sync_id: int, kind: str, which: ColumnElement[bool]) -> None:
    rows = select(literal(sync_id), Page.id, literal(kind)).where(which)
    db.session.execute(insert(SitemapSyncChange).from_select(["sync_id", "page_id", "kind"], rows))


def _tell_project(project: Project, decision: Decision, at: datetime) -> None:
    project.sync_status = "partial" if decision.state == "partial" else "ok"
    project.last_sync_error = None
    project.coverage_due_at = at
    if decision.state == "ok":
        project.last_synced_at = at


def _problems(spool: Spool, decision: Decision) -> list[dict[str, Any]]:
    found = [asdict(problem) for problem in spool.report.findings(spool.sitemap_url)]
    if decision.reason:
        found.append({"code": decision.state.upper(), "where": spool.sitemap_url, "message": decision.reason})
    return found


def _count(which: ColumnElement[bool]) -> int:
    return db.session.scalar(select(func.count()).select_from(Page).where(which)) or 0


def _rows(statement: Executable) -> int:
    # Without preserve_rowcount PostgreSQL's driver has forgotten the count of an INSERT by then: -1.
    options = {"synchronize_session": False, "preserve_rowcount": True}
    result = db.session.execute(statement, execution_options=options)
    return result.rowcount if isinstance(result, CursorResult) else 0
