"""Which of many pages a post is made from, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import insert, update

from app.content.retrieval import page_choice
from app.content.retrieval.page_choice import SourceQuery, collect_snapshot, further_pages
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.model import Page, PageContent
from app.pages.vocabulary import vocabulary_of
from app.projects.model import Project
from tests.support.plans import plans
from tests.support.publishing import post_of
from tests.support.sites import project_at

SITE = "https://docs.example/"


@pytest.fixture
def project_id(db_app: Flask) -> int:
    return project_at(SITE).id


def add_pages(project_id: int, texts: dict[str, str], counted: bool = True, **values: Any) -> None:
    """Add read pages with these titles and texts."""
    for title, text in texts.items():
        url = f"{SITE}{title.replace(' ', '-')}"
        words = {"word_count": len(text.split()), **values}
        page = Page(
            project_id=project_id, url=url, url_key=url_key(url), source="SITEMAP", title=title, **words
        )
        db.session.add(page)
        db.session.flush()
        blocks = [{"id": "b1", "kind": "p", "text": text, "heading_path": []}]
        found = vocabulary_of(title, None, blocks)
        kept = {"words": found.words, "headings": found.headings} if counted else {}
        db.session.add(PageContent(page_id=page.id, blocks=blocks, content_hash="x", **kept))
    db.session.commit()


def chosen(project_id: int, subject: str = "", **query: Any) -> list[str | None]:
    """The titles of the pages that are taken, by their ids."""
    return [page.title for page in collect_snapshot(project_id, SourceQuery(subject, "en", **query)).pages]


def page_id(title: str) -> int:
    return db.session.query(Page.id).filter(Page.title == title).scalar()


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_choice, "TAKEN", 2)


@pytest.mark.usefixtures("two")
def test_a_page_with_the_subject_only_in_its_text_is_found(project_id: int) -> None:
    add_pages(project_id, {f"Page {number}": f"Nothing of that, {number} times." for number in range(8)})
    add_pages(project_id, {"Notes": "A deduplicated archive saves space."})
    assert "Notes" in chosen(project_id, "deduplicated archives")


@pytest.mark.usefixtures("two")
def test_pages_read_before_words_were_counted_are_found_and_counted_once(project_id: int) -> None:
    texts = {f"Page {number}": f"Nothing of that, {number} times." for number in range(4)}
    add_pages(project_id, {**texts, "Notes": "A deduplicated archive."}, counted=False)
    assert "Notes" in chosen(project_id, "deduplication of an archive")
    assert db.session.query(PageContent).filter(PageContent.words.is_(None)).count() == 0
    kept = db.session.query(PageContent.words).filter(PageContent.page_id == page_id("Notes")).scalar()
    assert (
        kept
        == vocabulary_of(
            "Notes", None, [{"kind": "p", "text": "A deduplicated archive.", "heading_path": []}]
        ).words
    )
    assert len(plans(lambda: chosen(project_id, "archive"), lambda said: said.startswith("UPDATE"))) == 0


@pytest.mark.usefixtures("two")
def test_required_pages_come_first_as_far_as_they_may_be_used(project_id: int) -> None:
    add_pages(project_id, {"Honey": "Honey and honey.", "Jars": "Of honey.", "Wax": "Wax.", "Old": "Old."})
    db.session.execute(update(Page).where(Page.title == "Old").values(is_stale=True))
    db.session.commit()
    required = (page_id("Old"), page_id("Wax"), 999_999)
    assert chosen(project_id, "honey", required=required) == ["Honey", "Wax"]


def test_preferred_pages_are_taken_but_not_only_they(
    project_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_choice, "TAKEN", 3)
    monkeypatch.setattr(page_choice, "PREFERRED", 2)
    add_pages(project_id, {f"Prices {number}": "It costs much." for number in range(4)}, always_use=True)
    add_pages(project_id, {"Honey": "Honey and honey.", "Wax": "Wax."})
    assert chosen(project_id, "honey") == ["Prices 0", "Prices 1", "Honey"]


@pytest.mark.usefixtures("two")
def test_of_more_pages_than_are_searched_the_preferred_and_the_newest_are(
    project_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_choice, "SEARCHED", 2)
    add_pages(project_id, {"Preferred": "Honey."}, always_use=True)
    add_pages(project_id, {"Older": "Honey."})
    add_pages(project_id, {"Newest": "Honey."})
    assert chosen(project_id, "honey") == ["Preferred", "Newest"]


@pytest.mark.usefixtures("two")
def test_without_a_subject_the_page_that_says_most_about_its_name_gives_one(project_id: int) -> None:
    add_pages(project_id, {f"Page {number}": f"Nothing of that, {number} times." for number in range(6)})
    add_pages(project_id, {"Honey": "Honey is sweet. Bees make honey. We sell honey.", "Jars": "Of honey."})
    assert chosen(project_id) == ["Honey", "Jars"]
    post_of(db.session.get_one(Project, project_id), title="Honey", primary_keyword="honey")
    assert chosen(project_id) != ["Honey", "Jars"]


@pytest.mark.usefixtures("two")
def test_a_page_named_like_the_whole_site_gives_no_subject(project_id: int) -> None:
    add_pages(project_id, {"Site manual": "The site manual. A site manual. Site manual of the site manual."})
    add_pages(project_id, {"Honey": "Honey is sweet. Bees make honey.", "Jars": "Of honey."})
    assert chosen(project_id) == ["Honey", "Jars"]


@pytest.mark.usefixtures("two")
def test_aspects_alone_choose_the_pages_too(project_id: int) -> None:
    add_pages(project_id, {f"Page {number}": f"Nothing of that, {number} times." for number in range(6)})
    add_pages(project_id, {"Notes": "Some honey."})
    assert "Notes" in chosen(project_id, aspects=("honey",))


def test_the_same_pages_are_chosen_again(project_id: int) -> None:
    add_pages(project_id, {f"Page {number}": f"Honey {'and bees ' * (number % 5)}" for number in range(70)})
    first = chosen(project_id, "honey bees")
    assert len(first) == 50
    assert chosen(project_id, "honey bees") == first


def test_a_page_named_by_one_endless_word_does_no_harm(project_id: int) -> None:
    name = "x" * 80
    add_pages(project_id, {name: "Something."})
    assert chosen(project_id) == [name]


def test_a_project_without_pages_has_none_to_choose(project_id: int) -> None:
    assert chosen(project_id, "honey") == []
    assert chosen(project_id) == []


def test_the_pages_to_search_come_from_their_index_however_many_were_never_read(project_id: int) -> None:
    def row(number: int) -> dict[str, Any]:
        url = f"{SITE}{number}"
        return {"project_id": project_id, "url": url, "url_key": url_key(url), "source": "SITEMAP"}

    db.session.execute(insert(Page), [row(number) for number in range(20_000)])
    add_pages(project_id, {f"Page {number}": "Honey." for number in range(30)})
    if db.engine.dialect.name == "postgresql":
        db.session.connection().exec_driver_sql("ANALYZE pages")
    db.session.commit()
    [plan] = plans(
        lambda: chosen(project_id, "honey"), lambda said: "page_contents.words" in said and "LIMIT" in said
    )
    # PostgreSQL may begin with the texts as well, of which there are few.
    assert "Seq Scan on pages" not in plan
    assert "SCAN pages" not in plan
    assert "TEMP B-TREE" not in plan


def test_further_pages_are_those_that_say_most_on_a_gap_besides_the_ones_taken(project_id: int) -> None:
    add_pages(project_id, {f"Page {number}": f"Nothing of that, {number} times." for number in range(20)})
    add_pages(
        project_id, {"Traces": "Traces of several lines are read as one.", "Notes": "Traces are noted."}
    )
    but = {page_id("Notes")}
    found = further_pages(project_id, SourceQuery("archives", "en"), "traces of several lines", but)
    assert [page.title for page in found] == ["Traces"]
