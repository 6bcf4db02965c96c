"""Pages whose text is supplied after they were added: they are never fetched again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, text

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages import service
from app.pages.crawling import page_queue
from app.pages.model import Page, PageContent
from app.pages.service import Added
from app.pages.supplied import supply
from app.pages.usable import usable
from app.projects.model import Project
from tests.support.reading import HTML, due, page_read, read, serve
from tests.support.servers import Reply, Request, SiteServer
from tests.support.sites import html, page_counts, pages_of, recount
from tests.support.syncing import listing, synced
from tests.support.together import together
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("db_app", "pauses")

TEXT = "# Shoes\n\nGood shoes."


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def url(site: SiteServer) -> str:
    return f"{site.url}/a"


def supplied(project_id: int, url: str, content: str = TEXT, **fields: Any) -> Added:
    project = db.session.get_one(Project, project_id)
    return service.add_page(project, {"url": url, "content": content, **fields})


def text_of(page: Page) -> list[str]:
    return [block["text"] for block in db.session.get_one(PageContent, page.id).blocks]


def test_a_page_that_robots_txt_forbids_takes_a_supplied_text_and_is_not_requested(
    project_id: int, site: SiteServer, url: str
) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /a\n")
    page = page_read(project_id, url)
    assert page.fetch_error is not None
    assert "added again with its text" in page.fetch_error["remediation_hints"][0]
    page, created, content_taken = supplied(project_id, url)
    assert (created, content_taken, page.fetch_error) == (False, True, None)
    assert db.session.scalar(select(usable()).where(Page.id == page.id))
    # It is not read even if the sitemap lists a change, drops it and lists it again.
    for body in (listing(site, "a", lastmod="2024-05-01"), listing(site, "b"), listing(site, "a")):
        synced(db.session.get_one(Project, project_id), site, body)
        assert pages_of(project_id)[url].read_due_at is None
    assert not pages_of(project_id)[url].is_stale
    read(project_id)
    page = pages_of(project_id)[url]
    assert (page.read_due_at, page.fetched_at, page.fetch_error, text_of(page)) == (
        None, None, None, ["Shoes", "Good shoes."],
    )  # fmt: skip
    assert site.requests_for("/a") == []


def test_an_unreadable_page_takes_text_title_and_description_like_a_new_one(
    project_id: int, site: SiteServer, url: str
) -> None:
    site.serve("/a", status=404)
    page_read(project_id, url)
    recount(project_id)
    db.session.get_one(Project, project_id).coverage_due_at = None
    page, _, content_taken = supplied(project_id, url, description="All.", always_use=True)
    assert content_taken
    assert (page.title, page.description, page.word_count, page.always_use) == ("Shoes", "All.", 3, True)
    assert (page.fetch_error, page.read_due_at, page.read_attempts) == (None, None, 0)
    assert text_of(page) == ["Shoes", "Good shoes."]
    assert page_counts(project_id) == (1, 0)
    assert db.session.get_one(Project, project_id).coverage_due_at is not None


def test_a_title_that_was_given_before_the_text_stays_if_none_comes_with_it(
    project: Project, url: str
) -> None:
    service.add_page(project, {"url": url, "title": "Mine", "description": "All."})
    page = supplied(project.id, url, "Good shoes.").page
    assert (page.title, page.description) == ("Mine", "All.")


def test_a_stale_page_that_takes_a_text_turns_fresh_and_is_not_fetched(project_id: int, url: str) -> None:
    due(project_id, url)
    page = pages_of(project_id)[url]
    page.is_stale, page.stale_since = True, utc_now()
    recount(project_id)
    page = supplied(project_id, url).page
    assert (page.is_stale, page.read_due_at, page.word_count) == (False, None, 3)
    assert page_counts(project_id) == (1, 0)


@pytest.mark.parametrize("paragraphs", [["What the site says."], []], ids=["text", "title alone"])
def test_a_page_that_was_read_keeps_what_was_read(
    project_id: int, site: SiteServer, url: str, paragraphs: list[str]
) -> None:
    page = page_read(project_id, serve(site, "/a", html("Read", *paragraphs)))
    before = (page.word_count, page.fetched_at, page.read_due_at, text_of(page))
    page, created, content_taken = supplied(project_id, url)
    assert (created, content_taken, page.title) == (False, False, "Read")
    assert (page.word_count, page.fetched_at, page.read_due_at, text_of(page)) == before


def test_a_page_that_was_supplied_keeps_its_first_text(project_id: int, url: str) -> None:
    assert supplied(project_id, url)[1:] == (True, True)
    page, created, content_taken = supplied(project_id, url, "Other.", title="Other")
    assert (created, content_taken, page.title, text_of(page)) == (
        False, False, "Shoes", ["Shoes", "Good shoes."],
    )  # fmt: skip


def test_of_many_texts_given_at_once_the_page_takes_one_whole(
    db_app: Flask, project_id: int, url: str
) -> None:
    due(project_id, url)
    texts = iter([f"# Text {number}\n\nSaid by {number}." for number in range(6)])

    def give() -> str | None:
        page, _, content_taken = supplied(project_id, url, next(texts))
        return page.title if content_taken else None

    [title] = filter(None, together(db_app, give, 6))
    page = pages_of(project_id)[url]
    assert (page.title, text_of(page)) == (title, [title, f"Said by {title[-1]}."])


@pytest.mark.parametrize(
    "reply",
    [Reply(200, HTML, html("Read", "What the site says.").encode()), Reply(404, HTML), Reply(503, HTML)],
    ids=["answers", "is missing", "is busy"],
)
def test_a_text_that_is_given_while_the_page_is_fetched_stays(
    db_app: Flask, project_id: int, site: SiteServer, url: str, reply: Reply
) -> None:
    site.routes["/a"] = meanwhile(db_app, lambda: supplied(project_id, url), reply)
    due(project_id, url)
    read(project_id)
    page = pages_of(project_id)[url]
    assert (page.title, page.fetched_at, page.fetch_error, page.read_due_at, page.read_attempts) == (
        "Shoes", None, None, None, 0,
    )  # fmt: skip
    assert text_of(page) == ["Shoes", "Good shoes."]


@pytest.mark.parametrize("status", [200, 503], ids=["its turn comes", "it is put off"])
def test_a_text_that_is_given_while_the_page_waits_in_a_round_keeps_it_from_being_fetched(
    db_app: Flask, project_id: int, site: SiteServer, url: str, status: int
) -> None:
    second = f"{site.url}/b"
    answer = Reply(status, HTML, html("A", "Words.").encode())
    site.routes["/a"] = meanwhile(db_app, lambda: supplied(project_id, second), answer)
    due(project_id, url, second)
    assert read(project_id).read == 1
    assert pages_of(project_id)[second].read_due_at is None
    assert site.requests_for("/b") == []


def test_a_text_that_is_given_before_a_round_ends_keeps_the_page_out_of_the_next(
    project_id: int, url: str
) -> None:
    due(project_id, url)

    def is_told_to_stop() -> bool:
        supplied(project_id, url)
        return True

    read(project_id, should_stop=is_told_to_stop)
    assert pages_of(project_id)[url].read_due_at is None


@pytest.mark.parametrize("database_kind", ["postgresql"])  # SQLite has one writer at a time
def test_a_reader_that_meets_a_text_just_being_given_waits_and_leaves_the_page_alone(
    db_app: Flask, project_id: int, url: str
) -> None:
    due(project_id, url)
    page_id = pages_of(project_id)[url].id
    db.session.commit()

    def begun() -> object:
        with db_app.app_context():
            return page_queue.begin(page_id)

    assert supply(page_id, word_count=3)
    with ThreadPoolExecutor(1) as reader, db.engine.connect() as watcher:
        until = reader.submit(begun)
        waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        eventually(lambda: watcher.scalar(waiting) == 1, "the reader waits")
        db.session.commit()
        assert until.result() is None
    assert pages_of(project_id)[url].read_due_at is None


def meanwhile(app: Flask, act: Callable[[], object], reply: Reply) -> Callable[[Request], Reply]:
    """Answer with ``reply`` once somebody else has done something."""

    def answer(_request: Request) -> Reply:
        with app.app_context():
            act()
        return reply

    return answer
