"""What is kept of a page that was read, from a real site and on both databases."""

from __future__ import annotations

import pytest

from app.infra.db import db
from app.pages.model import Page, PageContent
from tests.support.reading import is_looked_at_again_in_a_week, page_read, read_again, serve
from tests.support.servers import Reply, SiteServer
from tests.support.sites import html

pytestmark = pytest.mark.usefixtures("db_app", "pauses")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def test_a_page_is_read_with_what_it_says_about_itself(project_id: int, site: SiteServer) -> None:
    head = '<meta name="description" content="All about notes."><link rel="canonical" href="/notes">'
    url = serve(site, "/notes", html("Garden notes", "Write down what was sown.", head=head))
    page = page_read(project_id, url)
    assert (page.title, page.description, page.language) == ("Garden notes", "All about notes.", "en")
    assert (page.canonical_url, page.noindex, page.word_count) == (url, False, 7)
    assert (page.fetch_error, page.read_attempts) == (None, 0)
    assert is_looked_at_again_in_a_week(page)
    assert page.fetched_at is not None
    stored = db.session.get_one(PageContent, page.id)
    assert [(block["kind"], block["text"], list(block["heading_path"])) for block in stored.blocks] == [
        ("heading", "Garden notes", []),
        ("p", "Write down what was sown.", ["Garden notes"]),
    ]


def test_a_page_that_is_read_again_has_its_new_content_only(project_id: int, site: SiteServer) -> None:
    page_id = page_read(project_id, serve(site, "/a", html("Old", "Old words."))).id
    first = db.session.get_one(PageContent, page_id).content_hash
    read_again(project_id, serve(site, "/a", html("New", "New words.")))
    assert db.session.get_one(Page, page_id).title == "New"
    stored = db.session.get_one(PageContent, page_id)
    assert stored.content_hash != first
    assert [block["text"] for block in stored.blocks] == ["New", "New words."]


@pytest.mark.parametrize(
    ("head", "header"),
    [
        ('<meta name="robots" content="NOINDEX, follow">', ""),
        ('<meta name="robots" content="nofollow"><META NAME="Robots" CONTENT="noindex">', ""),
        ('<meta name="robots" content="nofollow"><meta name="googlebot" content="none">', ""),
        ("", "noindex"),
        ("", "googlebot: noindex, nofollow"),
        ("", "none"),
    ],
)
def test_noindex_is_read_from_the_page_and_from_its_header(
    project_id: int, site: SiteServer, head: str, header: str
) -> None:
    url = serve(site, "/a", html("A", "Words.", head=head), **{"X-Robots-Tag": header})
    assert page_read(project_id, url).noindex


def test_several_robots_headers_add_up(project_id: int, site: SiteServer) -> None:
    headers = [("X-Robots-Tag", "noindex"), ("X-Robots-Tag", "nofollow"), ("Content-Type", "text/html")]
    site.routes["/a"] = Reply(200, headers, html("A", "Words.").encode())
    assert page_read(project_id, f"{site.url}/a").noindex


def test_other_robots_headers_do_not_mean_noindex(project_id: int, site: SiteServer) -> None:
    url = serve(site, "/a", html("A", "Words."), **{"X-Robots-Tag": "max-snippet: 50, nofollow"})
    assert not page_read(project_id, url).noindex


def test_a_page_may_have_another_as_its_canonical(project_id: int, site: SiteServer) -> None:
    url = serve(site, "/a?print=1", html("A", "Words.", head='<link rel="canonical" href="/a">'))
    assert page_read(project_id, url).canonical_url == f"{site.url}/a"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<title>a\x00b</title><p>one \x00 two&#0;</p>", "text/html"),
        (b"one \x00 two\n\nthree \xff", "text/plain"),
        (b"<p>" * 20_000 + b"deep", "text/html"),
        (b"\xff\xfe<\x00p\x00>\x00a\x00", "text/html; charset=nonsense"),
    ],
    ids=["zeros", "text-zeros", "deep", "charset"],
)
def test_a_page_of_strange_bytes_is_read_and_stored(
    project_id: int, site: SiteServer, body: bytes, kind: str
) -> None:
    url = site.serve("/a", body, headers={"Content-Type": kind})
    page = page_read(project_id, url)
    assert page.fetch_error is None
    assert db.session.get(PageContent, page.id) is not None


def test_a_redirect_to_another_spelling_of_the_address_is_followed(project_id: int, site: SiteServer) -> None:
    serve(site, "/new/", html("New place", "Words."))
    page = page_read(project_id, site.serve("/new", status=301, headers={"Location": "/new/"}))
    assert (page.title, page.url) == ("New place", f"{site.url}/new")
    assert db.session.get_one(PageContent, page.id).answered_url == f"{site.url}/new/"
