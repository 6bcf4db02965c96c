"""Title ideas without a model: angles that no page and no post is about, none twice, nothing made up."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import ExistingPost, SourceBlock, SourcePage, SourceSnapshot
from app.content.planning.ideas.candidates import IdeaKeyword
from app.content.planning.ideas.finding import TitleIdea, suggest_titles
from app.content.planning.ideas.source import idea_source
from app.content.retrieval.duplicates import NamedPage
from app.content.retrieval.passages import library_of
from tests.content.conftest import COURSE, TEAM, Part, page, site

HELP: tuple[Part, ...] = (
    ("h1", "Help for beekeepers"),
    ("h2", "How do I stop a swarm in spring?"),
    ("p", "Cut the queen cells every week of the spring, and no swarm leaves the hive."),
    ("h2", "Do you stop a swarm in spring?"),
    ("p", "Call us, and we come to your garden on the same day to catch the swarm."),
    ("h2", "Which one?"),
    ("p", "The one that your neighbours use is the one that you should use yourself."),
    ("h2", "Is a veil needed?"),
    ("p", "A veil is needed whenever you open the box, because bees fly towards the eyes."),
)
SWARMS: tuple[Part, ...] = (
    ("h1", "Spring in the apiary"),
    ("p", "A swarm is how a colony divides. In spring you stop it when the colony has more room in time."),
)
SIZES: tuple[Part, ...] = (
    ("h1", "Clothes that fit"),
    ("p", "It helps to measure twice, because a suit that is too tight lets the stings through."),
    ("h2", "Measure your hat size"),
)
WORKS: tuple[Part, ...] = (("h1", "About our garden"), ("h2", "How a honey extractor spins"))


def steps(*texts: str) -> list[SourceBlock]:
    """A numbered list."""
    items = texts or ("Take a tape that bends easily.", "Measure around your head.", "Write the figure down.")
    return [SourceBlock(f"s{n}", "li", text, lists="o") for n, text in enumerate(items)]


def table(*rows: Sequence[str]) -> list[SourceBlock]:
    """A table with a header."""
    kinds = ["table_head", *["table"] * (len(rows) - 1)]
    return [
        SourceBlock(f"t{n}", kind, " | ".join(row), group="t1", cells=tuple(row))
        for n, (kind, row) in enumerate(zip(kinds, rows, strict=True))
    ]


def with_blocks(made: SourcePage, blocks: Sequence[SourceBlock]) -> SourcePage:
    """The page with more blocks, under its last heading."""
    last = next(block for block in reversed(made.blocks) if block.kind == "heading")
    path = (*last.heading_path, last.text)
    return replace(made, blocks=(*made.blocks, *(replace(block, heading_path=path) for block in blocks)))


PLANS = with_blocks(
    page(
        6,
        "plans",
        (("h1", "What it takes"), ("h2", "Solo"), ("p", "For one person with up to five hives in a garden."),
         ("h2", "Crew"), ("p", "For a club whose members look after the hives together."),
         ("h2", "All in one view")),
    ),
    table(("", "Solo", "Crew"), ("Hives", "5", "50"), ("People", "1", "10")),
)  # fmt: skip
COURSES = with_blocks(
    page(7, "courses", (("h1", "Courses in the garden"),)),
    table(("Course", "Length", "Price"), ("Beginners", "3 days", "£90"), ("Queens", "1 day", "£45")),
)
APIARY = (
    page(1, "help", HELP),
    page(2, "spring", SWARMS),
    with_blocks(page(3, "clothes", SIZES), steps()),
    with_blocks(
        page(4, "garden", WORKS),
        steps("Fill in the frames of honey.", "Close it well.", "Turn it for a minute."),
    ),
    page(5, "team", TEAM),
    PLANS,
    COURSES,
)


@pytest.fixture
def apiary() -> SourceSnapshot:
    return site(*APIARY)


def ideas(
    snapshot: SourceSnapshot,
    *keywords: str,
    count: int = 50,
    posts: tuple[ExistingPost, ...] = (),
    named: tuple[NamedPage, ...] = (),
    **more: Any,
) -> tuple[TitleIdea, ...]:
    known = [IdeaKeyword(number, text) for number, text in enumerate(keywords, 1)]
    snapshot = replace(snapshot, existing_posts=posts)
    source = idea_source(snapshot, library_of(snapshot.pages, snapshot.language), named)
    return suggest_titles(source, known, count, **more)


def one(found: tuple[TitleIdea, ...], topic: str) -> TitleIdea:
    return next(idea for idea in found if idea.topic == topic)


def titles(found: tuple[TitleIdea, ...], origin: str) -> list[str]:
    return [idea.title for idea in found if idea.origin == origin]


def page_ids(idea: TitleIdea) -> list[int]:
    return [page.id for page in idea.pages]


def test_a_question_that_two_pages_answer_is_an_idea(apiary: SourceSnapshot) -> None:
    idea = one(ideas(apiary), "How do I stop a swarm in spring?")
    assert (idea.origin, idea.title, idea.question) == ("question", idea.topic, idea.topic)
    assert (idea.coverage, page_ids(idea)) == ("covered", [1, 2])
    assert "asks this, 2 pages speak about it" in idea.why


def test_a_question_of_one_page_or_without_a_subject_or_to_the_company_is_none(
    apiary: SourceSnapshot,
) -> None:
    assert titles(ideas(apiary), "question") == ["How do I stop a swarm in spring?"]


def test_the_terms_of_a_list_of_definitions_are_asked_too() -> None:
    def asks(number: int, term: str, answer: str) -> SourcePage:
        blocks = (SourceBlock("b1", "dt", term, group="d1"), SourceBlock("b2", "dd", answer, group="d1"))
        return SourcePage(
            number, f"https://bees.example/{number}", f"Part {number}", None, "h", None, False, blocks
        )

    question, answer = "How is beeswax melted safely?", "Beeswax is melted safely over hot water."
    found = ideas(site(asks(1, question, answer), asks(2, "Beeswax", f"{answer} It takes an hour.")))
    assert titles(found, "question") == [question]


def test_what_a_table_sets_side_by_side_is_compared(apiary: SourceSnapshot) -> None:
    idea = one(ideas(apiary), "Solo or Crew")
    assert (idea.origin, idea.title) == ("comparison", "Solo or Crew: which one do you need?")
    assert page_ids(idea)[0] == 6


def test_price_cards_are_compared() -> None:
    cards = [
        SourceBlock(f"{name}{kind}", kind, text, () if kind == "heading" else (name,), group=f"c{name}")
        for name, price in (("Solo", "£9 a month"), ("Crew", "£24 a month"), ("Firm", "£49 a month"))
        for kind, text in (("heading", name), ("price", price), ("li", f"{name} has room for many hives"))
    ]
    plans = SourcePage(1, "https://bees.example/p", "Simple prices", None, "h", None, False, tuple(cards))
    assert titles(ideas(site(plans)), "comparison") == ["Solo, Crew or Firm: which one do you need?"]


def test_rows_that_have_a_page_each_are_compared() -> None:
    overview = with_blocks(
        page(3, "kinds", (("h1", "Two kinds"),)),
        table(("Hive", "Frames"), ("Langstroth hive", "10"), ("Warré hive", "8")),
    )
    own = [page(n, f"p{n}", (("h1", name), ("p", f"The {name} is a box for bees that many people use.")))
           for n, name in ((1, "Langstroth hive"), (2, "Warré hive"))]  # fmt: skip
    found = ideas(site(*own, overview))
    assert titles(found, "comparison") == ["Langstroth hive or Warré hive: which one do you need?"]


def test_columns_that_name_nothing_of_the_site_are_not_compared() -> None:
    dates = with_blocks(page(1, "dates", COURSE), table(("Day", "Opens", "Closes"), ("Monday", "9", "17")))
    assert titles(ideas(site(dates)), "comparison") == []


def test_steps_on_a_page_with_another_subject_are_a_how_to(apiary: SourceSnapshot) -> None:
    found = ideas(apiary)
    assert titles(found, "how_to") == [
        "How to measure your hat size", "How a honey extractor spins, step by step"
    ]  # fmt: skip
    assert page_ids(one(found, "How to measure your hat size")) == [3]


def test_steps_under_the_pages_own_subject_are_none() -> None:
    own = with_blocks(
        page(1, "hats", (("h1", "Hats and how to measure them"), ("p", "It helps to measure."),
                         ("h2", "Measure your hat"))),
        steps(),
    )  # fmt: skip
    assert titles(ideas(site(own)), "how_to") == []


def test_prices_on_a_page_of_another_name_are_an_idea(apiary: SourceSnapshot) -> None:
    idea = one(ideas(apiary), "courses: price")
    assert (idea.origin, idea.title) == ("cost", "Courses: prices at a glance")
    assert page_ids(idea)[0] == 7


def test_a_page_that_is_named_after_its_prices_needs_no_second() -> None:
    renamed = replace(COURSES, title="Courses and prices | Bees")
    assert titles(ideas(site(renamed)), "cost") == []


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
    told = {idea.topic: (idea.coverage, idea.why) for idea in found if idea.origin == "keyword"}
    assert told == {
        "queen cells": ("perhaps", "1 page speaks about some of this. A draft may be short."),
        "queen pollination": (
            "perhaps", "2 pages speak about some of this, but not about “pollination”. A draft may be short."
        ),
        "propolis": ("absent", "No page says anything about “propolis”. A draft would be an outline."),
    }  # fmt: skip


def test_what_no_page_speaks_about_comes_last_and_has_no_pages(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "propolis", "queen cells")
    assert [idea.topic for idea in found][-1] == "propolis"
    assert [idea.coverage for idea in found].index("absent") == len(found) - 1
    assert found[-1].pages == ()
    assert all(1 <= len(idea.pages) <= 5 for idea in found[:-1])


def test_a_keyword_that_the_site_asks_has_the_question_as_its_title(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "veil needed")
    assert one(found, "veil needed").title == "Is a veil needed?"
    assert [idea.title for idea in found].count("Is a veil needed?") == 1


def test_a_question_is_named_after_the_keywords_it_holds(apiary: SourceSnapshot) -> None:
    found = ideas(apiary, "swarm spring summer", "swarm", "stop")
    assert one(found, "How do I stop a swarm in spring?").keyword_ids == (3,)


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


def test_the_kinds_take_turns(apiary: SourceSnapshot) -> None:
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


def test_a_large_project_is_searched_within_seconds() -> None:
    pages = []
    for number in range(200):
        told: list[Part] = [("h1", f"Machine {number}")]
        for part in range(20):
            told += [
                ("h2", f"How does part {part} of machine {number} work?"),
                ("p", f"The machine number {number} has a part that works like every other part does."),
            ]
        pages.append(page(number, f"machine-{number}", told))
    posts = tuple(ExistingPost(n, f"Another machine {n} and its story", f"story {n}") for n in range(2000))
    named = tuple(NamedPage(n, (f"Device {n} of the house",)) for n in range(1000, 6000))
    known = [f"machine {n} part" for n in range(100)]
    started = time.process_time()
    assert len(ideas(site(*pages), *known, posts=posts, named=named)) == 50
    assert time.process_time() - started < 10
