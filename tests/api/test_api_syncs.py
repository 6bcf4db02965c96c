"""What a sync tells integrators, over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Customer, member
from tests.support.servers import SiteServer
from tests.support.sites import urlset


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project_id(alice: Customer, site: SiteServer) -> int:
    """Alice's project with 30 synced pages."""
    project_id = alice.project(site.url, sitemap_url=f"{site.url}/sitemap.xml")
    synced(alice, project_id, site, range(30))
    return project_id


def synced(alice: Customer, project_id: int, site: SiteServer, names: range) -> dict[str, Any]:
    """Sync a sitemap of these pages; returns the job's result."""
    site.serve("/sitemap.xml", urlset(f"{site.url}/{name}" for name in names))
    asked = {"operation": "SYNC_SITEMAP", "payload": {}}
    answer = alice.post(f"/projects/{project_id}/executions", asked, key=str(uuid4()))
    result: dict[str, Any] = alice.ran(member(answer, "job")["id"])["result"]
    return result


def test_a_project_tells_that_a_loss_is_held_until_it_is_settled(
    alice: Customer, project_id: int, site: SiteServer
) -> None:
    other = alice.project("https://other.example.com/")
    for names, is_held in ((range(30), False), (range(9), True), (range(8), False)):
        synced(alice, project_id, site, names)
        sitemap = member(alice.get(f"/projects/{project_id}"), "project")["sitemap"]
        assert (sitemap["status"], sitemap["held"]) == ("ok", is_held)
        listed = {each["id"]: each["sitemap"]["held"] for each in member(alice.get("/projects"), "projects")}
        assert listed == {project_id: is_held, other: False}
