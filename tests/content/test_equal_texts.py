"""Pages with the same text count once as sources, and say so, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.content.artefacts import SourceSnapshot
from app.content.planning.ideas.material import collect_idea_sources
from app.content.retrieval.page_choice import SourceQuery, collect_snapshot
from app.infra.db import db
from app.pages.equal_texts import page_with_the_same_text
from app.pages.model import Page
from app.pages.service import add_page
from app.projects.model import Project
from tests.support.plans import plans
from tests.support.sites import project_at

SITE = "https://bees.example"
HONEY = "Honey is sweet.\n\nBees make honey in summer."


@pytest.fixture
def project(db_app: Flask) -> Project:
    return project_at(SITE)


def add(project: Project, path: str, text: str = HONEY, **members: Any) -> int:
    """Add a page with this text."""
    return add_page(project, {"url": f"{SITE}{path}", "content": text, **members}).page.id


def collected(project: Project, **query: Any) -> SourceSnapshot:
    db.session.rollback()
    return collect_snapshot(project.id, SourceQuery("honey", "en", **query))


def taken(project: Project, **query: Any) -> list[str]:
    return [page.url.removeprefix(SITE) for page in collected(project, **query).pages]


def change(page_id: int, **values: Any) -> None:
    db.session.execute(update(Page).where(Page.id == page_id).values(**values))
    db.session.commit()


def test_of_equal_texts_a_post_takes_the_one_with_the_shortest_address_or_the_oldest(
    project: Project,
) -> None:
    for path in ("/honey/print", "/honey", "/money"):
        add(project, path)
    add(project, "/wax", "Wax is no honey.")
    assert taken(project) == ["/honey", "/wax"]


def test_a_text_with_one_other_word_is_another_text(project: Project) -> None:
    add(project, "/a")
    add(project, "/b", HONEY.replace("summer", "spring"))
    assert taken(project) == ["/a", "/b"]


def test_a_preferred_page_is_taken_rather_than_one_with_the_same_text(project: Project) -> None:
    add(project, "/honey")
    add(project, "/honey/print", always_use=True)
    assert taken(project) == ["/honey/print"]


def test_the_page_that_is_asked_for_is_taken_whatever_others_say(project: Project) -> None:
    add(project, "/honey")
    asked = add(project, "/honey/print")
    assert taken(project, page_ids=(asked,)) == ["/honey/print"]
    assert taken(project, required=(asked,)) == ["/honey/print"]


def test_the_copy_is_taken_once_the_other_page_is_not_used(project: Project) -> None:
    first = add(project, "/honey")
    add(project, "/honey/print")
    assert taken(project) == ["/honey"]
    change(first, is_stale=True)
    assert taken(project) == ["/honey/print"]


def test_copies_do_not_make_a_text_look_like_a_part_of_every_page(project: Project) -> None:
    for path in ("/honey", "/honey/2", "/honey/3", "/honey/4"):
        add(project, path)
    assert [block.text for block in collected(project).pages[0].blocks] == HONEY.split("\n\n")


def test_title_ideas_are_looked_for_in_each_text_once(project: Project) -> None:
    add(project, "/honey")
    add(project, "/honey/print")
    snapshot, named = collect_idea_sources(project.id, ["honey"], "en", lambda: False)
    assert (len(snapshot.pages), len(named)) == (1, 1)


def test_each_page_knows_the_oldest_other_one_with_its_text(project: Project) -> None:
    first, second, third = (add(project, path) for path in ("/a", "/b", "/c"))
    other = add(project, "/d", "Wax.")
    found = page_with_the_same_text([first, second, third, other])
    assert {page_id: page.id for page_id, page in found.items()} == {
        first: second,
        second: first,
        third: first,
    }


def test_pages_that_posts_do_not_use_and_those_of_others_are_not_named(project: Project) -> None:
    first, second = add(project, "/a"), add(project, "/b")
    bobs = add(project_at(SITE, email="bob@example.com"), "/a")
    change(second, noindex=True)
    assert page_with_the_same_text([first, second, bobs]) == {}


def test_a_page_without_words_has_no_text_to_share(project: Project) -> None:
    ids = [add_page(project, {"url": f"{SITE}/{path}"}).page.id for path in "ab"]
    keys = db.session.scalars(select(Page.text_key).where(Page.id.in_(ids))).all()
    assert keys == [None, None]


def test_pages_with_the_same_text_are_found_by_their_index(project: Project) -> None:
    ids = [add(project, path) for path in ("/a", "/b")]
    (plan,) = plans(lambda: page_with_the_same_text(ids), lambda said: "min(" in said)
    if db.engine.dialect.name == "sqlite":
        assert "ix_pages_same_text" in plan
