"""Title ideas without a model: about nothing that a page or post is about, none twice, nothing made up."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from app.content.artefacts import ExistingPost, SourceSnapshot
from app.content.planning.ideas.finding import suggest_titles
from app.content.planning.ideas.source import IdeaKeyword, idea_source
from app.content.retrieval.duplicates import NamedPage
from app.content.retrieval.passages import library_of
from tests.content.conftest import Part, page, site
from tests.support.apiary import APIARY, ideas, one, titles


@pytest.fixture
def apiary() -> SourceSnapshot:
    return site(*APIARY)


def test_no_idea_has_the_name_of_a_page(apiary: SourceSnapshot) -> None:
    swarm = page(8, "swarm", (("h1", "Stop a swarm in spring"), ("p", "A swarm leaves when it is warm.")))
    found = ideas(site(*APIARY, swarm), "spring in the apiary", "clothes that fit")
    assert titles(found, "keyword") == []
    assert titles(found, "question") == []


def test_pages_that_were_not_read_count_by_their_names(apiary: SourceSnapshot) -> None:
    named = (NamedPage(99, ("Wax candles", "Candles made of wax")),)
    assert titles(ideas(apiary, "wax candles", "honey jars", named=named), "keyword") == ["Honey jars"]


def test_a_keyword_says_how_the_pages_cover_it(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "queen cells", "queen pollination", "propolis")
    by_topic = {idea.topic: (idea.coverage, idea.why) for idea in found if idea.origin == "keyword"}
    assert by_topic == {
        "queen cells": ("perhaps", "1 page mentions this in passing. A draft may be short."),
        "queen pollination": (
            "perhaps", "2 pages cover some of this, but not “pollination”. A draft may be short."
        ),
        "propolis": ("absent", "No page says anything about “propolis”. A draft would be an outline."),
    }  # fmt: skip


def test_ideas_that_no_page_covers_come_last_and_have_no_pages(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "propolis", "queen cells")
    assert [idea.topic for idea in found][-1] == "propolis"
    assert [idea.coverage for idea in found].index("absent") == len(found) - 1
    assert found[-1].pages == ()
    assert all(1 <= len(idea.pages) <= 5 for idea in found[:-1])


def test_a_keyword_that_the_site_asks_has_the_question_as_its_title(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "veil needed")
    assert one(found, "veil needed").title == "Is a veil needed?"
    assert [idea.title for idea in found].count("Is a veil needed?") == 1


def test_a_question_has_the_keywords_that_it_contains(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "swarm spring summer", "swarm", "stop")
    assert one(found, "How do I stop a swarm in spring?").keyword_ids == (3,)


def test_a_keyword_is_written_as_the_site_writes_it() -> None:
    said = page(1, "tax", (("h1", "Returns"), ("p", "A VAT return is due each quarter; VAT is paid then.")))
    assert titles(ideas(site(said), "vat deadline"), "keyword") == ["VAT deadline"]


def test_a_keyword_leads_one_idea_only(apiary: SourceSnapshot) -> None:
    found = [idea.keyword for idea in ideas(apiary, "swarm", "veil") if idea.keyword]
    assert sorted(found) == ["swarm", "veil"]


@pytest.mark.parametrize(
    "post",
    [
        ExistingPost(5, "Something else", "Swarm"),
        ExistingPost(5, "The swarm", None),
        ExistingPost(5, "Swarm | Bee School", None),
        ExistingPost(5, "SWARMS", None),
    ],
)
def test_what_a_post_is_about_is_no_idea(apiary: SourceSnapshot, post: ExistingPost) -> None:
    assert "swarm" not in [idea.topic for idea in ideas(apiary, "swarm", posts=(post,))]


def test_posts_on_something_similar_are_named_the_nearest_first(apiary: SourceSnapshot) -> None:
    posts = (ExistingPost(7, "Painting beehives", None), ExistingPost(8, "Garden tables", None))
    idea = one(ideas(apiary, "paint beehive blue", posts=posts), "paint beehive blue")
    assert idea.existing_post_ids == (7,)


def test_no_two_ideas_are_about_the_same(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "swarm", "the swarm", "swarms", "veil")
    assert titles(found, "keyword") == ["Swarm", "Veil"]


def test_ideas_of_each_origin_alternate(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "swarm", "veil", count=6)
    assert [idea.origin for idea in found] == [
        "keyword", "question", "comparison", "how_to", "cost", "keyword"
    ]  # fmt: skip


def test_the_most_searched_keyword_comes_first(apiary: SourceSnapshot) -> None:
    known = [IdeaKeyword(1, "varroa", 10), IdeaKeyword(2, "propolis", 900), IdeaKeyword(3, "pollen")]
    found = suggest_titles(idea_source(apiary, library_of(apiary.pages, "en")), known, 50)
    assert titles(found, "keyword") == ["Propolis", "Varroa", "Pollen"]


def test_chosen_keywords_leave_everything_else_out(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "swarm", only_these=True)
    assert [idea.topic for idea in found] == ["swarm", "How do I stop a swarm in spring?"]


def test_the_same_input_gives_the_same_ideas(apiary: SourceSnapshot) -> None:
    assert ideas(apiary, "swarm", "varroa") == ideas(apiary, "swarm", "varroa")


def test_a_project_without_pages_has_its_keywords() -> None:
    found = ideas(site(), "beehive", "garden notes")
    assert [(idea.topic, idea.coverage) for idea in found] == [
        ("beehive", "absent"), ("garden notes", "absent")
    ]  # fmt: skip
    assert ideas(site()) == ()


def test_a_language_without_patterns_has_keywords_and_questions_alone(apiary: SourceSnapshot) -> None:
    found = ideas(replace(apiary, language="fi"), "swarm")
    assert {idea.origin for idea in found} <= {"keyword", "question"}


def test_a_title_too_long_for_a_post_is_no_idea(apiary: SourceSnapshot) -> None:
    assert titles(ideas(apiary, "very " * 40 + "long"), "keyword") == []


@pytest.mark.timed
def test_a_large_project_is_searched_within_seconds() -> None:
    pages = []
    for number in range(200):
        parts: list[Part] = [("h1", f"Machine {number}")]
        for part in range(20):
            parts += [
                ("h2", f"How does part {part} of machine {number} work?"),
                ("p", f"The machine number {number} has a part that works like every other part does."),
            ]
        pages.append(page(number, f"machine-{number}", parts))
    posts = tuple(ExistingPost(n, f"Another machine {n} and its story", f"story {n}") for n in range(2000))
    named = tuple(NamedPage(n, (f"Device {n} of the house",)) for n in range(1000, 6000))
    known = [f"machine {n} part" for n in range(100)]
    started = time.process_time()
    assert len(ideas(site(*pages), *known, posts=posts, named=named)) == 50
    assert time.process_time() - started < 10
