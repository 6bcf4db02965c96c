"""Which pages a round of reading takes, and how rounds end and share, on both databases."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from rq.timeouts import JobTimeoutException
from sqlalchemy import update

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.crawling import page_queue, reading
from app.pages.crawling.page_queue import LEASE, projects_with_due_pages
from app.pages.crawling.reading import ReadPages
from app.pages.model import Page
from tests.support.reading import HTML, code, due, minutes_until_due, page_read, read, serve
from tests.support.servers import Reply, Request, Route, SiteServer
from tests.support.sites import html, pages_of, project_at
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("db_app", "pauses")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


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


def test_pages_that_are_stale_or_not_due_are_not_read(project_id: int, site: SiteServer) -> None:
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


def test_projects_with_due_pages_are_listed_once(project_id: int, site: SiteServer) -> None:
    due(project_id, f"{site.url}/a", f"{site.url}/b")
    bobs = project_at(site.url, email="bob@example.com").id
    due(bobs, f"{site.url}/a")
    assert sorted(projects_with_due_pages(10)) == [project_id, bobs]
    assert len(projects_with_due_pages(1)) == 1


def test_each_project_has_its_turn_when_more_have_due_pages_than_are_asked_for(
    project_id: int, site: SiteServer
) -> None:
    others = [project_at(site.url, email=f"{name}@example.com").id for name in ("bob", "carol")]
    for each in (project_id, *others):
        due(each, f"{site.url}/a", f"{site.url}/b")
    named = {found for _ in range(100) for found in projects_with_due_pages(1)}
    assert named == {project_id, *others}


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
    assert 9 < leases[0] <= 10
    assert leases[1:] == [0]


def test_a_page_that_kills_its_worker_is_postponed_and_the_rest_of_its_round_is_due_again(
    project_id: int, site: SiteServer
) -> None:
    def killed() -> bool:
        raise JobTimeoutException

    urls = [serve(site, f"/{name}", html(name, "Words.")) for name in "ab"]
    due(project_id, *urls)
    with pytest.raises(JobTimeoutException):
        read(project_id, should_stop=killed)
    pages = pages_of(project_id)
    assert [pages[url].read_attempts for url in urls] == [1, 0]
    assert [round(minutes_until_due(pages[url])) for url in urls] == [10, LEASE.total_seconds() / 60]


def test_an_unexpected_error_is_the_failure_of_one_page(
    project_id: int, site: SiteServer, caplog: pytest.LogCaptureFixture
) -> None:
    asked = iter([True])

    def broken_once() -> bool:
        if next(asked, False):
            raise ArithmeticError
        return False

    urls = [serve(site, f"/{name}", html(name, "Words.")) for name in "ab"]
    due(project_id, *urls)
    assert read(project_id, should_stop=broken_once) == ReadPages(2, 1, more=False)
    pages = pages_of(project_id)
    assert (code(pages[urls[0]]), pages[urls[0]].read_attempts) == ("PAGE_UNREACHABLE", 1)
    assert 9 < minutes_until_due(pages[urls[0]]) <= 10
    assert (pages[urls[1]].title, pages[urls[1]].read_attempts) == ("b", 0)
    assert "ArithmeticError" in caplog.text


def test_a_reader_that_is_stopped_gives_back_what_it_has_not_read(project_id: int, site: SiteServer) -> None:
    stop = threading.Event()
    urls = [f"{site.url}/{name}" for name in "abc"]
    site.routes["/a"] = _then(stop.set, html("A", "Words."))
    due(project_id, *urls)
    done = read(project_id, should_stop=stop.is_set)
    assert (done.read, done.more) == (0, True)
    assert site.requests_for("/b") == []
    pages = pages_of(project_id)
    assert all(minutes_until_due(pages[url]) <= 0 for url in urls)
    assert [page.fetch_error for page in pages.values()] == [None] * 3


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


def test_an_address_that_the_operator_allowed_is_read_without_pauses(
    project_id: int, site: SiteServer, pauses: list[float]
) -> None:
    site.serve("/robots.txt", "User-agent: *\nCrawl-delay: 9\n")
    due(project_id, *(serve(site, f"/{name}", html(name, "Words.")) for name in "abc"))
    read(project_id)
    assert pauses == []


def test_reading_makes_the_coverage_of_the_projects_keywords_due(project_id: int, site: SiteServer) -> None:
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


def test_all_projects_of_a_large_service_are_looked_at_in_turn(
    project_id: int, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [project_at(site.url, email=f"{name}@example.com").id for name in ("bob", "carol", "dave")]
    for each in (project_id, *others):
        due(each, f"{site.url}/a")
    monkeypatch.setattr(page_queue, "LOOKED_AT", 2)
    rounds = (max(others) // 2 + 1) * page_queue.LOOK_EVERY
    began = utc_now() - timedelta(seconds=rounds)
    named = []
    for seconds in range(0, rounds, page_queue.LOOK_EVERY):
        moment = began + timedelta(seconds=seconds)
        monkeypatch.setattr(page_queue, "utc_now", lambda moment=moment: moment + timedelta(seconds=rounds))
        named.append(projects_with_due_pages(10))
    assert max(map(len, named)) == 2
    assert sorted(found for each in named for found in each) == sorted([project_id, *others])
