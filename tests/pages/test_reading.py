"""Reading the pages that are due, from a real site and on both databases."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.settings import current_settings
from app.infra.urls import url_key
from app.pages import reading
from app.pages.model import Page, PageContent
from app.pages.reading import ATTEMPTS, LEASE, ReadPages, projects_with_due_pages, read_due_pages
from tests.support.servers import Reply, Request, Route, SiteServer
from tests.support.sites import html, pages_of, project_at
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("db_app")

HTML = {"Content-Type": "text/html; charset=utf-8"}


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made between pages, without their time."""
    made: list[float] = []
    monkeypatch.setattr(reading.time, "sleep", made.append)
    return made


@pytest.fixture
def project_id(db_app: Flask, site: SiteServer) -> int:
    return project_at(site.url).id


def due(project_id: int, *urls: str) -> None:
    """Make pages of these URLs due, in their order."""
    for place, url in enumerate(urls):
        at = utc_now() - timedelta(seconds=100 - place)
        db.session.add(
            Page(project_id=project_id, url=url, url_key=url_key(url), source="SITEMAP", read_due_at=at)
        )
    db.session.commit()


def serve(site: SiteServer, path: str, body: str | bytes, **headers: str) -> str:
    return site.serve(path, body, headers={**HTML, **headers})


def read(project_id: int, limit: int = 10, should_stop: Callable[[], bool] = lambda: False) -> ReadPages:
    return read_due_pages(current_settings(), project_id, limit, should_stop)


def page_read(project_id: int, url: str) -> Page:
    """The page after one round of reading."""
    due(project_id, url)
    read(project_id)
    return pages_of(project_id)[url]


def minutes_until_due(page: Page) -> float:
    assert page.read_due_at is not None
    return (page.read_due_at - utc_now()).total_seconds() / 60


def code(page: Page) -> str:
    assert page.fetch_error is not None
    return str(page.fetch_error["code"])


def test_a_page_is_read_with_what_it_says_about_itself(project_id: int, site: SiteServer) -> None:
    head = '<meta name="description" content="All about notes."><link rel="canonical" href="/notes">'
    url = serve(site, "/notes", html("Garden notes", "Write down what was sown.", head=head))
    page = page_read(project_id, url)
    assert (page.title, page.description, page.language) == ("Garden notes", "All about notes.", "en")
    assert (page.canonical_url, page.noindex, page.word_count) == (url, False, 7)
    assert (page.fetch_error, page.read_due_at, page.read_attempts) == (None, None, 0)
    assert page.fetched_at is not None
    stored = db.session.get_one(PageContent, page.id)
    assert [(block["kind"], block["text"], list(block["heading_path"])) for block in stored.blocks] == [
        ("heading", "Garden notes", []),
        ("p", "Write down what was sown.", ["Garden notes"]),
    ]


def test_a_page_that_is_read_again_has_its_new_content_only(project_id: int, site: SiteServer) -> None:
    page_id = page_read(project_id, serve(site, "/a", html("Old", "Old words."))).id
    first = db.session.get_one(PageContent, page_id).content_hash
    serve(site, "/a", html("New", "New words."))
    db.session.execute(update(Page).values(read_due_at=utc_now()))
    db.session.commit()
    read(project_id)
    assert db.session.get_one(Page, page_id).title == "New"
    stored = db.session.get_one(PageContent, page_id)
    assert stored.content_hash != first
    assert [block["text"] for block in stored.blocks] == ["New", "New words."]


@pytest.mark.parametrize(
    ("head", "header"),
    [
        ('<meta name="robots" content="NOINDEX, follow">', ""),
        ("", "noindex"),
        ("", "googlebot: noindex, nofollow"),
        ("", "none"),
    ],
)
def test_noindex_is_heard_in_the_page_and_in_its_header(
    project_id: int, site: SiteServer, head: str, header: str
) -> None:
    url = serve(site, "/a", html("A", "Words.", head=head), **{"X-Robots-Tag": header})
    assert page_read(project_id, url).noindex


def test_another_robots_header_is_no_noindex(project_id: int, site: SiteServer) -> None:
    url = serve(site, "/a", html("A", "Words."), **{"X-Robots-Tag": "max-snippet: 50, nofollow"})
    assert not page_read(project_id, url).noindex


def test_a_page_may_name_another_as_its_original(project_id: int, site: SiteServer) -> None:
    url = serve(site, "/a?print=1", html("A", "Words.", head='<link rel="canonical" href="/a">'))
    assert page_read(project_id, url).canonical_url == f"{site.url}/a"


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
def test_a_page_that_cannot_be_read_says_why_and_when_it_is_tried_again(
    project_id: int, site: SiteServer, reply: Reply, reason: tuple[str, object]
) -> None:
    site.routes["/a"] = reply
    page = page_read(project_id, f"{site.url}/a")
    assert code(page) == "PAGE_UNREACHABLE"
    assert page.fetch_error is not None
    assert page.fetch_error["details"] == dict([reason])
    assert (page.read_attempts, page.fetched_at, page.title) == (1, None, None)
    assert 9 < minutes_until_due(page) <= 10


def test_a_page_is_tried_three_times_with_growing_waits_and_then_left(
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
            page.read_due_at = utc_now()
            db.session.commit()
    assert (waits, page.read_attempts, page.read_due_at) == ([10, 60], 3, None)
    assert read(project_id) == ReadPages(0, 0, more=False)


def test_a_page_that_answers_at_last_has_no_error(project_id: int, site: SiteServer) -> None:
    url = f"{site.url}/late"
    page = page_read(project_id, url)
    page.read_due_at = utc_now()
    db.session.commit()
    serve(site, "/late", html("Late", "Words."))
    read(project_id)
    page = pages_of(project_id)[url]
    assert (page.title, page.fetch_error, page.read_attempts) == ("Late", None, 0)


def test_a_page_that_fails_keeps_what_was_read_before(project_id: int, site: SiteServer) -> None:
    page_id = page_read(project_id, serve(site, "/a", html("A", "Words."))).id
    site.serve("/a", status=500)
    db.session.execute(update(Page).values(read_due_at=utc_now()))
    db.session.commit()
    read(project_id)
    assert db.session.get_one(Page, page_id).title == "A"
    assert db.session.get(PageContent, page_id) is not None


def test_an_answer_that_is_no_text_leaves_a_page_without_content(project_id: int, site: SiteServer) -> None:
    url = site.serve("/a.pdf", b"%PDF-1.7 \x00\x01", headers={"Content-Type": "application/pdf"})
    page = page_read(project_id, url)
    assert (page.fetch_error, page.read_due_at, page.title) == (None, None, None)
    assert page.fetched_at is not None
    assert db.session.get(PageContent, page.id) is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<title>a\x00b</title><p>one \x00 two&#0;</p>", "text/html"),
        (b"one \x00 two\n\nthree \xff", "text/plain"),
        (b"<p>" * 20_000 + b"deep", "text/html"),
        (b"\xff\xfe<\x00p\x00>", "text/html; charset=nonsense"),
        (b"", "text/html"),
    ],
    ids=["zeros", "text-zeros", "deep", "charset", "empty"],
)
def test_a_page_of_strange_bytes_is_read_and_stored(
    project_id: int, site: SiteServer, body: bytes, kind: str
) -> None:
    url = site.serve("/a", body, headers={"Content-Type": kind})
    page = page_read(project_id, url)
    assert (page.fetch_error, page.read_due_at) == (None, None)
    assert db.session.get(PageContent, page.id) is not None


def test_a_page_that_robots_txt_forbids_is_not_asked_for(project_id: int, site: SiteServer) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /private\n")
    due(project_id, f"{site.url}/private/a", serve(site, "/public", html("A", "Words.")))
    assert read(project_id) == ReadPages(2, 1, more=False)
    assert site.requests_for("/private/a") == []
    pages = pages_of(project_id)
    forbidden = pages[f"{site.url}/private/a"]
    assert (code(forbidden), forbidden.read_due_at) == ("URL_NOT_ALLOWED", None)
    assert pages[f"{site.url}/public"].title == "A"
    assert len(site.requests_for("/robots.txt")) == 1


def test_a_page_on_a_private_address_is_not_asked_for(project_id: int) -> None:
    inside = SiteServer()
    try:
        page = page_read(project_id, serve(inside, "/a", html("Inside", "Secret.")))
        assert (code(page), page.read_due_at, inside.requests) == ("URL_NOT_ALLOWED", None, [])
    finally:
        inside.close()


def test_pages_with_a_port_that_may_not_be_used_hold_nothing_up(project_id: int, site: SiteServer) -> None:
    good = serve(site, "/a", html("A", "Words."))
    bad = "http://127.0.0.1:8443/a"
    due(project_id, good, bad, f"{bad}b")
    assert read(project_id) == ReadPages(3, 2, more=False)
    pages = pages_of(project_id)
    assert [pages[url].read_due_at for url in (good, bad, f"{bad}b")] == [None, None, None]
    assert code(pages[bad]) == "URL_NOT_ALLOWED"


def test_a_page_that_leads_to_another_site_is_not_taken_for_our_own(
    project_id: int, site: SiteServer
) -> None:
    elsewhere = SiteServer()
    both = frozenset(("127.0.0.1", int(server.address.rpartition(":")[2])) for server in (site, elsewhere))
    settings = replace(current_settings(), fetch_allow=both)
    try:
        target = serve(elsewhere, "/a", html("Elsewhere", "Their words."))
        due(project_id, site.serve("/a", status=301, headers={"Location": target}))
        read_due_pages(settings, project_id, 10)
        page = pages_of(project_id)[f"{site.url}/a"]
        assert (code(page), page.title) == ("URL_NOT_ALLOWED", None)
    finally:
        elsewhere.close()


def test_a_redirect_within_the_site_is_followed(project_id: int, site: SiteServer) -> None:
    serve(site, "/new", html("New place", "Words."))
    page = page_read(project_id, site.serve("/old", status=301, headers={"Location": "/new"}))
    assert (page.title, page.url) == ("New place", f"{site.url}/old")


def test_a_round_takes_the_preferred_and_then_the_longest_waiting_pages(
    project_id: int, site: SiteServer
) -> None:
    urls = [serve(site, f"/{name}", html(name, "Words.")) for name in "abcd"]
    due(project_id, *urls)
    db.session.execute(update(Page).where(Page.url == urls[3]).values(always_use=True))
    db.session.commit()
    assert read(project_id, limit=2) == ReadPages(2, 0, more=True)
    assert {url for url, page in pages_of(project_id).items() if page.title} == {urls[0], urls[3]}
    assert read(project_id, limit=5) == ReadPages(2, 0, more=False)


def test_pages_that_are_stale_or_not_due_are_left_alone(project_id: int, site: SiteServer) -> None:
    stale, later = serve(site, "/a", html("A", "")), serve(site, "/b", html("B", ""))
    due(project_id, stale, later)
    db.session.execute(update(Page).where(Page.url == stale).values(is_stale=True))
    db.session.execute(
        update(Page).where(Page.url == later).values(read_due_at=utc_now() + timedelta(minutes=1))
    )
    db.session.commit()
    assert read(project_id) == ReadPages(0, 0, more=False)
    assert site.requests == []
    assert projects_with_due_pages(10) == []


def test_projects_with_due_pages_are_named_once(project_id: int, site: SiteServer) -> None:
    due(project_id, f"{site.url}/a", f"{site.url}/b")
    bobs = project_at(site.url, email="bob@example.com").id
    due(bobs, f"{site.url}/a")
    assert sorted(projects_with_due_pages(10)) == [project_id, bobs]
    assert len(projects_with_due_pages(1)) == 1


def test_readers_at_the_same_moment_never_read_the_same_page(
    db_app: Flask, project_id: int, site: SiteServer
) -> None:
    names = [f"/page-{number}" for number in range(12)]
    due(project_id, *(serve(site, name, html(name, "Words.")) for name in names))
    done = together(db_app, lambda: read(project_id, limit=6), 4)
    assert sum(each.read for each in done) == 12
    assert [len(site.requests_for(name)) for name in names] == [1] * 12
    assert all(page.title for page in pages_of(project_id).values())


def test_a_page_is_leased_while_it_is_read_and_due_again_when_its_reader_is_lost(
    db_app: Flask, project_id: int, site: SiteServer
) -> None:
    leases: list[float] = []

    def look(_request: Request) -> Reply:
        with db_app.app_context():
            leases.append(minutes_until_due(pages_of(project_id)[f"{site.url}/a"]))
            leases.append(read(project_id).read)
        return Reply(200, HTML, html("A", "Words.").encode())

    site.routes["/a"] = look
    page_read(project_id, f"{site.url}/a")
    minutes = LEASE.total_seconds() / 60
    assert minutes - 1 < leases[0] <= minutes
    assert leases[1:] == [0]


def test_a_reader_that_is_told_to_stop_gives_the_rest_back(project_id: int, site: SiteServer) -> None:
    stop = threading.Event()
    urls = [f"{site.url}/{name}" for name in "abc"]
    site.routes["/a"] = _then(stop.set, html("A", "Words."))
    due(project_id, *urls)
    done = read(project_id, should_stop=stop.is_set)
    assert (done.read, done.more) == (1, True)
    assert site.requests_for("/b") == []
    pages = pages_of(project_id)
    assert all(minutes_until_due(pages[url]) <= 0 for url in urls[1:])


def test_a_round_that_takes_long_ends_and_gives_the_rest_back(
    project_id: int, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "ROUND", -1.0)
    due(project_id, serve(site, "/a", html("A", "Words.")))
    assert read(project_id) == ReadPages(0, 0, more=True)
    assert minutes_until_due(pages_of(project_id)[f"{site.url}/a"]) <= 0
    monkeypatch.undo()
    assert read(project_id) == ReadPages(1, 0, more=False)


def test_a_page_that_is_deleted_while_it_is_read_is_no_failure(
    db_app: Flask, project_id: int, site: SiteServer
) -> None:
    def remove() -> None:
        with db_app.app_context():
            db.session.delete(next(iter(pages_of(project_id).values())))
            db.session.commit()

    site.routes["/a"] = _then(remove, html("A", "Words."))
    due(project_id, f"{site.url}/a")
    assert read(project_id) == ReadPages(1, 0, more=False)
    assert pages_of(project_id) == {}


def test_an_allowed_address_of_ones_own_is_read_without_pauses(
    project_id: int, site: SiteServer, pauses: list[float]
) -> None:
    site.serve("/robots.txt", "User-agent: *\nCrawl-delay: 9\n")
    due(project_id, *(serve(site, f"/{name}", html(name, "Words.")) for name in "abc"))
    read(project_id)
    assert pauses == []


def test_reading_asks_for_the_projects_keywords_to_be_counted_anew(project_id: int, site: SiteServer) -> None:
    project = project_at(site.url, email="carol@example.com")
    changed = project.updated_at
    due(project.id, serve(site, "/a", html("A", "Words.")))
    project_id = project.id
    read(project_id)
    project = db.session.get_one(type(project), project_id)
    assert project.coverage_due_at is not None
    assert project.updated_at == changed


def _then(act: Callable[[], None], body: str) -> Route:
    """A route that does something before it answers."""

    def answer(_request: Request) -> Reply:
        act()
        return Reply(200, HTML, body.encode())

    return answer
