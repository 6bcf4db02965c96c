"""The endpoint of the session that queues a sync."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.accounts import sessions
from app.accounts.model import Account
from app.executions.schedule import submit_due_syncs
from app.infra.db import db
from tests.api.conftest import Customer, code, member
from tests.support.servers import SiteServer
from tests.support.sites import urlset


class Signed:
    """A signed-in browser."""

    def __init__(self, app: Flask, account_id: int) -> None:
        self._client = app.test_client()
        with app.app_context():
            token = sessions.begin(db.session.get_one(Account, account_id), stays=False)
        with self._client.session_transaction() as session:
            session["token"] = token

    def sync(self, project_id: int | str, query: str = "", **headers: str) -> TestResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._client.post(f"/api/project/{project_id}/sitemap/sync-now/{query}", headers=named)


@pytest.fixture
def browser(app: Flask, alice: Customer) -> Signed:
    return Signed(app, alice.account_id)


@pytest.fixture
def project_id(alice: Customer) -> int:
    return alice.project(sitemap_url="https://alice.example.com/sitemap.xml")


def test_a_sync_is_queued_and_the_next_one_joins_it(
    browser: Signed, project_id: int, alice: Customer
) -> None:
    first = browser.sync(project_id)
    assert first.status_code == 202, first.text
    job = member(first, "job")
    assert (job["operation"], job["status"], member(first, "created")) == ("SYNC_SITEMAP", "queued", True)
    assert job["history"][0]["details"]["requested_by"] == "the dashboard"
    again = browser.sync(project_id)
    assert (again.status_code, member(again, "created"), member(again, "job")) == (202, False, job)
    assert member(alice.get("/executions"), "pagination")["total"] == 1


def test_an_api_key_does_not_count(alice: Customer, project_id: int) -> None:
    answer = alice.client.post(
        f"/api/project/{project_id}/sitemap/sync-now/", headers={"X-API-Key": alice.key or ""}
    )
    assert code(answer) == (401, "UNAUTHENTICATED")
    assert "RateLimit" in answer.headers


ORIGINS: tuple[tuple[dict[str, str], int], ...] = (
    ({}, 202),
    ({"Sec_Fetch_Site": "same-origin"}, 202),
    ({"Sec_Fetch_Site": "cross-site"}, 403),
    ({"Sec_Fetch_Site": "same-site"}, 403),
    ({"Sec_Fetch_Site": "none"}, 403),
    ({"Sec_Fetch_Site": "cross-site", "Origin": "http://localhost"}, 403),
    ({"Origin": "http://localhost"}, 202),
    ({"Origin": "https://localhost"}, 403),
    ({"Origin": "http://evil.example.com"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": ""}, 403),
    ({"Origin": "http://[broken"}, 403),
)


def test_other_sites_cannot_make_a_browser_send_it(browser: Signed, project_id: int) -> None:
    for headers, status in ORIGINS:
        answer = browser.sync(project_id, **headers)
        assert answer.status_code == status, headers
        if status == 403:
            assert code(answer) == (403, "CSRF_FAILED")


def test_a_project_that_cannot_be_synced_is_rejected(
    app: Flask, browser: Signed, alice: Customer, bob: Customer, project_id: int
) -> None:
    assert code(browser.sync(alice.project("https://bare.example.com/"))) == (409, "SITEMAP_MISSING")
    assert code(browser.sync("x")) == (404, "PROJECT_NOT_FOUND")
    assert code(browser.sync(project_id, "?force=1")) == (422, "INVALID_REQUEST")
    assert code(Signed(app, bob.account_id).sync(project_id)) == (404, "PROJECT_NOT_FOUND")


class TestSearch:
    @pytest.fixture
    def settings_overrides(self, site: SiteServer) -> dict[str, str]:
        return {"FETCH_ALLOW": site.address}

    @pytest.fixture
    def failed(self, app: Flask, alice: Customer, site: SiteServer) -> dict[str, Any]:
        """The job that searched a site in vain which answers nothing but 503."""
        for path in ("/robots.txt", "/sitemap.xml", "/sitemap_index.xml"):
            site.serve(path, status=503)
        alice.project(site.url)
        with app.app_context():
            assert submit_due_syncs() == 1
        (job,) = member(alice.get("/executions"), "jobs")
        ended: dict[str, Any] = alice.ran(job["id"])
        assert (ended["error_code"], ended["failure"]["retryable"]) == ("SITEMAP_UNREACHABLE", True)
        return ended

    def test_a_search_that_failed_is_retried_as_its_failure_says(
        self, alice: Customer, site: SiteServer, failed: dict[str, Any]
    ) -> None:
        assert "retry_job" in failed["failure"]["next_actions"]
        site.serve("/robots.txt", "Sitemap: /maps.xml")
        address = site.serve("/maps.xml", urlset([f"{site.url}/a"]))
        retried = alice.post(f"/executions/{failed['id']}/retry", key="again")
        assert retried.status_code == 202, retried.text
        assert alice.ran(member(retried, "job")["id"])["result"]["sitemap_url"] == address

    def test_a_search_that_failed_is_made_again_by_a_new_job_and_by_sync_now(
        self, alice: Customer, browser: Signed, failed: dict[str, Any]
    ) -> None:
        path = f"/projects/{failed['project_id']}/executions"
        made = alice.post(path, {"operation": "SYNC_SITEMAP"}, key="new")
        assert made.status_code == 202, made.text
        joined = browser.sync(failed["project_id"])
        assert (joined.status_code, member(joined, "job")["id"]) == (202, member(made, "job")["id"])
        alice.ran(member(made, "job")["id"])
        assert browser.sync(failed["project_id"]).status_code == 202


class TestLimit:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"REQUESTS_PER_MINUTE": "2"}

    def test_too_many_requests_are_rejected_for_a_while(self, browser: Signed, project_id: int) -> None:
        assert [browser.sync(project_id).status_code for _ in range(2)] == [202, 202]
        refused = browser.sync(project_id)
        assert code(refused) == (429, "RATE_LIMITED")
        assert int(refused.headers["Retry-After"]) > 0
