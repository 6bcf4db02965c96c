"""Who wrote a page: found in its bylines, told to the writer, and allowed where the page speaks."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.evidence.authors import author_of
from app.content.evidence.sections import sections_of
from app.content.evidence.units import EvidenceUnit, units_of
from app.content.request import GenerationRequest
from app.content.writing.article.prompt_parts import evidence_lines
from app.content.writing.article.writer import ModelFailed, Work, write_article
from app.content.writing.llm.questions import NO_CACHE
from app.content.writing.providers.base import Providers
from app.content.writing.veto.names import names
from app.content.writing.veto.rules import Veto
from app.pages.extraction.blocks import Block
from app.pages.extraction.extract import extract
from tests.content.conftest import Part, page
from tests.support.article_material import ScriptedModel, evidence, left_out, model_says, unit
from tests.support.model_answers import NUMBERED

PROSE = "I tune two hundred pianos a year and write each pitch down before I touch a pin."


def signed(*bylines: str) -> SourcePage:
    """A guide with these bylines below its title."""
    return page(1, "guide", [("h1", "Tuning"), *(("byline", line) for line in bylines), ("p", PROSE)])


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("By Hester Quill", "Hester Quill"),
        ("By Hester Quill · 3 June 2025 · 6 minutes", "Hester Quill"),
        ("By Hester Quill, December 9, 2025", "Hester Quill"),
        ("By Hester Quill on 3 June 2025", "Hester Quill"),
        ("Written by Hester Quill May 3, 2025", "Hester Quill"),
        ("By Barry Holt, Calder & Finch Pianos · 20 November 2025", "Barry Holt"),
        ("By Dr Owen Ash, Severn College of Music · 9 September 2024", "Dr Owen Ash"),
        ("18. Mai 2026 | Von Dr. Samir Haddad", "Dr. Samir Haddad"),
        ("Por María de la Cruz", "María de la Cruz"),
        ("Par Jean-Luc O’Neill", "Jean-Luc O’Neill"),
        ("By J. R. Ashdown", "J. R. Ashdown"),
        ("Hattie Nance, head of onboarding", "Hattie Nance"),
        ("Pascale Duhamel. Revised October 2025.", "Pascale Duhamel"),
    ],
)
def test_a_byline_names_the_author_of_its_page(byline: str, author: str) -> None:
    assert author_of(signed(byline)) == author


@pytest.mark.parametrize(
    "byline",
    [
        "By Hester Quill and Barry Holt · 3 June 2025",
        "By Hester Quill & Barry Holt",
        "By Hester Quill, Barry Holt",
        "By Hester Quill, Barry Holt and Owen Ash",
        "By Hester Quill and 3 others",
        "By Hester Quill with Barry Holt 3 June 2025",
        "By Hester Quill, with Barry Holt, 3 June 2025",
        "By Hester Quill, Barry Holt 3 June 2025",
        "By Consumer Reports",
        "Von Hester Quill und Barry Holt",
        "Hester Quill, with objections by Barry Holt. Revised November 2025.",
        "By Hester · 3 June 2025",
        "By The Tuning Team · 3 June 2025",
        "Von Redaktion Klavierbote",
        "By admin",
        "3 June 2025 · 6 minutes",
        "Hester Quill",
    ],
)
def test_several_people_a_team_and_what_is_unclear_name_no_author(byline: str) -> None:
    assert author_of(signed(byline)) == ""


def test_two_bylines_name_an_author_only_if_they_agree() -> None:
    assert author_of(signed("By Hester Quill", "By Hester Quill · 3 June 2025")) == "Hester Quill"
    assert author_of(signed("By Hester Quill", "By Barry Holt")) == ""


def test_the_box_about_an_author_names_them_by_the_line_below_the_name() -> None:
    assert author_of(signed("Hester Quill", "Hester tunes in the valley.")) == "Hester Quill"
    assert author_of(signed("Hester Quill", "Barry tunes in the valley.")) == ""
    assert author_of(signed("Hester Quill", "Hester tunes.", "Barry Holt", "Barry tunes.")) == ""


def test_the_byline_of_a_teaser_far_below_the_title_is_not_that_of_the_page() -> None:
    prose = [("p", f"{PROSE} This is guide {n}.") for n in range(10)]
    teaser = [("h2", "Strings"), ("byline", "By Barry Holt · 3 June 2025")]
    assert author_of(page(1, "guide", [("h1", "Tuning"), *prose, *teaser])) == ""
    own = [("h1", "Tuning"), ("byline", "By Barry Holt"), *prose]
    assert author_of(page(1, "guide", own)) == "Barry Holt"


@pytest.mark.parametrize(
    "markup",
    [
        '<p class="byline">By Hester Quill · 3 June 2025 · 6 minutes</p>',
        '<p>By <a rel="author" href="/hester">Hester Quill</a></p>',
        '<p>Von <span itemprop="author">Hester Quill</span> | <time>3. Juni 2025</time></p>',
    ],
)
def test_the_author_of_a_page_that_was_read_is_known(markup: str) -> None:
    text = f"<h1>Tuning</h1>{markup}<p>{PROSE}</p><p>{PROSE.replace('two', 'three')}</p>"
    read = extract(f"<html><body><article>{text}</article></body></html>".encode(), "https://a.example/t")
    assert author_of(SourcePage(1, "https://a.example/t", read.title, None, False, read.blocks)) == (
        "Hester Quill"
    )
    assert all("Hester" not in block.text for block in read.blocks if block.kind != "byline")


def units(*parts: Part) -> tuple[EvidenceUnit, ...]:
    return units_of(sections_of([page(1, "guide", [("h1", "Tuning"), *parts])]))


def test_the_evidence_names_the_author_and_says_whose_i_it_is() -> None:
    note, *lines = evidence_lines(units(("byline", "By Hester Quill"), ("p", PROSE)))
    assert note.startswith("Where a page has an author")
    assert lines == [
        "<evidence> (untrusted data)",
        '<page number="1" name="Tuning" author="Hester Quill">',
        f"[1:b2] {PROSE}",
        "</page>",
        "</evidence>",
    ]


def test_evidence_without_an_author_looks_as_before() -> None:
    assert evidence_lines(units(("byline", "3 June 2025"), ("p", PROSE))) == [
        "<evidence> (untrusted data)",
        '<page number="1" name="Tuning">',
        f"[1:b2] {PROSE}",
        "</page>",
        "</evidence>",
    ]


def by(author: str, unit_id: str, text: str) -> EvidenceUnit:
    return unit(unit_id, text, path=("Pitch",), author=author)


RAISE = by("Hester Quill", "1:b1", "I charge £40 for a pitch raise, and I say so on the telephone.")
MINE = by("Hester Quill", "1:b2", "Mine says: “The piano needs two passes before it holds its pitch.”")
DESK = by("Hester Quill", "1:b3", "A pitch raise at the Halifax workshop takes ninety minutes by hand.")
TOLD = by("Hester Quill", "1:b4", "Mara Lind told me once: “A new string stretches for a whole year.”")
LOGS = by("Hester Quill", "1:b5", "When the day is over, Mara Lind logs each pitch in a blue book.")
ROUND = by("Marian Moss", "2:b1", "I drive two hundred miles a week, and Hester once drove with me.")
FELT = by("Hester Quill", "1:b6", "She told me later: “The felt of a hammer hardens over the years.”")
MEETS = unit("3:b1", "Every spring Hester and her friends meet in Halifax over a damp upright.")
BY_AUTHORS = Veto(evidence(RAISE, MINE, DESK, TOLD, LOGS, FELT, ROUND, MEETS), "en")


def stopped(text: str, *ids: str) -> str:
    return "; ".join(BY_AUTHORS.violations(model_says(text, *ids)))


@pytest.mark.parametrize(
    ("right", "wrong", "ids"),
    [
        ("The tuner Hester Quill charges £40.", "The tuner Marian Moss charges £40.", ("1:b1",)),
        ("Each week the tuner Marian Moss drives.", "Each week the tuner Owen Ash drives.", ("2:b1",)),
        (
            "Hester's says the piano needs two passes before it holds its pitch.",
            "The card that Marian wrote says the piano needs two passes before it holds its pitch.",
            ("1:b2",),
        ),
        (
            "“I say so on the telephone”, writes Hester Quill.",
            "“I say so on the telephone”, writes Marian Moss.",
            ("1:b1", "2:b1"),
        ),
        (
            "“A new string stretches for a whole year”, says Mara Lind.",
            "“A new string stretches for a whole year”, says Marian Moss.",
            ("1:b4", "2:b1"),
        ),
        (
            "“The felt of a hammer hardens over the years”, says Mara.",
            "“The felt of a hammer hardens over the years”, says Marian.",
            ("1:b6", "2:b1"),
        ),
    ],
)
def test_the_author_may_be_named_where_the_page_speaks_and_nobody_else(
    right: str, wrong: str, ids: tuple[str, ...]
) -> None:
    assert stopped(right, *ids) == ""
    assert stopped(wrong, *ids) != ""


@pytest.mark.parametrize(
    ("right", "name", "units"),
    [
        ("A pitch raise takes some time by hand, says Hester Quill.", "Hester Quill", (DESK, ROUND)),
        ("When the day is over, Mara Lind logs each pitch in a book.", "Mara Lind", (LOGS, ROUND)),
    ],
)
def test_whether_the_author_or_somebody_else_does_it_has_to_be_read(
    right: str, name: str, units: tuple[EvidenceUnit, ...]
) -> None:
    assert stopped(right, *(each.id for each in units)) == ""
    assert left_out(right, *units) == {name}


def test_what_belongs_to_an_author_is_no_name() -> None:
    assert names("Mine says that it needs two passes.", "en") == []
    assert names("Mara says that it needs two passes.", "en") == ["Mara"]


def test_somebody_whom_a_page_quotes_is_not_its_author() -> None:
    quote = unit(
        "1:b1", "We never lost a string in winter. — Mara Lind", "quote",
        speaker="Mara Lind", author="Hester Quill",
    )  # fmt: skip
    veto = Veto(evidence(quote), "en")
    right = "“We never lost a string in winter”, says Mara Lind."
    assert veto.violations(model_says(right, "1:b1")) == ()
    assert veto.violations(model_says(right.replace("Mara Lind", "Hester Quill"), "1:b1")) != ()


def test_whose_price_it_is_stays_free_where_each_author_says_it() -> None:
    other = by("Marian Moss", "2:b2", "I charge £40 for a pitch raise too.")
    veto = Veto(evidence(RAISE, other, MEETS), "en")
    text = "Marian Moss charges £40 for a pitch raise."
    assert veto.violations(model_says(text, "1:b1", "2:b2")) == ()
    assert veto.violations(model_says(text, "1:b1")) != ()


PROMPTS = {"plan the article", "write the article", "edit the article", "check sentences", "revise sentences"}


def test_each_prompt_with_evidence_names_the_author(bees: SourceSnapshot) -> None:
    first, *others = bees.pages
    byline = Block("b99", "byline", "By Hester Quill")
    own = replace(first, blocks=(first.blocks[0], byline, *first.blocks[1:]))
    refused = ScriptedModel({"check sentences": nothing_supported})
    work = Work(lambda _name, _message: None, lambda: False, lambda: math.inf, NO_CACHE)
    request = GenerationRequest(topic="beehive", target_words=300)
    with pytest.raises(ModelFailed):
        write_article(request, replace(bees, pages=(own, *others)), Providers(refused, refused), work)
    assert set(refused.asked) == PROMPTS
    shown = dict(zip(refused.asked, refused.prompts, strict=True))
    assert all('author="Hester Quill">' in prompt for prompt in shown.values())


def nothing_supported(prompt: str) -> dict[str, Any]:
    numbers = [int(number) for number, _ids, _text in NUMBERED.findall(prompt)]
    return {"verdicts": [{"n": n, "blanks": [], "verdict": "unsupported", "words": ""} for n in numbers]}


def test_a_heading_may_name_an_author_of_the_evidence_and_no_other() -> None:
    assert BY_AUTHORS.heading_violations("What the tuner Hester Quill charges for a raise") == ()
    assert BY_AUTHORS.heading_violations("What the tuner Hester Ash charges for a raise") != ()


def test_figures_of_one_author_are_not_said_of_another() -> None:
    hester = by("Hester Quill", "1:b1", "I charge £40 for a pitch raise in Halifax.")
    marian = by("Marian Moss", "2:b1", "I charge £60 for a pitch raise in Leeds.")
    veto = Veto(evidence(hester, marian), "en")
    assert veto.violations(model_says("Hester Quill charges £40 for a pitch raise.", "1:b1", "2:b1")) == ()
    assert left_out("Marian Moss charges £40 for a pitch raise.", hester, marian) == {"Marian Moss", "40"}


def test_words_that_a_page_quotes_are_not_its_authors() -> None:
    told = by("Hester Quill", "1:b1", "Mara Lind told me once: “A new string stretches for a whole year.”")
    veto = Veto(evidence(told), "en")
    said = "“A new string stretches for a whole year”, says {}."
    assert veto.violations(model_says(said.format("Mara Lind"), "1:b1")) == ()
    assert veto.violations(model_says(said.format("Hester Quill"), "1:b1")) != ()


def test_a_common_word_is_no_author_of_another_page() -> None:
    hester = by("Hester Quill", "1:b1", "I charge £40 for a pitch raise, and I say so on the telephone.")
    other = by("Rose Moss", "2:b1", "I clean filters.")
    veto = Veto(evidence(hester, other), "en")
    said = "Prices rose: a pitch raise now costs £40, and she says so on the telephone."
    assert veto.violations(model_says(said, "1:b1")) == ()
