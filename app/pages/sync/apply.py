"""Applies a read sitemap to a project's pages: a set-based diff in one transaction, all or nothing.

stage the URLs | lock the project | insert new | revive returned | mark gone | one row of history
Unchanged pages are not touched; a page row is never deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from itertools import accumulate
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    and_,
    exists,
    false,
    func,
    insert,
    literal,
    null,
    select,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError

from app.infra.clock import utc_now
from app.infra.db import changed_rows, db
from app.pages.model import Page, SitemapSync
from app.pages.page_counts import note_added, note_stale
from app.pages.sitemaps import document_cache as kept_documents
from app.pages.sitemaps import gone_children
from app.pages.sitemaps.url_buffer import Spool
from app.pages.supplied import due_again
from app.pages.sync.decide import Decision, Reading, decide
from app.pages.sync.difference import NEWER, Difference, compare, missing_pages
from app.pages.sync.project_lock import lock_project
from app.pages.sync.quarantine import last_settling, note_found, open_hold
from app.pages.sync.staging import STAGE, drop, fill, staged
from app.pages.sync.stale import mark_stale, remember, told_missing
from app.pages.sync.sync_history import changes_of
from app.projects.model import Project

LISTED_BY_URL: Final = 5000
URLS_TOLD: Final = 20
CHARACTERS_TOLD: Final = 4000
"""At most so many URLs of each kind of change, of so many characters together, are in a job's result."""


class _Turn(NamedTuple):
    """What one sync does to a project's pages, and why.

    ``hold`` is the sync whose loss was open before, ``told`` the condition that it was held because of a page
    and that this sync may confirm it: it is of the same sitemap.
    """

    project: Project
    at: datetime
    difference: Difference
    reading: Reading
    decision: Decision
    hold: SitemapSync | None
    told: ColumnElement[bool]


def apply(project_id: int, job_id: int | None, spool: Spool, seconds: float) -> SitemapSync:
    """Bring the pages in line with what was read and write the sync's row; the caller commits.

    ``seconds`` is how long fetching took, for the history.
    """
    found = fill(spool)
    lock_project(project_id)
    turn = _turn(project_id, spool, found)
    sync = _row(turn, job_id, spool, seconds)
    db.session.add(sync)
    db.session.flush()
    _change_pages(turn, sync)
    if turn.decision.state == "held":
        sync.missing -= sync.stale
        remember(sync.id, "missing", missing_pages(project_id))
    elif turn.hold is not None:
        note_found(turn.hold)
    _tell_project(turn, sync)
    drop()
    _remember_documents(turn, spool)
    return sync


def summary(sync: SitemapSync) -> dict[str, Any]:
    """Return what a sync did, for the job's result: counts, and the first URLs of each kind of change."""
    counts = (
        "found", "new", "returned", "stale", "unchanged", "missing", "invalid", "duplicates", "foreign",
        "children", "not_modified",
    )  # fmt: skip
    return {
        "sync_id": sync.id,
        "state": sync.state,
        "changed": bool(sync.new or sync.returned or sync.stale),
        "complete": sync.complete,
        "held": sync.state == "held",
        **{name: getattr(sync, name) for name in counts},
        "urls": {kind: _first_urls(sync, kind) for kind in ("new", "returned", "stale", "missing")},
        "problems": sync.problems,
    }


def _first_urls(sync: SitemapSync, kind: str) -> list[str]:
    if not getattr(sync, kind):
        return []
    urls = [page.url for page in changes_of(sync, kind, URLS_TOLD)]
    lengths = accumulate(len(url) for url in urls)
    return [url for url, told in zip(urls, lengths, strict=True) if told <= CHARACTERS_TOLD]


def _turn(project_id: int, spool: Spool, found: int) -> _Turn:
    """Compare the ``found`` URLs of the stage with the pages, and decide what follows from it."""
    project = db.session.get_one(Project, project_id, populate_existing=True)
    at = utc_now()
    difference = compare(project_id, found)
    hold, last = open_hold(project_id), last_settling(project_id)
    is_of_same = last is not None and last.sitemap_url == spool.sitemap_url
    told = told_missing(hold.id) if hold is not None and is_of_same else false()
    said_before = _count(and_(missing_pages(project_id), told)) if difference.missing else 0
    reading = _reading(spool, difference, last if is_of_same else None)
    return _Turn(project, at, difference, reading, decide(reading, said_before), hold, told)


def _row(turn: _Turn, job_id: int | None, spool: Spool, seconds: float) -> SitemapSync:
    reading, decision = turn.reading, turn.decision
    return SitemapSync(
        project_id=turn.project.id, job_id=job_id, sitemap_url=spool.sitemap_url, state=decision.state,
        complete=reading.lists_everything, found=reading.found, missing=reading.missing,
        new=0, returned=0, stale=0, duplicates=spool.listed - reading.found, at=turn.at,
        problems=_problems(spool, decision), duration_ms=round(seconds * 1000), **spool.figures(),
    )  # fmt: skip


def _change_pages(turn: _Turn, sync: SitemapSync) -> None:
    """Insert, revive and mark stale what the sync is to, and count it in the sync's row."""
    project_id, at, difference = turn.project.id, turn.at, turn.difference
    if difference.new:
        sync.new = _insert_new(project_id, difference, at)
    if difference.returned:
        sync.returned = _revive(project_id, sync.id, at)
    if difference.missing and turn.decision.marks_stale != "none":
        gone = missing_pages(project_id)
        which = gone if turn.decision.marks_stale == "all" else and_(gone, turn.told)
        sync.stale = mark_stale(turn.project, sync.id, which, at)
    if difference.changed or sync.new < difference.new:  # the rest was added by hand at this very moment
        _note_changed(project_id, at)
    sync.unchanged = sync.found - sync.new - sync.returned


def _reading(spool: Spool, difference: Difference, last: SitemapSync | None) -> Reading:
    return Reading(
        lists_everything=spool.report.lists_everything,
        found=difference.found,
        known=difference.known,
        missing=difference.missing,
        said_empty=last is not None and last.found == 0,
    )


def _insert_new(project_id: int, difference: Difference, at: datetime) -> int:
    values: Mapping[str, Any] = {
        "project_id": project_id, "source": "SITEMAP", "in_sitemap": True, "always_use": False,
        "is_stale": False, "noindex": False, "read_attempts": 0, "first_seen_at": at, "last_seen_at": at,
        "read_due_at": at, "created_at": at, "updated_at": at,
    }  # fmt: skip
    columns = [literal(value, Page.__table__.c[name].type) for name, value in values.items()]
    new = select(STAGE.c.url_key, STAGE.c.url, STAGE.c.lastmod, *columns)
    if difference.new < difference.found:
        there = select(Page.id).where(Page.project_id == project_id, Page.url_key == STAGE.c.url_key)
        new = new.where(~exists(there))
    # In a short list pages stand by their address; for many the order of their index is twice as fast.
    new = new.order_by(STAGE.c.url if difference.new <= LISTED_BY_URL else STAGE.c.url_key)
    names = ["url_key", "url", "lastmod", *values]
    try:
        with db.session.begin_nested():
            return changed_rows(insert(Page).from_select(names, new))
    except IntegrityError:
        # A page that is added by hand at this very moment (never on SQLite) is no reason to fail.
        return changed_rows(postgresql.insert(Page).from_select(names, new).on_conflict_do_nothing())


def _revive(project_id: int, sync_id: int, at: datetime) -> int:
    gone = and_(Page.project_id == project_id, Page.is_stale, staged())
    found_again = remember(sync_id, "returned", gone)
    return changed_rows(
        update(Page)
        .where(found_again, Page.is_stale)
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


def _note_changed(project_id: int, at: datetime) -> None:
    """Take over what the sitemap says anew of known pages; a newer lastmod makes a page due for reading."""
    mine = and_(Page.project_id == project_id, Page.url_key == STAGE.c.url_key)
    db.session.execute(
        update(Page)
        .where(mine, NEWER)
        .values(lastmod=STAGE.c.lastmod, read_due_at=due_again(at), read_attempts=0)
        .execution_options(synchronize_session=False)
    )
    db.session.execute(
        update(Page)
        .where(mine, ~Page.in_sitemap, ~Page.is_stale)
        .values(in_sitemap=True)
        .execution_options(synchronize_session=False)
    )


def _tell_project(turn: _Turn, sync: SitemapSync) -> None:
    project, at = turn.project, turn.at
    if sync.new:
        note_added(project.id, sync.new, at)
    if sync.stale or sync.returned:
        note_stale(project.id, sync.stale - sync.returned)
        project.coverage_due_at = at  # new pages count when they have been read
    project.sync_status = "partial" if sync.state == "partial" else "ok"
    project.last_sync_error = None
    if sync.state == "ok":
        project.last_synced_at = at


def _remember_documents(turn: _Turn, spool: Spool) -> None:
    project_id, is_complete = turn.project.id, turn.reading.lists_everything
    gone_children.count_gone(
        project_id, spool.report.gone, spool.harvest.came, complete=is_complete, at=turn.at
    )
    if is_complete:
        kept_documents.keep(project_id, spool.harvest)


def _problems(spool: Spool, decision: Decision) -> list[dict[str, Any]]:
    found = [asdict(problem) for problem in spool.findings()]
    is_whole_feed = spool.report.is_feed and spool.report.complete  # which says so itself
    if decision.reason and not is_whole_feed:
        found.append({"code": decision.state.upper(), "where": spool.sitemap_url, "message": decision.reason})
    return found


def _count(which: ColumnElement[bool]) -> int:
    return db.session.scalar(select(func.count()).select_from(Page).where(which)) or 0
