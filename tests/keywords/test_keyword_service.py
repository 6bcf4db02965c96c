"""Keywords: one of each in a project, and how many of its pages cover them."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event, insert

from app.accounts.service import sign_up
from app.failures import ServiceFailure, failure
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.keywords import service
from app.keywords.counting import PostTexts, projects_due, refresh_coverage
from app.keywords.model import Keyword
from app.pages.model import Page, PageContent
from app.projects.model import Project
from app.projects.service import create_project
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def project(db_app: Flask) -> Project:
    return create_project(
        sign_up("alice@example.com", "correct horse battery"), {"url": "https://example.com/"}
    )


@pytest.fixture
def bobs(db_app: Flask) -> Project:
    return create_project(
        sign_up("bob@example.com", "correct horse battery"), {"url": "https://example.com/"}
    )


def add(project: Project, text: str) -> Keyword:
    return service.add_keyword(project, {"keyword_text": text})[0]


def add_page(project: Project, path: str, **values: Any) -> Page:
    url = f"https://example.com/{path}"
    page = Page(project_id=project.id, url=url, url_key=url_key(url), source="SITEMAP", **values)
    db.session.add(page)
    db.session.commit()
    return page


def test_a_keyword_is_folded_and_its_coverage_asked_for(project: Project) -> None:
    keyword, created = service.add_keyword(project, {"keyword_text": "  SEO \t Tools\n2026 "})
    assert created
    assert (keyword.keyword_text, keyword.in_use, keyword.volume) == ("seo tools 2026", True, None)
    assert project.coverage_due_at is not None


def test_a_keyword_that_is_there_stays_as_it_is(project: Project, bobs: Project) -> None:
    first, _created = service.add_keyword(project, {"keyword_text": "seo", "volume": 10})
    again, created = service.add_keyword(project, {"keyword_text": "SEO ", "volume": 20})
    assert (again, created, again.volume) == (first, False, 10)
    assert service.add_keyword(bobs, {"keyword_text": "seo"})[1]


def test_metrics_are_kept_as_the_caller_gave_them(project: Project) -> None:
    keyword, _created = service.add_keyword(
        project,
        {"keyword_text": "seo", "volume": 0, "difficulty": 100, "cpc_value": 1.25, "cpc_currency": "eur",
         "country": "at", "data_source": "our own"},
    )  # fmt: skip
    db.session.expire_all()
    assert (keyword.volume, keyword.difficulty, keyword.cpc_value) == (0, 100, Decimal("1.25"))
    assert (keyword.cpc_currency, keyword.country, keyword.data_source) == ("EUR", "AT", "our own")


@pytest.mark.parametrize(
    ("name", "value"),
    [("keyword_text", None), ("keyword_text", " \n"), ("keyword_text", "x" * 81), ("keyword_text", "a\0"),
     ("keyword_text", 5), ("volume", -1), ("volume", 2**31), ("volume", True), ("volume", "12"),
     ("difficulty", 101), ("cpc_value", "much"), ("cpc_value", 1.205),
     ("keyword_text", "***"), ("keyword_text", "🙂"),
     ("keyword_text", "\u200b"), ("keyword_text", " \u200d\u2060\u3164"), ("cpc_value", -1),
     ("cpc_value", float("nan")),
     ("cpc_value", 1e12), ("cpc_currency", "EURO"), ("country", "A1"), ("data_source", "x" * 81), ("id", 1)],
)  # fmt: skip
def test_a_wrong_member_is_refused_by_its_name(project: Project, name: str, value: Any) -> None:
    with pytest.raises(ServiceFailure) as caught:
        service.add_keyword(project, {"keyword_text": "seo", name: value})
    assert caught.value.failure.code == "INVALID_REQUEST"
    assert [error["field"] for error in caught.value.errors] == [f"/{name}"]


def test_eighty_characters_are_counted_after_folding(project: Project) -> None:
    assert add(project, "  " + "x" * 40 + "    " + "y" * 39 + "  ").keyword_text == "x" * 40 + " " + "y" * 39


def test_the_same_keyword_added_by_eight_at_once_is_one_row(db_app: Flask, project: Project) -> None:
    project_id = project.id

    def add_it() -> tuple[int, bool]:
        keyword, created = service.add_keyword(
            db.session.get_one(Project, project_id), {"keyword_text": "seo tools"}
        )
        return keyword.id, created

    answers = together(db_app, add_it, 8)
    assert len({keyword_id for keyword_id, _created in answers}) == 1
    assert [created for _id, created in answers].count(True) == 1
    assert service.list_keywords(project, 1, 20)[1] == 1


def test_a_keyword_of_another_project_is_not_found(project: Project, bobs: Project) -> None:
    keyword = add(project, "seo")
    assert service.get_keyword(project, keyword.id) is keyword
    for keyword_id in (keyword.id, 999_999):
        with pytest.raises(ServiceFailure, match="KEYWORD_NOT_FOUND"):
            service.get_keyword(bobs, keyword_id)


def test_keywords_are_listed_newest_first_and_searched(project: Project, bobs: Project) -> None:
    made = [add(project, text) for text in ("seo", "seo tools", "100% wool", "shoes")]
    add(bobs, "seo bob")
    assert service.list_keywords(project, 1, 20) == (made[::-1], 4)
    assert service.list_keywords(project, 2, 3) == ([made[0]], 4)
    assert service.list_keywords(project, 1, 20, q=" SEO  ") == ([made[1], made[0]], 2)
    assert service.list_keywords(project, 1, 20, q="0%") == ([made[2]], 1)
    assert service.list_keywords(project, 1, 20, q="s_o") == ([], 0)
    assert service.list_keywords(project, 1, 20, q=" ")[1] == 4


def test_a_keyword_is_taken_out_of_use_and_back(project: Project) -> None:
    keyword = add(project, "seo")
    service.set_in_use(keyword, False)
    db.session.expire_all()
    assert not keyword.in_use


def test_fresh_readable_pages_are_counted(project: Project, bobs: Project) -> None:
    shoes, socks = add(project, "running shoes"), add(project, "socks")
    others = add(bobs, "running shoes")
    add_page(project, "1", title="Shoes for running")
    heading = add_page(project, "2", title="Welcome")
    db.session.add(
        PageContent(
            page_id=heading.id, content_hash="x",
            blocks=[{"id": "b1", "kind": "heading", "text": "Our running shoes", "heading_path": []},
                    {"id": "b2", "kind": "p", "text": "socks", "heading_path": []}],
        )
    )  # fmt: skip
    add_page(project, "3", title="Running shoes", is_stale=True)
    add_page(project, "4", title="Running shoes", fetch_error=failure("SITEMAP_UNREACHABLE").to_dict())
    add_page(project, "5")
    refresh_coverage(project.id)
    assert (shoes.covered_pages, socks.covered_pages, others.covered_pages) == (2, 0, 0)
    assert project.coverage_due_at is None
    assert bobs.coverage_due_at is not None


def test_a_count_falls_when_a_page_turns_stale(project: Project) -> None:
    keyword = add(project, "shoes")
    page = add_page(project, "1", title="Shoes")
    refresh_coverage(project.id)
    assert keyword.covered_pages == 1
    page.is_stale = True
    refresh_coverage(project.id)
    assert keyword.covered_pages == 0


def test_more_pages_than_are_read_at_once_are_all_counted(project: Project) -> None:
    keyword = add(project, "shoes")
    urls = [f"https://example.com/{number}" for number in range(2500)]
    rows = [
        {"project_id": project.id, "url": url, "url_key": url_key(url), "source": "SITEMAP",
         "title": "Shoes" if number % 2 else "Socks", "created_at": utc_now() - timedelta(days=number % 3)}
        for number, url in enumerate(urls)
    ]  # fmt: skip
    db.session.execute(insert(Page), rows)
    refresh_coverage(project.id)
    assert keyword.covered_pages == 1250


def test_projects_are_due_the_longest_waiting_first(project: Project, bobs: Project) -> None:
    add(project, "shoes"), add(bobs, "shoes")
    bobs.coverage_due_at = utc_now() - timedelta(hours=1)
    db.session.commit()
    assert projects_due(1) == [bobs.id]
    refresh_coverage(bobs.id)
    assert projects_due(5) == [project.id]
    refresh_coverage(project.id)
    assert projects_due(5) == []


def test_coverage_asked_for_while_it_is_counted_is_counted_again(project: Project) -> None:
    add(project, "shoes")
    project_id = project.id
    asked: list[str] = []

    def ask_again(*args: Any) -> None:
        if "FROM pages" in args[2] and not asked:
            asked.append("once")
            later = utc_now() + timedelta(seconds=1)
            db.session.get_one(Project, project_id).coverage_due_at = later

    event.listen(db.engine, "before_cursor_execute", ask_again)
    refresh_coverage(project_id)
    assert asked
    assert project.coverage_due_at is not None


def test_the_posts_that_cover_keywords_are_written(project: Project) -> None:
    shoes, socks = add(project, "shoes"), add(project, "socks")
    posts = [PostTexts(number, "Notes", None, ["Shoes", "hats", "shoes"], None) for number in (1, 2)]
    refresh_coverage(project.id, posts)
    assert (shoes.covered_posts, socks.covered_posts) == (2, 0)
    refresh_coverage(project.id, [PostTexts(3, "Notes", None, ["socks"], None)])
    assert (shoes.covered_posts, socks.covered_posts) == (0, 1)
