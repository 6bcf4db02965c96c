"""How a sitemap is read and applied: the work of SYNC_SITEMAP."""

import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from app.failures import ServiceFailure
from app.infra import queue
from app.infra.clock import utc_now
from app.infra.db import db, release
from app.infra.settings import current_settings
from app.notifications import outbox
from app.notifications.kinds import REMOVALS_QUARANTINED
from app.operations.base import JobResult, OperationFailed, Run
from app.operations.sync_sitemap import usual_interval, wants_sync
from app.pages.sitemaps.discovery import discover
from app.pages.sitemaps.document_cache import StoredDocuments
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sitemaps.url_buffer import UrlBuffer
from app.pages.sync.apply import FailedReading, apply_sitemap, record_failure, result_of
from app.projects.model import Project

RETRY_UNREACHABLE = timedelta(minutes=30)
SOONEST = timedelta(minutes=10)
"""The shortest interval, even if a site asks for less: its syncs would follow each other otherwise."""
READING_SHARE = 0.9
"""The share of a job's time for reading; the rest is for writing what was read."""


def perform(run: Run) -> JobResult:
    """Fetch and parse the sitemap. The transaction that ends the job writes the changes."""
    started = time.monotonic()
    run.progress("fetch_sitemap", 0, 2)
    project = db.session.get_one(Project, run.project_id)
    if not wants_sync(project):
        raise ServiceFailure("SITEMAP_MISSING", "The sitemap was removed before its sync began.")
    project_url, sitemap_url = project.url, project.sitemap_url
    release()
    settings = current_settings()
    found, buffer = sitemap_url or project_url, None
    try:
        found = sitemap_url or _discover(run, project_url)
        buffer = UrlBuffer(project_url, found, subdomains=settings.sitemap_subdomains)
        fetch_sitemap(
            settings,
            project_url,
            found,
            into=buffer,
            seconds=run.remaining() * READING_SHARE,
            should_stop=run.should_stop,
            cache=StoredDocuments(run.project_id),
            on_progress=lambda urls, _children: run.progress("fetch_sitemap", 0, 2, f"{urls} URLs read"),
            on_wait=lambda host, until: run.progress("fetch_sitemap", 0, 2, _waiting(host, until)),
        )
    except ServiceFailure as error:
        run.check_cancelled()
        unread = FailedReading(found, error.failure, buffer, time.monotonic() - started)
        raise _failed(run, sitemap_url, unread) from error
    run.progress("apply_changes", 1, 2, f"{buffer.listed} URLs found")
    seconds = time.monotonic() - started

    def save() -> Mapping[str, Any]:
        row = apply_sitemap(run.project_id, run.job_id, buffer, seconds)
        if (project := _unless_changed(run, sitemap_url)) is None:
            raise ServiceFailure("SITEMAP_CHANGED")  # undoes what was applied
        if row.state == "quarantined":
            outbox.put(REMOVALS_QUARANTINED, run.project_id, f"sync:{row.id}", {"sync_id": row.id})
        project.sitemap_url = found
        project.next_sync_at = utc_now() + next_in(buffer.crawl.retry_after, usual_interval())
        return {"sitemap_url": found, **result_of(row)}

    return JobResult(effect=save, afterwards=lambda: queue.enqueue_page_reading(run.project_id))


def _waiting(host: str, until: datetime) -> str:
    return f"Waiting for {host}, which is busy, until {until:%H:%M:%S} UTC"


def _discover(run: Run, project_url: str) -> str:
    found = discover(current_settings(), project_url, should_stop=run.should_stop)
    if found is None:
        raise ServiceFailure(
            "SITEMAP_MISSING",
            "No sitemap was found in robots.txt or in the usual places.",
            hints=["Add a sitemap to the site, or set the project's sitemap URL, then sync again."],
            details={"looked_at": project_url},
        )
    return found


def _failed(run: Run, sitemap_url: str | None, unread: FailedReading) -> OperationFailed:
    found = unread.failure

    def record() -> None:
        record_failure(run.project_id, run.job_id, unread)
        if (project := _unless_changed(run, sitemap_url)) is None:
            return
        search_failed = found.code == "SITEMAP_MISSING"
        usual = min(usual_interval(), RETRY_UNREACHABLE) if found.kind.retryable else usual_interval()
        asked = (found.details or {}).get("retry_after_seconds")
        project.next_sync_at = None if search_failed else utc_now() + next_in(asked, usual)

    return OperationFailed(found, effect=record)


def _unless_changed(run: Run, sitemap_url: str | None) -> Project | None:
    """Return the project, locked; None when its sitemap was changed or removed while this sync ran."""
    project = db.session.get_one(Project, run.project_id)
    db.session.flush()  # refresh would discard what is not written yet
    db.session.refresh(project, with_for_update={"key_share": True})
    return project if project.sitemap_url == sitemap_url and wants_sync(project) else None


def next_in(asked: float | None, usual: timedelta) -> timedelta:
    """Return the time until the next sync: what the site asked for, but at least SOONEST; else ``usual``."""
    return usual if asked is None else max(timedelta(seconds=asked), min(SOONEST, usual))
