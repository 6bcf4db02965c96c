"""Angles on what the pages say: questions, comparisons, how-tos and prices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourcePage, SourceSnapshot
from app.pages.extraction.blocks import Block
from tests.content.conftest import COURSE, page, site
from tests.support.apiary import APIARY, COURSES, ideas, one, page_ids, steps, table, titles, with_blocks


@pytest.fixture
def apiary() -> SourceSnapshot:
    return site(*APIARY)


def test_a_question_that_two_pages_answer_is_an_idea(apiary: SourceSnapshot) -> None:
    idea = one(ideas(apiary), "How do I stop a swarm in spring?")
    assert (idea.origin, idea.title, idea.question) == ("question", idea.topic, idea.topic)
    assert (idea.coverage, page_ids(idea)) == ("covered", [1, 2])
    assert "asks this, 2 pages cover it" in idea.why


def test_a_question_of_one_page_or_without_a_subject_or_to_the_company_is_none(
    apiary: SourceSnapshot,
) -> None:
    assert titles(ideas(apiary), "question") == ["How do I stop a swarm in spring?"]


def test_what_one_part_of_a_page_answers_is_an_idea_if_nothing_else_is() -> None:
    answer = "Calcium pulls flavour out of the beans, and hard water makes every cup taste dull and chalky."
    water = page(
        1,
        "water",
        (
            ("h1", "Water for coffee"),
            ("p", "Water from Leeds is soft."),
            ("h2", "What hardness does to taste"),
            (
                "p",
                f"{answer} Between 50 and 120 milligrams a litre most coffees taste right to almost all.",
            ),
            ("h2", "Why so short"),
            ("p", "Water is short."),
        ),
    )
    alone = one(ideas(site(water)), "What hardness does to taste")
    assert (alone.origin, alone.question, alone.coverage, page_ids(alone)) == (
        "question",
        None,
        "covered",
        [1],
    )
    assert titles(ideas(site(water)), "question") == ["What hardness does to taste"]
    assert titles(ideas(site(*APIARY, water)), "question") == ["How do I stop a swarm in spring?"]


def test_the_terms_of_a_list_of_definitions_are_asked_too() -> None:
    def asks(number: int, term: str, answer: str) -> SourcePage:
        blocks = (Block("b1", "dt", term, group="d1"), Block("b2", "dd", answer, group="d1"))
        return SourcePage(number, f"https://bees.example/{number}", f"Part {number}", None, False, blocks)

    question, answer = "How is beeswax melted safely?", "Beeswax is melted safely over hot water."
    found = ideas(site(asks(1, question, answer), asks(2, "Beeswax", f"{answer} It takes an hour.")))
    assert titles(found, "question") == [question]


def test_what_a_table_sets_side_by_side_is_compared(apiary: SourceSnapshot) -> None:
    idea = one(ideas(apiary), "Solo or Crew")
    assert (idea.origin, idea.title) == ("comparison", "Solo or Crew: which one do you need?")
    assert page_ids(idea)[0] == 6


def test_price_cards_are_compared() -> None:
    cards = [
        Block(f"{name}{kind}", kind, text, () if kind == "heading" else (name,), group=f"c{name}")
        for name, price in (("Solo", "£9 a month"), ("Crew", "£24 a month"), ("Firm", "£49 a month"))
        for kind, text in (("heading", name), ("price", price), ("li", f"{name} has room for many hives"))
    ]
    plans = SourcePage(1, "https://bees.example/p", "Simple prices", None, False, tuple(cards))
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
