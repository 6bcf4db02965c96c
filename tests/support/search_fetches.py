"""Fetches of search results as jobs: submitted as the service does, run as a worker would."""

from __future__ import annotations

from datetime import date, timedelta

from app.executions import service
from app.executions.model import ExecutionJob
from app.executions.queries import reload
from app.infra.clock import utc_now
from app.infra.crypto import encrypt
from app.infra.db import db
from app.operations import import_search_performance
from app.projects.model import Project
from app.search_performance.model import SearchConnection, SearchImport
from tests.support.google import GoogleSite
from tests.support.sites import project_at
from tests.support.working import run_job

SITE = "sc-domain:alice.example.com"


def connected_project(google: GoogleSite) -> int:
    """The id of Alice's project, connected to her site."""
    project = project_at("https://alice.example.com/")
    token = "1//0g-the-refresh-token"
    google.refresh_tokens[token] = google.person
    secret = encrypt(token)
    db.session.add(SearchConnection(project_id=project.id, refresh_token=secret, site_url=SITE))
    db.session.commit()
    return project.id


def submitted(project_id: int) -> int:
    """Submit a fetch; returns its job's id."""
    project = db.session.get_one(Project, project_id)
    submission = service.Submission(project, import_search_performance.OPERATION, {}, "test")
    return service.submit(submission).job.id


def ran(project_id: int) -> ExecutionJob:
    """Submit a fetch, run one attempt of it, and return its job."""
    job_id = submitted(project_id)
    run_job(job_id)
    return reload(job_id)


def failed_with(job: ExecutionJob) -> str:
    """The code of a job that failed."""
    assert job.status == "failed", job.result
    assert job.failure is not None
    return str(job.failure["code"])


def connection() -> SearchConnection:
    """The only connection, as the database has it."""
    db.session.rollback()
    return db.session.query(SearchConnection).populate_existing().one()


def imports() -> list[tuple[str, date, date, int, int, int]]:
    """The imports that were not replaced, the latest first."""
    db.session.rollback()
    rows = db.session.query(SearchImport).filter(SearchImport.origin != "replaced")
    rows = rows.order_by(SearchImport.last_day.desc(), SearchImport.origin)
    return [
        (row.origin, row.first_day, row.last_day, row.queries, row.pages, row.clicks)
        for row in rows.populate_existing()
    ]


def hours_until_next() -> float:
    """How long until the next fetch is due."""
    due = connection().next_fetch_at
    assert due is not None
    return (due - utc_now()).total_seconds() / 3600


def two_periods(last_day: date, clicks: int) -> list[tuple[str, date, date, int, int, int]]:
    """What ``imports`` has after a fetch of the site about bees."""
    ends = (last_day, last_day - timedelta(days=28))
    return [("fetched", end - timedelta(days=27), end, 3, 2, clicks) for end in ends]
