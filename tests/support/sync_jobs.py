"""Syncs as jobs: submitted as the service does, run as a worker would."""

from __future__ import annotations

from app.executions import service
from app.executions.model import ExecutionJob
from app.executions.queries import reload
from app.executions.schedule import RESUBMIT_AFTER
from app.executions.service import Submission
from app.infra.clock import utc_now
from app.infra.db import db
from app.operations import sync_sitemap
from app.pages.model import SitemapSync
from app.pages.sync.sync_history import sync_of_job
from app.projects.model import Project
from tests.support.working import run_job


def current(project_id: int) -> Project:
    """The project as the database has it now."""
    db.session.rollback()
    return db.session.get_one(Project, project_id, populate_existing=True)


def submitted(project_id: int, *, scheduled: bool = False) -> int:
    """Submit a sync, or as the schedule does when one is due; returns its job's id."""
    project = current(project_id)
    if scheduled:
        project.next_sync_at = utc_now() + RESUBMIT_AFTER
        db.session.commit()
    return service.submit(
        Submission(
            project=project, payload={},
            operation=sync_sitemap.OPERATION, scope="test", scheduled=scheduled,
        )
    ).job.id  # fmt: skip


def ran(project_id: int, *, scheduled: bool = False) -> ExecutionJob:
    """Submit a sync, run it, and return its job."""
    job_id = submitted(project_id, scheduled=scheduled)
    run_job(job_id)
    return reload(job_id)


def failed_with(job: ExecutionJob) -> str:
    """The code of a job that failed and says what to do."""
    assert job.status == "failed"
    assert job.failure is not None
    assert job.failure["remediation_hints"]
    return str(job.failure["code"])


def sync_of(job: ExecutionJob) -> SitemapSync:
    """The row of a job's sync."""
    row = sync_of_job(job.id)
    assert row is not None
    return row


def seconds_until_next(project_id: int) -> float:
    """How long until the project is synced again; negative when it is due."""
    due = current(project_id).next_sync_at
    assert due is not None
    return (due - utc_now()).total_seconds()
