"""Answers that are no page with a text of its own: they are named and are no sources, on both databases."""

from __future__ import annotations

import pytest

from app.infra.db import db
from app.pages.equal_texts import page_with_the_same_text
from app.pages.model import Page, PageContent
from app.pages.usable import usable, why_unused
from tests.support.reading import is_looked_at_again_in_a_week, page_read, read_again, serve
from tests.support.servers import SiteServer
from tests.support.sites import html

pytestmark = pytest.mark.usefixtures("db_app", "pauses")

LONG = " ".join(["Servers answer with a status."] * 40)


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def code(page: Page) -> str | None:
    return page.fetch_error["code"] if page.fetch_error else None


def is_usable(page: Page) -> bool:
    return db.session.scalar(db.select(Page.id).where(Page.id == page.id, usable())) is not None


@pytest.mark.parametrize("target", ["/new", "/", "/a/b", "/a?page=2", "/gone/../other"])
def test_a_redirect_to_another_page_is_named_and_not_followed(
    project_id: int, site: SiteServer, target: str
) -> None:
    page = page_read(project_id, site.serve("/a?page=1", status=301, headers={"Location": target}))
    assert (code(page), is_usable(page), len(site.requests)) == ("PAGE_REDIRECTS", False, 2)
    assert page.fetch_error is not None
    assert why_unused(page) == f"The address leads to another page: {page.fetch_error['details']['to']}"
    assert is_looked_at_again_in_a_week(page)


@pytest.mark.parametrize("target", ["/a/", "/a?session=1", "/a/?lang=en"])
def test_a_redirect_to_another_spelling_is_the_page(project_id: int, site: SiteServer, target: str) -> None:
    serve(site, target, html("A", "Words."))
    page = page_read(project_id, site.serve("/a", status=302, headers={"Location": target}))
    assert (code(page), is_usable(page)) == (None, True)


@pytest.mark.parametrize(
    "refresh", ["0; url=/new", "0;URL='/new'", "5,/new", "0.5; /new", "0; url=https://example.com/new"]
)
def test_a_page_that_sends_its_visitors_on_is_named_a_redirect(
    project_id: int, site: SiteServer, refresh: str
) -> None:
    head = f'<meta http-equiv="Refresh" content="{refresh}">'
    page = page_read(project_id, serve(site, "/a", html("Moved", "This page has moved.", head=head)))
    assert (code(page), is_usable(page)) == ("PAGE_REDIRECTS", False)
    assert "/new" in (why_unused(page) or "")


@pytest.mark.parametrize(
    "head",
    [
        '<meta http-equiv="refresh" content="5">',
        '<meta http-equiv="refresh" content="0; url=/a">',
        '<meta http-equiv="refresh" content="300; url=/b">',
        '<noscript><meta http-equiv="refresh" content="0; url=/b"></noscript>',
    ],
    ids=["itself", "own address", "later", "without scripts"],
)
def test_a_page_that_refreshes_itself_or_later_is_a_page(
    project_id: int, site: SiteServer, head: str
) -> None:
    page = page_read(project_id, serve(site, "/a", html("News", "Words.", head=head)))
    assert (code(page), is_usable(page)) == (None, True)


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("404 - Page not found | Acme", "Oops"),
        ("Acme", "Page not found"),
        ("Acme", "404"),
        ("Error 404", "Acme"),
        ("404 Not Found", "Acme"),
        ("404: This page could not be found.", "Acme"),
        ("Acme", "Sorry, the page you are looking for does not exist."),
        ("Seite nicht gefunden – Acme", "Hoppla"),
        ("Acme", "Page introuvable"),
        ("Página no encontrada · Acme", "Vaya"),
        ("Acme", "Pagina non trovata"),
        ("Acme", "Pagina niet gevonden"),
        ("Acme", "Página não encontrada"),
    ],
)
def test_a_page_that_says_it_was_not_found_is_named_missing(
    project_id: int, site: SiteServer, title: str, heading: str
) -> None:
    body = html(heading, "Try our home page instead.").replace(f"<title>{heading}", f"<title>{title}")
    page = page_read(project_id, serve(site, "/a", body))
    assert (code(page), is_usable(page)) == ("PAGE_MISSING", False)


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("404 Not Found", LONG),
        ("How to fix a page not found error", "Look at the log."),
        ("Lost and found", "Words."),
        ("Room 404", "Words."),
        ("What is not found in nature", "Words."),
    ],
)
def test_a_page_about_something_that_is_not_found_is_a_page(
    project_id: int, site: SiteServer, heading: str, text: str
) -> None:
    page = page_read(project_id, serve(site, "/a", html(heading, text)))
    assert (code(page), is_usable(page)) == (None, True)


@pytest.mark.parametrize(
    ("kind", "body", "name"),
    [
        ("application/pdf", b"%PDF-1.7 \x00\x01", "a PDF document"),
        ("text/html", b"%PDF-1.7 \x00\x01 words", "a PDF document"),
        ("image/png", b"\x89PNG", "an image"),
        ("Application/ZIP; a=b", b"PK", "a file (application/zip)"),
    ],
)
def test_a_file_is_named_as_what_it_is(
    project_id: int, site: SiteServer, kind: str, body: bytes, name: str
) -> None:
    page = page_read(project_id, site.serve("/a", body, headers={"Content-Type": kind}))
    assert (code(page), is_usable(page)) == ("PAGE_NOT_HTML", False)
    assert why_unused(page) == f"It is {name}, no web page."
    assert db.session.get(PageContent, page.id) is None


@pytest.mark.parametrize(
    ("kind", "body", "named"),
    [
        ("text/html", b"", "PAGE_EMPTY"),
        ("text/html", b"<html><body><script>render()</script></body></html>", "PAGE_EMPTY"),
        ("application/pdf", b"%PDF-1.7", "PAGE_NOT_HTML"),
        ("text/html", b"<title>404</title><h1>Page not found</h1>", "PAGE_MISSING"),
    ],
)
def test_a_good_text_stays_with_the_reason_when_the_page_later_has_none(
    project_id: int, site: SiteServer, kind: str, body: bytes, named: str
) -> None:
    url = serve(site, "/a", html("Good", "Good words."))
    page_read(project_id, url)
    site.serve("/a", body, headers={"Content-Type": kind})
    page = read_again(project_id, url)
    assert (code(page), page.title, page.word_count, is_usable(page)) == (named, "Good", 3, False)
    texts = [block["text"] for block in db.session.get_one(PageContent, page.id).blocks]
    assert texts == ["Good", "Good words."]
    serve(site, "/a", html("Better", "Better words."))
    page = read_again(project_id, url)
    assert (code(page), page.title, is_usable(page)) == (None, "Better", True)


def test_equal_texts_are_known_until_one_of_them_changes(project_id: int, site: SiteServer) -> None:
    first = page_read(project_id, serve(site, "/a", html("Honey", "Bees make honey."))).id
    address = serve(site, "/b", html("Honey", "Bees make honey.", head="<!-- another one -->"))
    copy = page_read(project_id, address).id
    assert page_with_the_same_text([copy])[copy].id == first
    serve(site, "/b", html("Honey", "Bees make wax."))
    read_again(project_id, address)
    assert page_with_the_same_text([first, copy]) == {}
