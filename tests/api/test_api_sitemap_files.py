"""The documents of a sitemap over HTTP and in the dashboard."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.api.conftest import Customer, member
from tests.support.servers import SiteServer
from tests.support.sites import index, urlset


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def test_each_file_of_a_sitemap_is_listed_with_its_urls_and_its_error(
    alice: Customer, bob: Customer, site: SiteServer
) -> None:
    project_id = alice.project(site.url, sitemap_url=f"{site.url}/sitemap.xml")
    site.serve("/one.xml", urlset([f"{site.url}/a"]))
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml", f"{site.url}/gone.xml"]))
    body = {"operation": "SYNC_SITEMAP", "payload": {}}
    path = f"/projects/{project_id}/sitemap/files"
    assert member(alice.get(path), "files") == []
    alice.ran(member(alice.post(f"/projects/{project_id}/executions", body, key=str(uuid4())), "job")["id"])
    root, one, gone = member(alice.get(path), "files")
    assert (root["url"], root["urls"], root["sitemaps"]) == (f"{site.url}/sitemap.xml", 0, 2)
    assert (one["urls"], one["invalid"], one["error"]) == (1, 0, None)
    assert one["read_at"] is not None
    assert (gone["error"]["code"], gone["read_at"]) == ("GONE", None)
    assert member(alice.get(f"{path}?failed=true"), "files") == [gone]
    assert bob.get(path).status_code == 404
