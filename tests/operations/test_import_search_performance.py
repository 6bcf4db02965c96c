"""IMPORT_SEARCH_PERFORMANCE jobs as a worker runs them, against a look-alike of Google."""

from __future__ import annotations

import logging
from datetime import date, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from app.accounts.service import get_account
from app.executions import schedule, service
from app.executions.model import ExecutionJob
from app.executions.queries import history_of, latest_jobs, reload
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.crypto import encrypt
from app.infra.db import db
from app.infra.settings import current_settings
from app.operations.registry import IMPORT_SEARCH_PERFORMANCE
from app.overview.attention import needs_of
from app.projects.model import Project
from app.search_performance.google import api
from app.search_performance.google.connection import choose_site, disconnect
from app.search_performance.model import SearchConnection, SearchDay, SearchImport, SearchPage, SearchQuery
from tests.support.google import LAST_DAY, GoogleSite, Property, api_error, bee_property
from tests.support.servers import Reply
from tests.support.sites import project_at
from tests.support.working import run_job

SITE = "sc-domain:alice.example.com"


@pytest.fixture
def settings_overrides(google: GoogleSite) -> dict[str, str]:
    return google.environment()


@pytest.fixture
def bees(google: GoogleSite) -> Property:
    return google.add(SITE, bee_property())


@pytest.fixture
def project_id(db_app: Flask, google: GoogleSite, bees: Property) -> int:
    """Alice's project, connected to her site about bees."""
    project = project_at("https://alice.example.com/")
    token = "1//0g-the-refresh-token"
    google.refresh_tokens[token] = google.person
    secret = encrypt(token, current_settings().encryption_key)
    db.session.add(SearchConnection(project_id=project.id, refresh_token=secret, site_url=SITE))
    db.session.commit()
    return project.id


def submitted(project_id: int) -> int:
    project = db.session.get_one(Project, project_id)
    account = get_account(project.account_id)
    submission = service.Submission(account, project, IMPORT_SEARCH_PERFORMANCE, {}, "test")
    return service.submit(submission).job.id


def ran(project_id: int) -> ExecutionJob:
    """Submit a fetch, run one attempt of it, and return its job."""
    job_id = submitted(project_id)
    run_job(job_id)
    return reload(job_id)


def failed_with(job: ExecutionJob) -> str:
    assert job.status == "failed", job.result
    assert job.failure is not None
    return str(job.failure["code"])


def connection() -> SearchConnection:
    db.session.rollback()
    return db.session.query(SearchConnection).populate_existing().one()


def imports() -> list[tuple[str, date, date, int, int, int]]:
    """The imports, the latest first."""
    db.session.rollback()
    rows = db.session.query(SearchImport).order_by(SearchImport.last_day.desc(), SearchImport.origin)
    return [
        (row.origin, row.first_day, row.last_day, row.queries, row.pages, row.clicks)
        for row in rows.populate_existing()
    ]


def hours_until_next() -> float:
    due = connection().next_fetch_at
    assert due is not None
    return (due - utc_now()).total_seconds() / 3600


def two_periods(last_day: date, clicks: int) -> list[tuple[str, date, date, int, int, int]]:
    ends = (last_day, last_day - timedelta(days=28))
    return [("fetched", end - timedelta(days=27), end, 3, 2, clicks) for end in ends]


def test_a_fetch_stores_the_days_and_two_periods(project_id: int, google: GoogleSite) -> None:
    job = ran(project_id)
    assert (job.status, job.failure) == ("succeeded", None)
    assert job.result == {
        "site_url": SITE, "days": 100, "first_day": (LAST_DAY - timedelta(days=27)).isoformat(),
        "last_day": LAST_DAY.isoformat(), "queries": 3, "pages": 2, "clicks": 196, "impressions": 7000,
    }  # fmt: skip
    assert imports() == two_periods(LAST_DAY, 196)
    bee = db.session.query(SearchQuery).filter_by(query="queen bees").first()
    assert (bee.clicks, bee.impressions, bee.position) == (112, 2520, 3.2)
    urls = {row.url: row.clicks for row in db.session.query(SearchPage)}
    assert urls == {"https://alice.example.com/queens": 140, "https://alice.example.com/swarms": 56}
    days = db.session.query(SearchDay).order_by(SearchDay.day).all()
    assert [(day.clicks, day.impressions) for day in days] == [(6, 220)] * 100
    assert (days[-1].day, connection().last_day, connection().failure) == (LAST_DAY, LAST_DAY, None)
    assert 23 < hours_until_next() <= 24
    assert all(query["dataState"] == "final" for query in google.queries)


def test_fetching_again_replaces_the_last_fetch_and_leaves_imported_files(
    project_id: int, bees: Property
) -> None:
    same_days = {"first_day": LAST_DAY - timedelta(days=27), "last_day": LAST_DAY}
    db.session.add(SearchImport(project_id=project_id, **same_days, source="May.zip", clicks=7))
    db.session.commit()
    file = ("file", *same_days.values(), 0, 0, 7)
    ran(project_id)
    ran(project_id)
    current, before = two_periods(LAST_DAY, 196)
    assert imports() == [current, file, before] or imports() == [file, current, before]
    assert db.session.query(SearchQuery).count() == 6
    assert db.session.query(SearchDay).count() == 100
    bees.last_day += timedelta(days=1)
    bees.queries["queen bees"] = (6, 90, 3.2)
    ran(project_id)
    assert [row for row in imports() if row[0] == "fetched"] == two_periods(bees.last_day, 196)
    assert db.session.query(SearchDay).count() == 101
    assert db.session.query(SearchDay).filter_by(day=LAST_DAY).one().clicks == 8, (
        "the last days are read again"
    )
    assert file in imports()


def test_rows_come_in_pages_and_no_more_than_allowed(
    project_id: int, bees: Property, google: GoogleSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "PAGE_ROWS", 2)
    monkeypatch.setattr("app.search_performance.google.fetching.MOST_ROWS", 5)
    bees.queries = {f"bee {number}": (number, 100, 5.0) for number in range(9)}
    assert ran(project_id).status == "succeeded"
    asked = [
        (query["startRow"], query["rowLimit"]) for query in google.queries if query["dimensions"] == ["query"]
    ]
    assert asked == [(0, 2), (2, 2), (4, 1)] * 2
    top = {row.query for row in db.session.query(SearchQuery)}
    assert top == {f"bee {number}" for number in range(4, 9)}, "those with most clicks"


def test_what_cannot_be_stored_is_left_out(project_id: int, bees: Property) -> None:
    bees.queries = {"b" * 201: (1, 1, 1.0), "bees\x00": (1, 1, 1.0), "  Queen  BEES ": (2, 3, 1.0)}
    bees.pages = {"https://other.example/": (1, 1, 1.0), "not a page": (1, 1, 1.0)}
    assert ran(project_id).status == "succeeded"
    assert {row.query for row in db.session.query(SearchQuery)} == {"queen bees"}
    assert db.session.query(SearchPage).count() == 0


def test_a_site_without_any_figures_shows_nothing_and_is_asked_again(project_id: int, bees: Property) -> None:
    bees.first_day = bees.last_day + timedelta(days=1)
    job = ran(project_id)
    assert job.status == "succeeded"
    assert job.result == {
        "site_url": SITE, "days": 0, "first_day": None, "last_day": None,
        "queries": 0, "pages": 0, "clicks": 0, "impressions": 0,
    }  # fmt: skip
    assert imports() == []
    assert hours_until_next() > 23


def test_an_interrupted_fetch_goes_on_with_the_period_that_is_missing(
    project_id: int, google: GoogleSite
) -> None:
    google.next_errors = [None] * 6 + [Reply(503)]
    job_id = submitted(project_id)
    run_job(job_id)
    assert reload(job_id).status == "queued", "another attempt follows"
    assert [row[0] for row in imports()] == ["read", "reading"]
    asked = len(google.queries)
    db.session.execute(update(ExecutionJob).values(available_at=utc_now()))
    db.session.commit()
    run_job(job_id)
    assert reload(job_id).status == "succeeded"
    assert imports() == two_periods(LAST_DAY, 196)
    assert len(google.queries) - asked == 5, "the days, and two pages of two lists"


def test_an_access_token_that_expires_in_the_middle_is_renewed(project_id: int, google: GoogleSite) -> None:
    google.next_errors = [None, None, api_error(401, "authError", "Invalid Credentials")]
    assert ran(project_id).status == "succeeded"
    assert len(google.requests_for("/token")) == 2


def test_a_withdrawn_permission_waits_for_a_person(project_id: int, google: GoogleSite) -> None:
    ran(project_id)
    google.withdraw(google.person)
    assert failed_with(ran(project_id)) == "SEARCH_CONSOLE_AUTH"
    assert connection().next_fetch_at is None
    assert [row[0] for row in imports()] == ["fetched", "fetched"], "the figures stay"
    (need,) = needs_of(db.session.get_one(Project, project_id))
    assert need.kind == "search_not_read"
    assert need.failure is not None
    assert need.failure["next_actions"] == ["connect_search_console"]
    assert schedule.submit_due_search_fetches() == 0


@pytest.mark.parametrize(
    ("error", "code", "first_wait"),
    [
        (api_error(403, "quotaExceeded", "Quota exceeded"), "SEARCH_CONSOLE_RATE_LIMITED", 1),
        (api_error(403, "forbidden", "No permission for site"), "SEARCH_CONSOLE_FORBIDDEN", 24),
        (api_error(403, "accessNotConfigured", "Not enabled"), "SEARCH_CONSOLE_REJECTED", 24),
    ],
)
def test_a_failed_fetch_is_tried_again_later(
    project_id: int, google: GoogleSite, error: Reply, code: str, first_wait: int
) -> None:
    for wait in (first_wait, 24):
        google.next_errors = [error]
        assert failed_with(ran(project_id)) == code
        assert abs(hours_until_next() - wait) < 0.1
    is_listed = bool(needs_of(db.session.get_one(Project, project_id)))
    assert is_listed == (first_wait == 24), "a quota needs nobody's hand"
    assert ran(project_id).status == "succeeded"
    assert connection().failure is None


def test_what_a_fetch_failed_with_is_listed_when_nothing_is_read_for_days(
    project_id: int, google: GoogleSite
) -> None:
    google.next_errors = [api_error(429, "rateLimitExceeded", "Slow down")]
    ran(project_id)
    db.session.execute(update(SearchConnection).values(created_at=utc_now() - timedelta(days=4)))
    db.session.commit()
    assert [need.kind for need in needs_of(db.session.get_one(Project, project_id))] == ["search_not_read"]


def test_a_due_fetch_becomes_one_job(project_id: int) -> None:
    assert schedule.submit_due_search_fetches() == 0, "none is due"
    db.session.execute(update(SearchConnection).values(next_fetch_at=utc_now()))
    db.session.commit()
    assert schedule.submit_due_search_fetches() == 1
    assert schedule.submit_due_search_fetches() == 0
    (job,) = latest_jobs(project_id, 5)
    assert (job.operation, job.requested_by) == ("IMPORT_SEARCH_PERFORMANCE", "the schedule")
    assert submitted(project_id) == job.id, "one at a time"
    assert 0.9 < hours_until_next() <= 1, "if the job is lost"


def test_a_site_that_was_changed_meanwhile_shows_nothing_of_the_other(
    project_id: int, google: GoogleSite, bees: Property, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(project_id)
    other = google.add("https://alice.example.com/", bee_property())
    other.queries = {"other": (1, 1, 1.0)}
    end_period = "app.search_performance.google.fetching.end_period"

    def changed(import_id: int) -> None:
        choose_site(project_id, "https://alice.example.com/")

    monkeypatch.setattr(end_period, changed)
    assert failed_with(ran(project_id)) == "SEARCH_CONSOLE_NOT_CONNECTED"
    monkeypatch.undo()
    assert db.session.query(SearchDay).count() == 0
    assert ran(project_id).status == "succeeded"
    assert {row.query for row in db.session.query(SearchQuery)} == {"other"}


def test_without_a_connection_nothing_is_fetched(project_id: int) -> None:
    job_id = submitted(project_id)
    disconnect(db.session.get_one(Project, project_id))
    run_job(job_id)
    assert failed_with(reload(job_id)) == "SEARCH_CONSOLE_NOT_CONNECTED"
    with pytest.raises(ServiceFailure, match="SEARCH_CONSOLE_NOT_CONNECTED"):
        submitted(project_id)


def test_no_secret_is_logged_or_stored_in_the_open(
    project_id: int, google: GoogleSite, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ids = [ran(project_id).id]
    google.next_errors = [api_error(400, "invalidParameter", f"{next(iter(google.access_tokens))} is wrong")]
    ids.append(ran(project_id).id)
    google.close()
    ids.append(ran(project_id).id)
    stored: list[Any] = [[job.failure, job.result, job.progress] for job in map(reload, ids)]
    stored += [[row.details for row in rows] for rows in history_of(ids).values()]
    stored += [connection().refresh_token, connection().failure]
    text = repr(stored) + caplog.text
    assert [secret for secret in google.secrets() if secret in text] == []
