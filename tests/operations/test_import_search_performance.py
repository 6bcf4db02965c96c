"""IMPORT_SEARCH_PERFORMANCE jobs as a worker runs them, against a look-alike of Google."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.executions import schedule
from app.executions.model import ExecutionJob
from app.executions.queries import latest_jobs, reload
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from app.search_performance.google import api
from app.search_performance.google.connection import choose_site, disconnect
from app.search_performance.model import SearchConnection, SearchDay, SearchImport, SearchPage, SearchQuery
from tests.support.google import GoogleSite, Property, api_error, bee_property, final_day
from tests.support.search_fetches import (
    SITE,
    connected_project,
    connection,
    failed_with,
    hours_until_next,
    imports,
    ran,
    submitted,
    two_periods,
)
from tests.support.servers import Reply
from tests.support.working import run_job


@pytest.fixture
def settings_overrides(google: GoogleSite) -> dict[str, str]:
    return google.environment()


@pytest.fixture
def bees(google: GoogleSite) -> Property:
    return google.add(SITE, bee_property())


@pytest.fixture
def project_id(db_app: Flask, google: GoogleSite, bees: Property) -> int:
    """Alice's project, connected to her site about bees."""
    return connected_project(google)


def test_a_fetch_stores_the_days_and_two_periods(project_id: int, google: GoogleSite) -> None:
    job = ran(project_id)
    assert (job.status, job.failure) == ("succeeded", None)
    assert job.result == {
        "site_url": SITE, "days": 100, "first_day": (final_day() - timedelta(days=27)).isoformat(),
        "last_day": final_day().isoformat(), "queries": 3, "pages": 2, "clicks": 168, "impressions": 6160,
    }  # fmt: skip
    assert imports() == two_periods(final_day(), 6 * 28)
    bee = db.session.query(SearchQuery).filter_by(query="queen bees").first()
    assert (bee.clicks, bee.impressions, bee.position) == (112, 2520, 3.2)
    urls = {row.url: row.clicks for row in db.session.query(SearchPage)}
    assert urls == {"https://alice.example.com/queens": 140, "https://alice.example.com/swarms": 56}
    days = db.session.query(SearchDay).order_by(SearchDay.day).all()
    assert [(day.clicks, day.impressions) for day in days] == [(6, 220)] * 100
    assert (days[-1].day, connection().last_day, connection().failure) == (final_day(), final_day(), None)
    assert 23 < hours_until_next() <= 24
    assert all(query["dataState"] == "final" for query in google.queries)


def test_fetching_again_replaces_the_last_fetch_and_leaves_imported_files(
    project_id: int, bees: Property
) -> None:
    same_days = {"first_day": final_day() - timedelta(days=27), "last_day": final_day()}
    db.session.add(SearchImport(project_id=project_id, **same_days, source="May.zip", clicks=7))
    db.session.commit()
    file = ("file", *same_days.values(), 0, 0, 7)
    ran(project_id)
    ran(project_id)
    current, before = two_periods(final_day(), 6 * 28)
    assert imports() == [current, file, before] or imports() == [file, current, before]
    assert db.session.query(SearchQuery).count() == 12, "the next job deletes what was replaced"
    assert db.session.query(SearchDay).count() == 100
    bees.last_day += timedelta(days=1)
    bees.queries["queen bees"] = (6, 90, 3.2)
    ran(project_id)
    assert [row[:3] for row in imports() if row[0] == "fetched"] == [
        row[:3] for row in two_periods(bees.last_day, 0)
    ]
    assert db.session.query(SearchDay).count() == 101
    assert db.session.query(SearchDay).filter_by(day=final_day()).one().clicks == 8, (
        "the last days are read again"
    )
    assert db.session.query(SearchQuery).count() == 12
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
    assert imports() == two_periods(final_day(), 6 * 28)
    assert len(google.queries) - asked == 5, "the days, and two pages of two lists"


def test_an_access_token_that_expires_in_the_middle_is_renewed(project_id: int, google: GoogleSite) -> None:
    google.next_errors = [None, None, api_error(401, "authError", "Invalid Credentials")]
    assert ran(project_id).status == "succeeded"
    assert len(google.requests_for("/token")) == 2


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
