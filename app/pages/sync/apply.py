"""Applies a parsed sitemap to a project's pages in one transaction, all or nothing.

fill staging table | lock project | compare | decide | insert, revive and mark stale | one row of history
Rows of unchanged pages are not touched, and no page row is ever deleted.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, false, func, select

from app.failures import Failure
from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import Page, SitemapSync
from app.pages.page_counts import note_added, note_stale
from app.pages.sitemaps import document_cache, gone_sitemaps
from app.pages.sitemaps.url_buffer import UrlBuffer
from app.pages.sync import sitemap_files, staging
from app.pages.sync.decide import CONFIRMED_AFTER, Decision, Reading, decide
from app.pages.sync.page_changes import (
    insert_new,
    lock_project,
    mark_stale,
    quarantined_by,
    record_missing,
    revive,
    update_listed,
)
from app.pages.sync.quarantine import last_conclusive_sync, open_quarantine, remove_listed
from app.pages.sync.staging import Difference, compare, missing_pages
from app.pages.sync.sync_history import changes_of
from app.projects.model import Project

MOST_URLS: Final = 20
MOST_CHARACTERS: Final = 4000
"""A job's result lists at most this many URLs for each kind of change, with this many characters in all."""

_COUNTS: Final = (
    "found",
    "new",
    "returned",
    "stale",
    "unchanged",
    "missing",
    "invalid",
    "duplicates",
    "foreign",
    "children",
    "not_modified",
)


@dataclass(frozen=True)
class _Plan:
    """What one sync does to a project's pages, and why.

    ``quarantine`` is the sync whose quarantine was open before this one, ``earlier`` its id if it is of the
    same sitemap. ``confirmed`` is the condition that this sync can confirm the removal of a page in it.
    """

    project: Project
    at: datetime
    difference: Difference
    reading: Reading
    decision: Decision
    quarantine: SitemapSync | None
    earlier: int | None
    confirmed: ColumnElement[bool]


@dataclass(frozen=True)
class FailedReading:
    """A reading that failed: of which sitemap, why, what it found before that, and how long it took.

    ``buffer`` is None if the reading never began.
    """

    sitemap_url: str
    failure: Failure
    buffer: UrlBuffer | None = None
    seconds: float = 0.0


def apply_sitemap(project_id: int, job_id: int | None, buffer: UrlBuffer, seconds: float) -> SitemapSync:
    """Change the pages to what the sitemap lists, and return the sync's row; the caller commits.

    ``seconds``: how long fetching took, for the history.
    """
    found = staging.fill(buffer)
    lock_project(project_id)
    plan = _plan(project_id, buffer, found)
    sync = _row(plan, job_id, buffer, seconds)
    db.session.add(sync)
    db.session.flush()
    _change_pages(plan, sync)
    if plan.decision.state == "quarantined":
        sync.missing -= sync.stale
        record_missing(sync.id, missing_pages(project_id), plan.at, plan.earlier)
    elif plan.quarantine is not None:
        remove_listed(plan.quarantine)
    _update_project(plan, sync)
    staging.drop()
    _store_documents(plan, buffer)
    return sync


def record_failure(project_id: int, job_id: int | None, reading: FailedReading) -> None:
    """Write the row of a sync that read nothing, and count lost child sitemaps. Commits nothing."""
    at = utc_now()
    buffer = reading.buffer
    sync = SitemapSync(
        project_id=project_id,
        job_id=job_id,
        sitemap_url=reading.sitemap_url,
        state="failed",
        complete=False,
        problems=[asdict(problem) for problem in buffer.problems()] if buffer else [],
        failure=reading.failure.to_dict(),
        at=at,
        duration_ms=round(reading.seconds * 1000),
        **(buffer.counts() if buffer else {}),
    )
    db.session.add(sync)
    if buffer is not None:
        gone_sitemaps.count_gone(project_id, buffer.report.gone, buffer.crawl.answered, complete=False, at=at)
        sitemap_files.store(project_id, buffer.report, at)
    project = db.session.get_one(Project, project_id, populate_existing=True)
    project.sync_status = "failed"
    project.last_sync_error = reading.failure.to_dict()


def result_of(sync: SitemapSync) -> dict[str, Any]:
    """Return what a sync did, for the job's result: counts, and the first URLs of each kind of change."""
    return {
        "sync_id": sync.id,
        "state": sync.state,
        "changed": bool(sync.new or sync.returned or sync.stale),
        "complete": sync.complete,
        "quarantined": sync.state == "quarantined",
        **{name: getattr(sync, name) for name in _COUNTS},
        "urls": {kind: _first_urls(sync, kind) for kind in ("new", "returned", "stale", "missing")},
        "problems": sync.problems,
    }


def _first_urls(sync: SitemapSync, kind: str) -> list[str]:
    if not getattr(sync, kind):
        return []
    urls = [page.url for page in changes_of(sync, kind, MOST_URLS)]
    lengths = accumulate(len(url) for url in urls)
    return [url for url, length in zip(urls, lengths, strict=True) if length <= MOST_CHARACTERS]


def _plan(project_id: int, buffer: UrlBuffer, found: int) -> _Plan:
    project = db.session.get_one(Project, project_id, populate_existing=True)
    at = utc_now()
    difference = compare(project_id, found)
    quarantine, last = open_quarantine(project_id), last_conclusive_sync(project_id)
    is_same_sitemap = last is not None and last.sitemap_url == buffer.sitemap_url
    earlier = quarantine.id if quarantine is not None and is_same_sitemap else None
    until = at - CONFIRMED_AFTER
    confirmed = false() if earlier is None else quarantined_by(earlier, until)
    missing_again = waiting = 0
    if difference.missing and earlier is not None:
        missing_again = _count(and_(missing_pages(project_id), confirmed))
        waiting = _count(and_(missing_pages(project_id), quarantined_by(earlier))) - missing_again
    reading = Reading(
        lists_everything=buffer.report.lists_everything,
        found=difference.found,
        known=difference.known,
        missing=difference.missing,
        was_empty=is_same_sitemap and last is not None and last.found == 0 and last.at <= until,
    )
    decision = decide(reading, missing_again, waiting)
    return _Plan(project, at, difference, reading, decision, quarantine, earlier, confirmed)


def _row(plan: _Plan, job_id: int | None, buffer: UrlBuffer, seconds: float) -> SitemapSync:
    return SitemapSync(
        project_id=plan.project.id,
        job_id=job_id,
        sitemap_url=buffer.sitemap_url,
        state=plan.decision.state,
        complete=plan.reading.lists_everything,
        found=plan.reading.found,
        missing=plan.reading.missing,
        duplicates=buffer.listed - plan.reading.found,
        at=plan.at,
        problems=_problems(buffer, plan.decision),
        duration_ms=round(seconds * 1000),
        **buffer.counts(),
    )


def _problems(buffer: UrlBuffer, decision: Decision) -> list[dict[str, Any]]:
    found = [asdict(problem) for problem in buffer.problems()]
    is_whole_feed = buffer.report.is_feed and buffer.report.complete  # the problem FEED already explains it
    if decision.reason and not is_whole_feed:
        found.append(
            {"code": decision.state.upper(), "where": buffer.sitemap_url, "message": decision.reason}
        )
    return found


def _change_pages(plan: _Plan, sync: SitemapSync) -> None:
    project_id, at, difference = plan.project.id, plan.at, plan.difference
    if difference.new:
        sync.new = insert_new(project_id, difference, at)
    if difference.returned:
        sync.returned = revive(project_id, sync.id, at)
    if difference.missing and plan.decision.marks_stale != "none":
        missing = missing_pages(project_id)
        which = missing if plan.decision.marks_stale == "all" else and_(missing, plan.confirmed)
        sync.stale = mark_stale(plan.project, sync.id, which, at)
    if difference.changed or sync.new < difference.new:  # the others were added by hand at the same moment
        update_listed(project_id, at)
    sync.unchanged = sync.found - sync.new - sync.returned


def _update_project(plan: _Plan, sync: SitemapSync) -> None:
    project, at = plan.project, plan.at
    if sync.new:
        note_added(project.id, sync.new, at)
    if sync.stale or sync.returned:
        note_stale(project.id, sync.stale - sync.returned)
        project.coverage_due_at = at  # new pages count once they have been read
    project.sync_status = "partial" if sync.state == "partial" else "ok"
    project.last_sync_error = None
    if sync.state == "ok":
        project.last_synced_at = at


def _store_documents(plan: _Plan, buffer: UrlBuffer) -> None:
    project_id, is_complete = plan.project.id, plan.reading.lists_everything
    gone_sitemaps.count_gone(
        project_id, buffer.report.gone, buffer.crawl.answered, complete=is_complete, at=plan.at
    )
    sitemap_files.store(project_id, buffer.report, plan.at)
    if is_complete:
        document_cache.store(project_id, buffer.crawl)


def _count(which: ColumnElement[bool]) -> int:
    return db.session.scalar(select(func.count()).select_from(Page).where(which)) or 0
