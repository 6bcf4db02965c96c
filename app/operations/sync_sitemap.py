"""SYNC_SITEMAP: updates the project's pages from its sitemap, and searches for the sitemap if none is set."""

import random
from datetime import timedelta

from marshmallow import Schema

from app.failures import Failure, ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.settings import current_settings
from app.operations.base import Operation, Payload, performed_by
from app.pages.sync.sync_history import sync_of_job
from app.projects.model import Project


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
        project.next_sync_at = utc_now() + usual_interval()  # the project wants a sitemap again


def _was_searched(project: Project) -> bool:
    if project.next_sync_at is None:
        return (project.last_sync_error or {}).get("code") == "SITEMAP_MISSING"
    return project.sync_status == "failed" or project.next_sync_at > utc_now()


def record_end(project_id: int, job_id: int, found: Failure) -> None:
    """Record a failed sync that recorded nothing itself: it timed out, or its worker was lost."""
    from app.pages.sync.apply import FailedReading, record_failure  # loads the reading of sitemaps

    project = db.session.get_one(Project, project_id)
    if wants_sync(project) and sync_of_job(job_id) is None:
        record_failure(project_id, job_id, FailedReading(project.sitemap_url or project.url, found))


def wants_sync(project: Project) -> bool:
    """Whether the project has a sitemap or searches for one; False after a person removed it."""
    return project.sitemap_url is not None or project.next_sync_at is not None


def usual_interval() -> timedelta:
    """Return the time until the next sync of a site that asks for no other."""
    # Jitter separates the syncs of projects that were added at the same time.
    return timedelta(seconds=current_settings().sync_interval * random.uniform(0.9, 1.1))  # noqa: S311


OPERATION = Operation(
    name="SYNC_SITEMAP",
    title="Sync sitemap",
    summary="Updates the project's pages from its sitemap.",
    schema=SyncSitemapInput,
    perform=performed_by("sync_sitemap"),
    admit=admit,
    on_failed=record_end,
    long_running=True,
    one_at_a_time=True,
)
