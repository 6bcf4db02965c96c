"""Writes down a sync that read nothing: no page is touched, but what was learned is kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from app.failures import Failure
from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import SitemapSync
from app.pages.sitemaps import gone_children
from app.pages.sitemaps.url_buffer import Spool
from app.projects.model import Project


@dataclass(frozen=True)
class FailedReading:
    """A reading that failed: of what, why, what it found until then (None: not begun), how long."""

    sitemap_url: str
    failure: Failure
    spool: Spool | None = None
    seconds: float = 0.0


def record_failure(project_id: int, job_id: int | None, reading: FailedReading) -> None:
    """Write the row of a sync that read nothing; children that are gone are counted. The caller commits."""
    at = utc_now()
    spool = reading.spool
    sync = SitemapSync(
        project_id=project_id, job_id=job_id, sitemap_url=reading.sitemap_url, state="failed", complete=False,
        problems=[asdict(problem) for problem in spool.findings()] if spool else [],
        failure=reading.failure.to_dict(), at=at, duration_ms=round(reading.seconds * 1000),
        **(spool.figures() if spool else {}),
    )  # fmt: skip
    db.session.add(sync)
    if spool is not None:
        gone_children.count_gone(project_id, spool.report.gone, spool.harvest.came, complete=False, at=at)
    project = db.session.get_one(Project, project_id, populate_existing=True)
    project.sync_status = "failed"
    project.last_sync_error = reading.failure.to_dict()
