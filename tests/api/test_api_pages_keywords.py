"""Pages and keywords over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask

from app.failures import failure
from app.infra.db import db
from app.pages.model import Page
from tests.api.conftest import Customer, code, member
from tests.support.sites import recount


def test_a_page_is_added_once(alice: Customer) -> None:
    project_id = alice.project()
    path = f"/projects/{project_id}/pages"
    body = {"url": "https://Shop.Alice.example.com/a#top", "title": "A", "content": "# A\n\nSome words."}
    added = alice.post(path, body)
    assert added.status_code == 201
    page = member(added, "page")
    assert added.headers["Location"] == f"/public-api{path}/{page['id']}"
    assert (member(added, "created"), page["url"]) == (True, "https://shop.alice.example.com/a")
    assert (page["source"], page["in_sitemap"], page["is_stale"], page["title"]) == (
        "MANUAL",
        False,
        False,
        "A",
    )
    again = alice.post(path, {"url": "https://shop.alice.example.com/a"})
    assert (again.status_code, member(again, "created"), member(again, "page")) == (200, False, page)
    assert member(alice.get(f"{path}/{page['id']}"), "page") == page


def test_always_use_is_set_on_a_page_that_exists(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/pages"
    body = {"url": "https://alice.example.com/a"}
    page_id = member(alice.post(path, body), "page")["id"]
    again = alice.post(path, {**body, "always_use": True})
    assert (again.status_code, member(again, "created")) == (200, False)
    assert member(again, "page")["always_use"] is True
    assert member(alice.get(f"{path}/{page_id}"), "page")["always_use"] is True


def test_a_page_that_could_not_be_read_says_why_and_when_it_is_tried_again(
    app: Flask, alice: Customer
) -> None:
    path = f"/projects/{alice.project()}/pages"
    added = member(alice.post(path, {"url": "https://alice.example.com/a"}), "page")
    assert added["fetch_error"] is None
    with app.app_context():
        page = db.session.get_one(Page, added["id"])
        page.fetch_error = failure("PAGE_UNREACHABLE", details={"status": 404}).to_dict()
        page.read_due_at = datetime(2030, 1, 31, 9, 30, tzinfo=UTC)
        db.session.commit()
    shown = member(alice.get(f"{path}/{added['id']}"), "page")["fetch_error"]
    assert (shown["code"], shown["category"]) == ("PAGE_UNREACHABLE", "dependency")
    assert shown["next_actions"] == ["read_page"]
    assert shown["details"] == {"status": 404, "next_try_at": "2030-01-31T09:30:00.000Z"}


def test_a_page_that_was_never_read_takes_a_text_once_and_the_answer_says_which_text_was_taken(
    app: Flask, alice: Customer
) -> None:
    path = f"/projects/{alice.project()}/pages"
    url = {"url": "https://alice.example.com/a"}
    added = alice.post(path, url)
    assert (added.status_code, member(added, "content_taken")) == (201, False)
    page_id = member(added, "page")["id"]
    with app.app_context():
        db.session.get_one(Page, page_id).fetch_error = failure("URL_NOT_ALLOWED").to_dict()
        db.session.commit()
    taken = alice.post(path, {**url, "title": "Shoes", "description": "All.", "content": "Good shoes."})
    assert (taken.status_code, member(taken, "created"), member(taken, "content_taken")) == (200, False, True)
    page = member(taken, "page")
    expected = {"id": page_id, "title": "Shoes", "description": "All.", "word_count": 2, "fetch_error": None}
    assert {name: page[name] for name in expected} == expected
    again = alice.post(path, {**url, "title": "Other", "content": "Other words."})
    assert (again.status_code, member(again, "content_taken")) == (200, False)
    assert member(again, "page") == page == member(alice.get(f"{path}/{page_id}"), "page")
    new = alice.post(path, {"url": "https://alice.example.com/b", "content": "New words."})
    assert (new.status_code, member(new, "created"), member(new, "content_taken")) == (201, True, True)


def test_a_page_must_be_on_the_projects_site(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/pages"
    assert code(alice.post(path, {"url": "https://other.org/"})) == (422, "URL_NOT_ALLOWED")


@pytest.mark.parametrize("body", [{}, {"url": 1}, {"url": "https://alice.example.com/", "always_use": "yes"},
                                  {"url": "https://alice.example.com/", "stale": False},
                                  {"url": "https://alice.example.com/", "content": "..."}])  # fmt: skip
def test_wrong_pages_are_rejected(alice: Customer, body: dict[str, Any]) -> None:
    assert code(alice.post(f"/projects/{alice.project()}/pages", body)) == (422, "INVALID_REQUEST")


def test_pages_are_listed_by_staleness_source_and_text(app: Flask, alice: Customer) -> None:
    project_id = alice.project()
    path = f"/projects/{project_id}/pages"
    ids = [
        member(alice.post(path, {"url": f"https://alice.example.com/{name}", "content": "Words."}), "page")[
            "id"
        ]
        for name in ("one", "two")
    ]
    with app.app_context():
        page = db.session.get_one(Page, ids[0])
        page.is_stale = True
        recount(page.project_id)
    for query, wanted in (
        ("", [ids[1], ids[0]]),
        ("?stale=true", [ids[0]]),
        ("?stale=false", [ids[1]]),
        ("?source=SITEMAP", []),
        ("?source=MANUAL&q=two", [ids[1]]),
    ):
        assert [page["id"] for page in member(alice.get(path + query), "pages")] == wanted
    for query in ("stale=yes", "stale=1", "source=manual", "stale=true&stale=true", "unused=true"):
        assert code(alice.get(f"{path}?{query}")) == (422, "INVALID_REQUEST")
    sitemap = member(alice.get(f"/projects/{project_id}"), "project")["sitemap"]
    assert (sitemap["fresh_pages"], sitemap["stale_pages"]) == (1, 1)


def test_pages_that_posts_do_not_use_are_listed(app: Flask, alice: Customer) -> None:
    path = f"/projects/{alice.project()}/pages"
    ids = [
        member(alice.post(path, {"url": f"https://alice.example.com/{name}", "content": "Words."}), "page")[
            "id"
        ]
        for name in ("used", "hidden", "broken")
    ]
    with app.app_context():
        db.session.get_one(Page, ids[1]).noindex = True
        db.session.get_one(Page, ids[2]).fetch_error = failure("PAGE_UNREACHABLE").to_dict()
        db.session.commit()
    for query, wanted in (("any", [ids[2], ids[1]]), ("unreadable", [ids[2]]), ("any&q=hidden", [ids[1]])):
        answer = alice.get(f"{path}?unused={query}")
        assert [page["id"] for page in member(answer, "pages")] == wanted
        assert member(answer, "pagination")["total"] == len(wanted)


def test_a_stale_page_that_is_added_by_hand_turns_fresh(app: Flask, alice: Customer) -> None:
    path = f"/projects/{alice.project()}/pages"
    body = {"url": "https://alice.example.com/one", "content": "Words."}
    page_id = member(alice.post(path, body), "page")["id"]
    with app.app_context():
        page = db.session.get_one(Page, page_id)
        page.is_stale = True
        recount(page.project_id)
    again = alice.post(path, body)
    assert again.status_code == 200
    assert (member(again, "page")["id"], member(again, "page")["is_stale"]) == (page_id, False)


def test_a_keyword_is_added_once(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/keywords"
    added = alice.post(path, {"keyword_text": "  Burr   Grinder ", "volume": 90, "cpc_value": 1.25})
    assert added.status_code == 201
    keyword = member(added, "keyword")
    assert added.headers["Location"] == f"/public-api{path}/{keyword['id']}"
    assert (member(added, "created"), keyword["keyword_text"]) == (True, "burr grinder")
    assert (keyword["volume"], keyword["cpc_value"], keyword["difficulty"]) == (90, 1.25, None)
    assert keyword["coverage"] == {"pages": 0, "posts": 0}
    again = alice.post(path, {"keyword_text": "BURR GRINDER"})
    assert (again.status_code, member(again, "created"), member(again, "keyword")) == (200, False, keyword)
    assert member(alice.get(f"{path}/{keyword['id']}"), "keyword") == keyword
    assert member(alice.get(path), "keywords") == [keyword]
    assert member(alice.get(f"{path}?q=tea"), "keywords") == []


WRONG_KEYWORDS: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "/keyword_text"),
    ({"keyword_text": "   "}, "/keyword_text"),
    ({"keyword_text": "x" * 81}, "/keyword_text"),
    ({"keyword_text": "x", "volume": "12"}, "/volume"),
    ({"keyword_text": "x", "volume": 1.9}, "/volume"),
    ({"keyword_text": "x", "volume": True}, "/volume"),
    ({"keyword_text": "x", "difficulty": 101}, "/difficulty"),
    ({"keyword_text": "x", "cpc_value": "1"}, "/cpc_value"),
    ({"keyword_text": "x", "cpc_value": -1}, "/cpc_value"),
    ({"keyword_text": "x", "country": "Deutschland"}, "/country"),
    ({"keyword_text": "x", "in_use": True}, "/in_use"),
)


def test_wrong_keywords_are_rejected_with_their_field(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/keywords"
    for body, field in WRONG_KEYWORDS:
        answer = alice.post(path, body)
        assert code(answer) == (422, "INVALID_REQUEST"), body
        assert [error["field"] for error in member(answer, "errors")] == [field]
    assert member(alice.get(path), "keywords") == []


def test_keywords_show_their_coverage_and_are_filtered_by_it(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/keywords"
    keyword = member(alice.post(path, {"keyword_text": "grinder"}), "keyword")
    nobody = {"pages": 0, "posts": 0, "page_ids": [], "post_ids": []}
    assert (keyword["coverage_state"], keyword["competing"]) == (None, nobody)
    assert member(alice.get(f"{path}?coverage_state=gap"), "keywords") == []
    answer = alice.get(f"{path}?coverage_state=lost")
    assert answer.status_code == 422
