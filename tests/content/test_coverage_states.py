"""Which keywords are gaps and for which pages and posts compete, counted on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import insert

from app.content.posts.keyword_coverage import refresh_due_coverage
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.keywords.model import Keyword
from app.keywords.service import add_keyword, list_keywords, states_of
from app.pages.model import Page, PageContent
from app.pages.vocabulary import vocabulary_of
from app.projects.model import Project
from tests.support.plans import plans
from tests.support.publishing import post_of
from tests.support.sites import project_at

SITE = "https://shop.example/"


@pytest.fixture
def project(db_app: Flask) -> Project:
    return project_at(SITE)


def add(project: Project, *texts: str) -> None:
    for text in texts:
        add_keyword(project, {"keyword_text": text})


def add_page(
    project: Project, path: str, title: str, *headings: str, counted: bool = True, **values: Any
) -> Page:
    """A read page; of its headings the first is the main one."""
    url = SITE + path
    page = Page(project_id=project.id, url=url, url_key=url_key(url), source="SITEMAP", title=title, **values)
    db.session.add(page)
    db.session.flush()
    paths = [[], *[list(headings[:1])] * len(headings)]
    blocks = [
        {"id": f"b{number}", "kind": "heading", "text": text, "heading_path": paths[number]}
        for number, text in enumerate(headings)
    ]
    found = vocabulary_of(title, None, blocks)
    kept = {"words": found.words, "headings": found.headings} if counted else {}
    db.session.add(PageContent(page_id=page.id, blocks=blocks, content_hash="x", **kept))
    db.session.commit()
    return page


def counted(project: Project) -> dict[str, Keyword]:
    """The keywords by their texts after they were counted again."""
    db.session.get_one(Project, project.id).coverage_due_at = utc_now()
    db.session.commit()
    refresh_due_coverage(10)
    rows = db.session.query(Keyword).filter(Keyword.project_id == project.id).populate_existing()
    return {row.keyword_text: row for row in rows}


def test_a_keyword_has_no_state_until_it_was_counted(project: Project) -> None:
    keyword = add_keyword(project, {"keyword_text": "shoes"})[0]
    assert (keyword.coverage_state, keyword.competing) == (None, None)
    assert counted(project)["shoes"].coverage_state == "gap"


@pytest.mark.parametrize("is_counted", [True, False], ids=["counted", "read-before-words-were-counted"])
def test_pages_that_are_about_the_same_compete(project: Project, is_counted: bool) -> None:
    add(project, "running shoes", "red socks", "hats")
    first = add_page(project, "1", "Shoes for running | Shop", "Welcome", counted=is_counted).id
    second = add_page(project, "2", "Autumn | Shop", "Our running shoes", "Red socks", counted=is_counted).id
    add_page(project, "3", "All about hats", is_stale=True, counted=is_counted)
    found = counted(project)
    assert {text: row.coverage_state for text, row in found.items()} == {
        "running shoes": "contested", "red socks": "thin", "hats": "gap",
    }  # fmt: skip
    rivals = {"pages": 2, "posts": 0, "page_ids": [first, second], "post_ids": []}
    assert (found["running shoes"].competing, found["red socks"].competing) == (rivals, None)


def test_the_sites_name_in_every_title_makes_no_competitors(project: Project) -> None:
    add(project, "shop")
    add_page(project, "1", "Shoes | Shop")
    add_page(project, "2", "Socks | Shop")
    keyword = counted(project)["shop"]
    assert (keyword.covered_pages, keyword.coverage_state, keyword.competing) == (2, "thin", None)


def test_posts_with_the_same_primary_keyword_compete_and_a_page_with_a_post(project: Project) -> None:
    add(project, "honey", "wax", "hives", "pollen")
    one = post_of(project, primary_keyword="Honey", keywords=["honey", "wax"], title="Golden").id
    two = post_of(project, slug="2", primary_keyword="honey", keywords=["honey"], title="Sweet").id
    three = post_of(
        project, slug="3", primary_keyword="pollen", keywords=["pollen"], title="Choosing hives"
    ).id
    page = add_page(project, "hives", "Hives").id
    found = counted(project)
    assert found["honey"].competing == {"pages": 0, "posts": 2, "page_ids": [], "post_ids": [one, two]}
    assert found["hives"].competing == {"pages": 1, "posts": 1, "page_ids": [page], "post_ids": [three]}
    states = {text: row.coverage_state for text, row in found.items()}
    assert states == {"honey": "contested", "wax": "thin", "hives": "contested", "pollen": "covered"}


def test_the_page_that_a_post_is_published_as_is_no_rival_of_it(project: Project) -> None:
    add(project, "honey")
    post = post_of(project, primary_keyword="honey", keywords=["honey"], title="Honey")
    post.published_url, post.status = f"{SITE}blog/honey", "published"
    add_page(project, "blog/honey", "Honey")
    keyword = counted(project)["honey"]
    assert (keyword.covered_pages, keyword.covered_posts, keyword.coverage_state) == (1, 1, "covered")


def test_a_contest_ends_when_a_rival_goes(project: Project) -> None:
    add(project, "honey")
    pages = [add_page(project, str(number), "Honey") for number in range(2)]
    assert counted(project)["honey"].coverage_state == "contested"
    pages[0].is_stale = True
    assert counted(project)["honey"].coverage_state == "covered"


def test_a_count_that_finds_nothing_new_writes_no_keyword(project: Project) -> None:
    add(project, "honey", "wax")
    add_page(project, "1", "Honey"), add_page(project, "2", "Honey")
    counted(project)
    assert plans(lambda: counted(project), lambda said: said.startswith("UPDATE keywords")) == []


def test_the_keywords_are_listed_and_numbered_by_their_state(project: Project) -> None:
    add(project, "honey", "wax", "hives", "straw hives")
    add_page(project, "1", "Honey"), add_page(project, "2", "Honey")
    counted(project)
    add(project, "pollen")
    assert states_of(project) == {"gap": 3, "thin": 0, "covered": 0, "contested": 1, "all": 5}
    rows, total = list_keywords(project, 1, 2, state="gap")
    assert ([row.keyword_text for row in rows], total) == (["straw hives", "hives"], 3)
    rows, total = list_keywords(project, 1, 2, q="straw", state="gap")
    assert ([row.keyword_text for row in rows], total) == (["straw hives"], 1)


def test_a_state_is_listed_and_numbered_by_its_index(project: Project) -> None:
    texts = [f"word {number}" for number in range(20_000)]
    rows = [{"project_id": project.id, "keyword_text": text, "coverage_state": "covered"} for text in texts]
    for row in rows[::20]:
        row["coverage_state"] = "gap"
    db.session.execute(insert(Keyword), rows)
    if db.engine.dialect.name == "postgresql":
        db.session.connection().exec_driver_sql("ANALYZE keywords")
    db.session.commit()

    def listed() -> None:
        list_keywords(project, 1, 25, state="gap")

    for plan in plans(listed, lambda said: "coverage_state =" in said):
        assert "ix_keywords_project_state" in plan
        assert "Sort" not in plan
        assert "TEMP B-TREE" not in plan


def test_pages_are_counted_without_their_text(project: Project) -> None:
    add(project, "honey")
    add_page(project, "1", "Honey")
    heard = plans(lambda: counted(project), lambda said: "page_contents.blocks" in said)
    assert heard == []
