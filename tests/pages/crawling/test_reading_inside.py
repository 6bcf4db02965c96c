"""Sitemaps, robots.txt and pages of a site never lead to a private address."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.infra.settings import current_settings
from app.pages.sitemaps.discovery import discover
from app.projects.model import Project
from tests.support.reading import code, page_read
from tests.support.servers import Reply, SiteServer
from tests.support.sites import index, pages_of
from tests.support.syncing import listing, synced

pytestmark = pytest.mark.usefixtures("db_app", "pauses")

SPELLINGS = ["http://127.0.0.1:{port}/x", "http://localhost:{port}/x", "//127.0.0.1:{port}/x",
             "http://[::ffff:127.0.0.1]:{port}/x", "http://2130706433:{port}/x", "http://169.254.169.254/x",
             "http://metadata.google.internal/x", "http://user@127.0.0.1:{port}/x"]  # fmt: skip


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def canary() -> Iterator[SiteServer]:
    """A server on a private address, which must get no request: checked after the test."""
    server = SiteServer()
    server.serve("/x", "the secret")
    yield server
    server.close()
    assert server.requests == []


def inside(spelling: str, canary: SiteServer) -> str:
    return spelling.format(port=canary.address.rpartition(":")[2])


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_child_sitemap_on_a_private_address_is_not_requested(
    project: Project, site: SiteServer, canary: SiteServer, spelling: str
) -> None:
    site.serve("/own.xml", listing(site, "a"))
    row = synced(project, site, index([f"{site.url}/own.xml", inside(spelling, canary)]))
    assert (row.complete, row.found, len(row.problems)) == (False, 1, 2)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_child_sitemap_that_redirects_to_a_private_address_is_not_followed(
    project: Project, site: SiteServer, canary: SiteServer, spelling: str, status: int
) -> None:
    site.routes["/own.xml"] = Reply(status, {"Location": inside(spelling, canary)})
    site.serve("/good.xml", listing(site, "a"))
    row = synced(project, site, index([f"{site.url}/own.xml", f"{site.url}/good.xml"]))
    assert (row.complete, row.found) == (False, 1)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_sitemap_on_a_private_address_is_not_discovered(
    project: Project, site: SiteServer, canary: SiteServer, spelling: str
) -> None:
    site.serve("/robots.txt", f"Sitemap: {inside(spelling, canary)}\n")
    site.routes["/sitemap.xml"] = Reply(302, {"Location": inside(spelling, canary)})
    assert discover(current_settings(), project.url, should_stop=lambda: False) is None


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_page_and_a_robots_txt_that_redirect_to_a_private_address_are_not_followed(
    project_id: int, site: SiteServer, canary: SiteServer, spelling: str
) -> None:
    site.routes["/robots.txt"] = Reply(302, {"Location": inside(spelling, canary)})
    site.routes["/a"] = Reply(302, {"Location": inside(spelling, canary)})
    page = page_read(project_id, f"{site.url}/a")
    assert (code(page), page.title) == ("URL_NOT_ALLOWED", None)
    assert list(pages_of(project_id)) == [f"{site.url}/a"]
