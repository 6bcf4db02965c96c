"""The functions that RQ calls inside the worker's application. Each calls one service."""

from app.accounts import links, security_log, sessions
from app.autopilot import runs
from app.content.posts import keyword_coverage, picture_upkeep
from app.executions import queries, retention, schedule
from app.infra import queue
from app.infra.settings import current_settings
from app.keywords import removal as keyword_removal
from app.notifications import delivery, outbox, security_notices, weekly
from app.offboarding import deletion
from app.pages.crawling import reading
from app.pages.sync import sync_retention
from app.publishing import abandoned, calls, reconcile
from app.publishing import removal as post_removal
from app.spreadsheets.service import remove_old_files

BATCH = 100


def read_pages(project_id: int) -> None:
    """Read a batch of a project's due pages, and enqueue another round when there are more."""
    try:
        done = reading.read_due_pages(current_settings(), project_id, current_settings().page_batch)
    finally:
        queue.end_round(project_id)
    if done.more:
        queue.enqueue_page_reading(project_id)


def submit_due_syncs() -> None:
    schedule.submit_due_syncs()


def submit_due_search_fetches() -> None:
    schedule.submit_due_search_fetches()


def submit_due_publications() -> None:
    schedule.submit_due_publications()


def run_autopilots() -> None:
    """Start the runs of autopilots that are due, and continue those whose jobs have ended."""
    runs.continue_runs()
    runs.start_due_runs()


def enqueue_due_pages() -> None:
    """Enqueue a round of reading for each project that has pages to read."""
    reading.enqueue_due_pages(BATCH)


def refresh_coverage() -> None:
    """Recount which keywords are covered where that may have changed."""
    keyword_coverage.refresh_due_coverage(BATCH)


def reconcile_publications() -> None:
    """Reconcile publications whose job ended without a confirmed result, and delete abandoned drafts."""
    reconcile.reconcile_publications(queries.active_job_ids())
    abandoned.delete_abandoned_drafts()


def write_summaries() -> None:
    weekly.write_due_summaries()


def send_mails() -> None:
    """Send the mails that are due, and before that write those about changes of how somebody signs in."""
    security_notices.write_due_notices()
    delivery.send_due()


def delete_accounts() -> None:
    deletion.delete_due_accounts()


def prune() -> None:
    """Remove what was kept for long enough: details of jobs, calls, sessions, events, mails and the like."""
    retention.prune()
    sessions.prune()
    security_log.prune()
    links.prune()
    calls.prune_calls()
    outbox.prune()
    remove_old_files()
    keyword_removal.prune_removals()
    post_removal.prune_removals()


def prune_pictures() -> None:
    """Remove objects of the bucket that no row names."""
    picture_upkeep.prune_objects()


def prune_syncs() -> None:
    sync_retention.prune()
