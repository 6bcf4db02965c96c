"""The results of syncs over HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Customer, member
from tests.support.servers import SiteServer
from tests.support.sites import urlset
from tests.support.syncing import age_quarantines

KINDS = ("new", "returned", "stale", "missing")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project_id(alice: Customer, site: SiteServer) -> int:
    """Alice's project with 30 synced pages."""
    project_id = alice.project(site.url, sitemap_url=f"{site.url}/sitemap.xml")
    synced(alice, project_id, site, range(30))
    return project_id


def synced(
    alice: Customer, project_id: int, site: SiteServer, names: Iterable[object], *, whole: bool = True
) -> dict[str, Any]:
    """Sync a sitemap of these pages, or one without its end; returns the job's result."""
    with alice.client.application.app_context():
        age_quarantines(11)
    body = urlset(f"{site.url}/{name}" for name in names)
    site.serve("/sitemap.xml", body if whole else body[:-20])
    asked = {"operation": "SYNC_SITEMAP", "payload": {}}
    answer = alice.post(f"/projects/{project_id}/executions", asked, key=str(uuid4()))
    result: dict[str, Any] = alice.ran(member(answer, "job")["id"])["result"]
    return result


def test_a_project_shows_a_quarantine_until_it_is_closed(
    alice: Customer, project_id: int, site: SiteServer
) -> None:
    other = alice.project("https://other.example.com/")
    for names, is_quarantined in ((range(30), False), (range(9), True), (range(8), False)):
        synced(alice, project_id, site, names)
        sitemap = member(alice.get(f"/projects/{project_id}"), "project")["sitemap"]
        assert (sitemap["status"], sitemap["quarantined"]) == ("ok", is_quarantined)
        listed = {
            each["id"]: each["sitemap"]["quarantined"] for each in member(alice.get("/projects"), "projects")
        }
        assert listed == {project_id: is_quarantined, other: False}


def test_a_syncs_result_names_the_pages_that_it_changed(
    alice: Customer, project_id: int, site: SiteServer
) -> None:
    def changes(names: range) -> dict[str, set[str]]:
        result = synced(alice, project_id, site, names)
        urls = result["urls"]
        assert [len(urls[kind]) for kind in KINDS[:3]] == [result[kind] for kind in KINDS[:3]]
        assert result["changed"] is any(urls[kind] for kind in KINDS[:3])
        return {kind: {url.rpartition("/")[2] for url in urls[kind]} for kind in KINDS if urls[kind]}

    assert changes(range(1, 31)) == {"new": {"30"}, "stale": {"0"}}
    assert changes(range(31)) == {"returned": {"0"}}
    assert changes(range(15)) == {"missing": {str(name) for name in range(15, 31)}}
    assert changes(range(1, 15)) == {"stale": {"0", *(str(name) for name in range(15, 31))}}
    assert changes(range(1, 15)) == {}


def test_a_syncs_result_names_the_first_twenty_of_many_and_counts_all(
    alice: Customer, project_id: int, site: SiteServer
) -> None:
    first = [(range(100), "new", 70), (range(9), "missing", 91)]
    for names, kind, number in (*first, (range(9), "stale", 91), (range(100), "returned", 91)):
        result = synced(alice, project_id, site, names)
        assert (result[kind], len(set(result["urls"][kind]))) == (number, 20)


def test_a_syncs_result_names_fewer_pages_whose_urls_are_very_long(
    alice: Customer, project_id: int, site: SiteServer
) -> None:
    result = synced(alice, project_id, site, [str(name) * 1500 for name in range(10)])
    urls = result["urls"]["new"]
    assert (result["new"], len(urls), min(map(len, urls)) > 1500) == (10, 2, True)


def test_what_a_partial_sync_did_not_list_is_not_named_as_missing(
    alice: Customer, project_id: int, site: SiteServer
) -> None:
    result = synced(alice, project_id, site, range(9), whole=False)
    assert (result["state"], result["missing"] > 0, result["urls"]["missing"]) == ("partial", True, [])
