"""Sites that back off: their pages are postponed, those of others are read, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.crawling import page_queue
from app.pages.crawling.pace import back_off, backoffs_of
from app.pages.crawling.page_queue import LOOK_AHEAD, take
from app.pages.crawling.reading import enqueue_due_pages
from app.pages.model import Page, SiteBackoff
from tests.support.reading import due, minutes_until_due, page_read, read, serve
from tests.support.servers import Reply, SiteServer
from tests.support.sites import html, pages_of, project_at
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("db_app", "pauses")

BUSY, OTHER = "https://busy.example.com", "https://other.example.com"


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def start_backoff(origin: str, minutes: float) -> None:
    back_off(origin, utc_now() + timedelta(minutes=minutes))
    db.session.commit()


def taken(project_id: int, limit: int = 5) -> list[str]:
    return [page.url for page in take(project_id, limit)]


def put_off(project_id: int) -> int:
    """How many pages of the busy site have been put off."""
    pages = pages_of(project_id).items()
    return sum(url.startswith(BUSY) and minutes_until_due(page) > 50 for url, page in pages)


def test_pages_behind_those_of_a_site_in_backoff_are_taken(project_id: int) -> None:
    start_backoff(BUSY, 60)
    due(project_id, *(f"{BUSY}/{number}" for number in range(20)), f"{OTHER}/a", f"{OTHER}/b")
    assert taken(project_id) == [f"{OTHER}/a", f"{OTHER}/b"]
    assert put_off(project_id) == 20
    assert taken(project_id) == []


def wait_longest(origin: str) -> None:
    """Put the pages of a site before all others in the queue."""
    longest = (
        update(Page).where(Page.url.startswith(origin)).values(read_due_at=utc_now() - timedelta(days=1))
    )
    db.session.execute(longest)
    db.session.commit()


def test_hundreds_of_pages_of_a_site_in_backoff_take_no_place_from_others(project_id: int) -> None:
    start_backoff(BUSY, 60)
    due(project_id, f"{OTHER}/a", *(f"{BUSY}/{number}" for number in range(3 * LOOK_AHEAD + 10)))
    wait_longest(BUSY)
    assert (taken(project_id), put_off(project_id)) == ([f"{OTHER}/a"], 3 * LOOK_AHEAD + 10)


def test_one_round_postpones_a_limited_number_of_pages_and_the_next_continues(
    project_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_queue, "LOOK_AHEAD", 10)
    monkeypatch.setattr(page_queue, "LOOKS", 3)
    start_backoff(BUSY, 60)
    due(project_id, f"{OTHER}/a", *(f"{BUSY}/{number}" for number in range(30)))
    wait_longest(BUSY)
    assert (taken(project_id), put_off(project_id)) == ([], 5 + 10 + 10)
    assert (taken(project_id), put_off(project_id)) == ([f"{OTHER}/a"], 30)


def test_a_site_of_a_similar_name_does_not_back_off(project_id: int) -> None:
    start_backoff(BUSY, 60)
    others = [f"{BUSY}.other.example.com/", f"{BUSY.replace('https', 'http')}/", f"{BUSY}:8443/"]
    due(project_id, f"{BUSY}/", *others)
    assert taken(project_id) == others


def test_a_site_that_is_busy_for_one_project_backs_off_for_all(project_id: int, site: SiteServer) -> None:
    site.routes["/a"] = Reply(503, {"Retry-After": "3600"})
    page_read(project_id, f"{site.url}/a")
    bobs = project_at(site.url, email="bob@example.com").id
    due(bobs, serve(site, "/b", html("B", "Words.")))
    assert read(bobs).read == 0
    assert site.requests_for("/b") == []
    assert 59 < minutes_until_due(pages_of(bobs)[f"{site.url}/b"]) <= 60


def test_a_site_is_read_again_when_its_backoff_is_over(project_id: int, site: SiteServer) -> None:
    start_backoff(site.url, -0.01)
    assert page_read(project_id, serve(site, "/a", html("A", "Words."))).title == "A"


def test_the_longer_of_two_backoffs_counts() -> None:
    for minutes in (30, 60, 10):
        start_backoff(BUSY, minutes)
    until = backoffs_of([BUSY, OTHER])
    assert list(until) == [BUSY]
    assert 59 < (until[BUSY] - utc_now()).total_seconds() / 60 <= 60


def test_a_backoff_that_is_over_is_deleted() -> None:
    start_backoff(BUSY, 60)
    start_backoff(OTHER, -1)
    enqueue_due_pages(1)
    assert list(db.session.scalars(select(SiteBackoff.origin))) == [BUSY]


def test_workers_at_the_same_moment_postpone_and_take_each_page_once(db_app: Flask, project_id: int) -> None:
    start_backoff(BUSY, 60)
    busy, others = [f"{BUSY}/{n}" for n in range(40)], [f"{OTHER}/{n}" for n in range(12)]
    due(project_id, *busy, *others)
    db.session.execute(update(Page).where(Page.url.endswith("5")).values(always_use=True))
    db.session.commit()
    found = together(db_app, lambda: [*taken(project_id), *taken(project_id)], 4)
    found += [taken(project_id, 40)]
    assert sorted(url for each in found for url in each) == sorted(others)
    assert put_off(project_id) == 40


def test_workers_that_find_the_same_site_busy_agree_on_the_longest_backoff(db_app: Flask) -> None:
    minutes = iter((10, 60, 30, 20))
    together(db_app, lambda: start_backoff(BUSY, next(minutes)), 4)
    assert 59 < (backoffs_of([BUSY])[BUSY] - utc_now()).total_seconds() / 60 <= 60
