"""Sites that are busy, or whose robots.txt cannot be fetched, are not read, on both databases."""

from __future__ import annotations

import pytest

from app.infra.db import db
from app.pages.crawling.reading import ReadPages
from app.pages.model import Page
from tests.support.reading import (
    HTML,
    code,
    due,
    forget_robots,
    minutes_until_due,
    page_read,
    read,
    read_again,
    serve,
)
from tests.support.servers import Reply, SiteServer
from tests.support.sites import html, pages_of

pytestmark = pytest.mark.usefixtures("db_app", "pauses")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("headers", "minutes"),
    [
        ({"Retry-After": "3600"}, 60),
        ({"Retry-After": "1"}, 10),
        ({}, 10),
        ({"Retry-After": "99999999"}, 10_080),
    ],
    ids=["hour", "second", "silent", "years"],
)
def test_a_busy_site_backs_off_for_as_long_as_it_asks(
    project_id: int, site: SiteServer, status: int, headers: dict[str, str], minutes: int
) -> None:
    site.routes["/a"] = Reply(status, {**HTML, **headers})
    others = [serve(site, f"/{name}", html(name, "Words.")) for name in "bcd"]
    due(project_id, f"{site.url}/a", *others)
    assert read(project_id, limit=2) == ReadPages(1, 1, more=True)
    assert read(project_id) == ReadPages(0, 0, more=False)
    pages = pages_of(project_id)
    assert code(pages[f"{site.url}/a"]) == "PAGE_UNREACHABLE"
    assert [round(minutes_until_due(page)) for page in pages.values()] == [minutes] * 4
    assert [page.read_attempts for page in pages.values()] == [1, 0, 0, 0]
    assert [request.path for request in site.requests] == ["/robots.txt", "/a"]


def test_another_site_of_the_project_is_read_meanwhile(project_id: int, site: SiteServer) -> None:
    site.routes["/a"] = Reply(503, {"Retry-After": "3600"})
    elsewhere = "http://127.0.0.1:8443/x"
    due(project_id, f"{site.url}/a", elsewhere)
    assert read(project_id) == ReadPages(2, 2, more=False)
    assert code(pages_of(project_id)[elsewhere]) == "URL_NOT_ALLOWED"


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("headers", "minutes"), [({"Retry-After": "3600"}, 60), ({}, 10)])
def test_a_site_whose_robots_txt_is_busy_backs_off_and_its_pages_count_no_attempt(
    project_id: int, site: SiteServer, status: int, headers: dict[str, str], minutes: int
) -> None:
    site.routes["/robots.txt"] = Reply(status, headers)
    due(project_id, *(serve(site, f"/{name}", html(name, "Words.")) for name in "abc"))
    assert read(project_id, limit=2) == ReadPages(1, 1, more=True)
    assert read(project_id) == ReadPages(0, 0, more=False)
    pages = pages_of(project_id).values()
    assert [round(minutes_until_due(page)) for page in pages] == [minutes] * 3
    assert [page.read_attempts for page in pages] == [0] * 3
    assert [request.path for request in site.requests] == ["/robots.txt"]


def test_a_page_that_was_read_stays_in_use_while_its_sites_robots_txt_is_busy(
    project_id: int, site: SiteServer
) -> None:
    url = serve(site, "/a", html("A", "Words."))
    page_read(project_id, url)
    forget_robots()
    site.serve("/robots.txt", status=429)
    page = read_again(project_id, url)
    assert (page.fetch_error, page.read_attempts) == (None, 0)
    assert 9 < minutes_until_due(page) <= 10


@pytest.mark.parametrize("reply", [Reply(500), Reply(hang_up=True)], ids=["500", "hang-up"])
def test_nothing_is_read_while_robots_txt_is_unknown(project_id: int, site: SiteServer, reply: Reply) -> None:
    site.routes["/robots.txt"] = reply
    due(project_id, *(serve(site, f"/{name}", html(name, "Words.")) for name in "ab"))
    assert read(project_id) == ReadPages(2, 2, more=False)
    assert [request.path for request in site.requests] == ["/robots.txt"]
    page = pages_of(project_id)[f"{site.url}/a"]
    assert code(page) == "PAGE_UNREACHABLE"
    assert page.fetch_error is not None
    assert "robots.txt" in page.fetch_error["message"]
    assert 9 < minutes_until_due(page) <= 10


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_site_without_robots_txt_is_read(project_id: int, site: SiteServer, status: int) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /\n", status=status)
    assert page_read(project_id, serve(site, "/a", html("A", "Words."))).title == "A"


def test_the_first_500_kilobytes_of_a_robots_txt_count(project_id: int, site: SiteServer) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /a\n" + "# x\n" * 200_000 + "Disallow: /b\n")
    due(project_id, *(serve(site, f"/{name}", html(name, "Words.")) for name in "ab"))
    assert read(project_id) == ReadPages(2, 1, more=False)
    assert {page.title for page in db.session.query(Page)} == {None, "b"}


def test_a_reader_that_is_stopped_within_a_page_counts_no_attempt(project_id: int, site: SiteServer) -> None:
    asked = iter([False, False])
    url = serve(site, "/a", html("A", "Words."))
    due(project_id, url)
    assert read(project_id, should_stop=lambda: next(asked, True)) == ReadPages(0, 0, more=True)
    page = pages_of(project_id)[url]
    assert (page.fetch_error, page.read_attempts) == (None, 0)
    assert minutes_until_due(page) <= 0
