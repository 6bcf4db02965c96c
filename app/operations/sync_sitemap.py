"""SYNC_SITEMAP: updates the project's pages from its sitemap, and searches for the sitemap if none is set."""

import random
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from marshmallow import Schema

from app.failures import Failure, ServiceFailure
from app.infra import queue
from app.infra.clock import utc_now
from app.infra.db import db, release
from app.infra.settings import current_settings
from app.notifications import outbox
from app.notifications.kinds import REMOVALS_QUARANTINED
from app.operations.base import JobResult, Operation, OperationFailed, Payload, Run
from app.pages.sitemaps.discovery import discover
from app.pages.sitemaps.document_cache import StoredDocuments
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sitemaps.url_buffer import UrlBuffer
from app.pages.sync.apply import FailedReading, apply_sitemap, record_failure, result_of
from app.pages.sync.sync_history import sync_of_job
from app.projects.model import Project

RETRY_UNREACHABLE = timedelta(minutes=30)
SOONEST = timedelta(minutes=10)
"""The shortest interval, even if a site asks for less: its syncs would follow each other otherwise."""
READING_SHARE = 0.9
"""The share of a job's time for reading; the rest is for writing what was read."""


class SyncSitemapInput(Schema):
    """A sync has no input."""


def admit(project: Project, _payload: Payload) -> None:
    """Refuse a project without a sitemap, unless a search for one failed before: a person may repeat it.

    Only the schedule starts the first search. After a person removed the sitemap there is no search.
    """
    if project.sitemap_url is not None:
        return
    if not _was_searched(project):
        raise ServiceFailure("SITEMAP_MISSING")
    if project.next_sync_at is None:
        project.next_sync_at = utc_now() + _interval()  # the project wants a sitemap again


def _was_searched(project: Project) -> bool:
    if project.next_sync_at is None:
        return (project.last_sync_error or {}).get("code") == "SITEMAP_MISSING"
    return project.sync_status == "failed" or project.next_sync_at > utc_now()


def perform(run: Run) -> JobResult:
    """Fetch and parse the sitemap. The transaction that ends the job writes the changes."""
    started = time.monotonic()
    run.progress("fetch_sitemap", 0, 2)
    project = db.session.get_one(Project, run.project_id)
    if not _wants_sync(project):
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
        project.next_sync_at = utc_now() + next_in(buffer.crawl.retry_after, _interval())
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
        usual = min(_interval(), RETRY_UNREACHABLE) if found.kind.retryable else _interval()
        asked = (found.details or {}).get("retry_after_seconds")
        project.next_sync_at = None if search_failed else utc_now() + next_in(asked, usual)

    return OperationFailed(found, effect=record)


def record_end(project_id: int, job_id: int, found: Failure) -> None:
    """Record a failed sync that recorded nothing itself: it timed out, or its worker was lost."""
    project = db.session.get_one(Project, project_id)
    if _wants_sync(project) and sync_of_job(job_id) is None:
        record_failure(project_id, job_id, FailedReading(project.sitemap_url or project.url, found))


def _wants_sync(project: Project) -> bool:
    """Whether the project has a sitemap or searches for one; False after a person removed it."""
    return project.sitemap_url is not None or project.next_sync_at is not None


def _unless_changed(run: Run, sitemap_url: str | None) -> Project | None:
    """Return the project, locked; None when its sitemap was changed or removed while this sync ran."""
    project = db.session.get_one(Project, run.project_id)
    db.session.flush()  # refresh would discard what is not written yet
    db.session.refresh(project, with_for_update={"key_share": True})
    return project if project.sitemap_url == sitemap_url and _wants_sync(project) else None


def next_in(asked: float | None, usual: timedelta) -> timedelta:
    """Return the time until the next sync: what the site asked for, but at least SOONEST; else ``usual``."""
    return usual if asked is None else max(timedelta(seconds=asked), min(SOONEST, usual))


def _interval() -> timedelta:
    # Jitter separates the syncs of projects that were added at the same time.
    return timedelta(seconds=current_settings().sync_interval * random.uniform(0.9, 1.1))  # noqa: S311


OPERATION = Operation(
    name="SYNC_SITEMAP",
    title="Sync sitemap",
    summary="Updates the project's pages from its sitemap.",
    schema=SyncSitemapInput,
    perform=perform,
    admit=admit,
    on_failed=record_end,
    long_running=True,
    one_at_a_time=True,
)
