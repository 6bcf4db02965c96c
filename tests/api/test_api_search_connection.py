"""The connection to Google Search Console by the API: its state, and fetches."""

from __future__ import annotations

import pytest
from flask import Flask

from app.infra.crypto import encrypt
from app.infra.db import db
from app.search_performance.model import SearchConnection
from tests.api.conftest import Customer, code, member
from tests.support.google import GoogleSite, bee_property, final_day

SITE = "sc-domain:alice.example.com"
FETCH = {"operation": "IMPORT_SEARCH_PERFORMANCE"}


@pytest.fixture
def settings_overrides(google: GoogleSite) -> dict[str, str]:
    return google.environment()


def connected(app: Flask, google: GoogleSite, project_id: int) -> None:
    google.add(SITE, bee_property())
    google.refresh_tokens["1//0g-token"] = google.person
    with app.app_context():
        secret = encrypt("1//0g-token")
        db.session.add(SearchConnection(project_id=project_id, refresh_token=secret, site_url=SITE))
        db.session.commit()


def test_the_connection_is_read_and_fetches_are_started(
    app: Flask, alice: Customer, bob: Customer, google: GoogleSite
) -> None:
    project_id = alice.project()
    here, jobs = f"/projects/{project_id}/search-connection", f"/projects/{project_id}/executions"
    assert alice.get(here).json == {"status": "success", "is_offered": True, "search_connection": None}
    refused = alice.post(jobs, FETCH, key="1")
    assert code(refused) == (409, "SEARCH_CONSOLE_NOT_CONNECTED")
    connected(app, google, project_id)
    job = alice.ran(member(alice.post(jobs, FETCH, key="2"), "job")["id"])
    assert job["status"] == "succeeded"
    found = member(alice.get(here), "search_connection")
    assert (found["site_url"], found["last_day"], found["failure"]) == (SITE, final_day().isoformat(), None)
    assert "1//0g" not in alice.get(here).text
    listed = alice.get(f"/projects/{project_id}/search-imports").json["search_imports"]
    assert [(row["origin"], row["source"]) for row in listed] == [("fetched", "Google Search Console")] * 2
    assert bob.get(here).status_code == 404
    assert bob.post(jobs, FETCH, key="3").status_code == 404
