"""Fetches of search results that Google refuses: what is recorded and logged, when the next is due."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from app.executions import schedule
from app.executions.queries import history_of, reload
from app.infra.clock import utc_now
from app.infra.db import db
from app.overview.attention import needs_of
from app.projects.model import Project
from app.search_performance.model import SearchConnection
from tests.support.google import GoogleSite, api_error, bee_property
from tests.support.search_fetches import (
    SITE,
    connected_project,
    connection,
    failed_with,
    hours_until_next,
    imports,
    ran,
)
from tests.support.servers import Reply


@pytest.fixture
def settings_overrides(google: GoogleSite) -> dict[str, str]:
    return google.environment()


@pytest.fixture
def project_id(db_app: Flask, google: GoogleSite) -> int:
    """Alice's project, connected to her site about bees."""
    google.add(SITE, bee_property())
    return connected_project(google)


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
