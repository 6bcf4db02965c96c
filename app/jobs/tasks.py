"""What RQ calls, inside the worker's application: each task says what to find and which room to call."""

from __future__ import annotations

from app.content.posts import keyword_coverage
from app.executions import queries, retention, runner, schedule
from app.infra import queue
from app.infra.settings import current_settings
from app.pages.crawling import reading
from app.pages.sync import sync_retention
from app.publishing import settle

BATCH = 100


def run_execution(job_id: int) -> None:
    """Run one execution job; our workers do the same in steps of their own."""
    runner.run(job_id)


def read_pages(project_id: int) -> None:
    """Read a batch of a project's due pages, and ask for another round when there are more."""
    try:
        done = reading.read_due_pages(current_settings(), project_id, current_settings().page_batch)
    finally:
        queue.end_round(project_id)
    if done.more:
        queue.enqueue_page_reading(project_id)


def submit_due_syncs() -> None:
    """Make the sitemap syncs that are due."""
    schedule.submit_due_syncs()


def enqueue_due_pages() -> None:
    """Ask for a round of reading for each project that has pages to read."""
    reading.enqueue_due_pages(BATCH)


def refresh_coverage() -> None:
    """Recount which keywords are covered where that may have changed."""
    keyword_coverage.refresh_due_coverage(BATCH)


def settle_publications() -> None:
    """Find out what became of publications whose job ended without knowing."""
    settle.settle_unsettled(queries.active_job_ids())


def prune_jobs() -> None:
    """Drop what is no longer kept of ended jobs."""
    retention.prune()


def prune_syncs() -> None:
    """Remove old syncs of sitemaps."""
    sync_retention.prune()
