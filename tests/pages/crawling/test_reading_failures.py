"""Pages that cannot or may not be read, from real sites and on both databases."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from sqlalchemy import update

from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.settings import current_settings
from app.pages.crawling import reading
from app.pages.crawling.page_queue import ATTEMPTS
from app.pages.crawling.reading import ReadPages, read_due_pages
from app.pages.model import Page, PageContent
from tests.support.reading import (
    HTML,
    code,
    due,
    is_looked_at_again_in_a_week,
    minutes_until_due,
    page_read,
    read,
    serve,
)
from tests.support.servers import Reply, SiteServer
from tests.support.sites import html, pages_of

pytestmark = pytest.mark.usefixtures("db_app", "pauses")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(404, HTML), ("status", 404)),
        (Reply(500, HTML), ("status", 500)),
        (Reply(hang_up=True), ("reason", "truncated")),
        (Reply(302, {"Location": "/a"}), ("reason", "redirect")),
        (Reply(200, {**HTML, "Content-Length": str(reading.PAGE_BYTES + 1)}, b"x" * (reading.PAGE_BYTES + 1)),
         ("reason", "too_large")),
    ],
    ids=["404", "500", "hang-up", "loop", "huge"],
)  # fmt: skip
def test_an_unreadable_page_shows_why_and_when_it_is_tried_again(
    project_id: int, site: SiteServer, reply: Reply, reason: tuple[str, object]
) -> None:
    site.routes["/a"] = reply
    page = page_read(project_id, f"{site.url}/a")
    assert code(page) == "PAGE_UNREACHABLE"
    assert page.fetch_error is not None
    assert page.fetch_error["details"] == dict([reason])
    assert (page.read_attempts, page.fetched_at, page.title) == (1, None, None)
    assert 9 < minutes_until_due(page) <= 10


def test_a_page_is_tried_three_times_with_growing_waits_and_then_after_a_week(
    project_id: int, site: SiteServer
) -> None:
    url = f"{site.url}/missing"
    due(project_id, url)
    waits = []
    for _ in range(ATTEMPTS):
        read(project_id)
        page = pages_of(project_id)[url]
        if page.read_due_at is not None:
            waits.append(round(minutes_until_due(page)))
            if len(waits) < ATTEMPTS:
                page.read_due_at = utc_now()
                db.session.commit()
    assert (waits[:2], page.read_attempts) == ([10, 60], 3)
    assert waits[2] == 7 * 24 * 60
    assert read(project_id) == ReadPages(0, 0, more=False)


def test_a_page_that_answers_again_has_no_error(project_id: int, site: SiteServer) -> None:
    url = f"{site.url}/late"
    page = page_read(project_id, url)
    page.read_due_at = utc_now()
    db.session.commit()
    serve(site, "/late", html("Late", "Words."))
    read(project_id)
    page = pages_of(project_id)[url]
    assert (page.title, page.fetch_error, page.read_attempts) == ("Late", None, 0)


def test_a_page_that_fails_keeps_its_stored_content(project_id: int, site: SiteServer) -> None:
    page_id = page_read(project_id, serve(site, "/a", html("A", "Words."))).id
    site.serve("/a", status=500)
    db.session.execute(update(Page).values(read_due_at=utc_now()))
    db.session.commit()
    read(project_id)
    assert db.session.get_one(Page, page_id).title == "A"
    assert db.session.get(PageContent, page_id) is not None


def test_a_page_that_robots_txt_forbids_is_not_requested(project_id: int, site: SiteServer) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /private\n")
    due(project_id, f"{site.url}/private/a", serve(site, "/public", html("A", "Words.")))
    assert read(project_id) == ReadPages(2, 1, more=False)
    assert site.requests_for("/private/a") == []
    pages = pages_of(project_id)
    forbidden = pages[f"{site.url}/private/a"]
    assert code(forbidden) == "URL_NOT_ALLOWED"
    assert forbidden.fetch_error is not None
    assert "robots.txt" in forbidden.fetch_error["message"]
    assert is_looked_at_again_in_a_week(forbidden)
    assert pages[f"{site.url}/public"].title == "A"
    assert len(site.requests_for("/robots.txt")) == 1


@pytest.mark.parametrize("hops", [("/private", "/private/"), ("/a", "/a?door=private", "/a/")])
def test_a_redirect_to_a_forbidden_page_is_not_followed(
    project_id: int, site: SiteServer, hops: tuple[str, ...]
) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /private/\nDisallow: /*door=private\n")
    serve(site, hops[-1], html("Behind it", "Words."))
    for start, target in pairwise(hops):
        site.serve(start, status=301, headers={"Location": target})
    page = page_read(project_id, site.url + hops[0])
    assert [request.path for request in site.requests] == ["/robots.txt", hops[0]]
    assert (code(page), page.title) == ("URL_NOT_ALLOWED", None)
    assert page.fetch_error is not None
    assert "robots.txt" in page.fetch_error["message"]


def test_a_page_on_a_private_address_is_not_requested(project_id: int) -> None:
    inside = SiteServer()
    try:
        page = page_read(project_id, serve(inside, "/a", html("Inside", "Secret.")))
        assert (code(page), inside.requests) == ("URL_NOT_ALLOWED", [])
        assert is_looked_at_again_in_a_week(page)
    finally:
        inside.close()


def test_pages_with_a_forbidden_port_delay_nothing(project_id: int, site: SiteServer) -> None:
    good = serve(site, "/a", html("A", "Words."))
    bad = "http://127.0.0.1:8443/a"
    due(project_id, good, bad, f"{bad}b")
    assert read(project_id) == ReadPages(3, 2, more=False)
    pages = pages_of(project_id)
    assert all(is_looked_at_again_in_a_week(pages[url]) for url in (good, bad, f"{bad}b"))
    assert code(pages[bad]) == "URL_NOT_ALLOWED"


def test_a_redirect_to_another_site_makes_no_request_there(project_id: int, site: SiteServer) -> None:
    elsewhere = SiteServer()
    both = frozenset(("127.0.0.1", int(server.address.rpartition(":")[2])) for server in (site, elsewhere))
    settings = replace(current_settings(), fetch_allow=both)
    try:
        elsewhere.serve("/robots.txt", "User-agent: *\nDisallow: /\n")
        target = serve(elsewhere, "/a", html("Elsewhere", "Their words."))
        due(project_id, site.serve("/a", status=301, headers={"Location": target}))
        read_due_pages(settings, project_id, 10)
        page = pages_of(project_id)[f"{site.url}/a"]
        assert (code(page), page.title) == ("URL_NOT_ALLOWED", None)
        assert elsewhere.requests == []
        assert page.fetch_error is not None
        (hint,) = page.fetch_error["remediation_hints"]
        assert "sends its visitors to another site" in hint
    finally:
        elsewhere.close()
