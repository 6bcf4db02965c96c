"""Which sentences of an article are outdated: those whose quote their pages no longer contain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.content.drafts import PresentText
from app.content.evidence.quotes import QuotedPage, outdated
from app.content.posts.outdated import outdated_sentences
from tests.content.conftest import page

GARDEN = replace(page(1, "garden", [("p", "Peas grow here.")]), description="A seed garden by the sea.")


def entry(quote: str, source: str) -> dict[str, Any]:
    return {"sentence": "Said.", "quote": quote, "source_ids": [source]}


def test_a_quote_from_a_description_holds_while_the_page_has_it() -> None:
    trace = [
        entry("Peas grow", "1:b0"),
        entry("garden by the sea", "1:description"),
        entry("by the lake", "1:description"),
    ]
    assert outdated(trace, {1: QuotedPage(GARDEN)}) == [2]


TABLE = [
    ("p", "Renting costs this much a month:"),
    ("table", "Clarinet | £16 | £13.50"),
    ("table", "Flute | £14 | £12.50"),
]
WROTE = "A clarinet on Steady costs £12.50 a month, and 12 × £12.50 = £150."


def standing(markdown: str, **more: Any) -> list[str]:
    """The outdated sentences of a text, of which one rests on a price that the page no longer has."""
    trace = [
        {"sentence": "We rent clarinets.", "quote": "Renting costs this much", "source_ids": ["1:b0"]},
        {"sentence": WROTE, "quote": "Clarinet | £16 | £12.50", "source_ids": ["1:b1"], **more},
    ]
    pages = {1: QuotedPage(page(1, "plans", TABLE))}
    return list(outdated_sentences(PresentText(f"We rent clarinets. {markdown}", "", trace), "en", pages))


def test_a_sentence_that_nobody_edited_is_named_as_it_is() -> None:
    assert standing(WROTE) == [WROTE]


@pytest.mark.parametrize(
    "edited",
    [
        "A clarinet on Steady costs £12.50 a month, so a year comes to £150.",
        "You pay £12.50 each month on the Steady plan for a clarinet.",
        "On Steady, a clarinet is £12.50.",
    ],
)
def test_an_edited_sentence_is_named_as_it_now_stands_while_it_says_what_is_gone(edited: str) -> None:
    assert standing(f"{edited} Ring us.") == [edited]


@pytest.mark.parametrize(
    "edited",
    [
        "A clarinet on Steady costs £13.50 a month.",
        "The train to our shop costs £12.50.",
        "",
    ],
)
def test_a_sentence_that_was_put_right_or_taken_out_is_not_named(edited: str) -> None:
    assert standing(edited) == []


def test_a_figure_that_was_worked_out_from_what_is_gone_is_gone_too() -> None:
    half_right = "A clarinet on Steady costs £13.50 a month, £150 a year."
    assert standing(half_right) == []
    assert standing(half_right, worked_out=["150"]) == [half_right]


def test_a_page_that_is_gone_supports_nothing() -> None:
    trace = [{"sentence": WROTE, "quote": "£12.50", "source_ids": ["9:b1"]}]
    assert outdated_sentences(PresentText(WROTE, "", trace), "en", {}) == (WROTE,)


def test_the_lines_of_a_listing_may_be_taken_one_by_one() -> None:
    code = page(1, "code", [("code", "hive open\nhive smoke\nhive close\n")])
    trace = [entry("hive open\nhive close", "1:b0"), entry("hive open\nhive burn", "1:b0")]
    assert outdated(trace, {1: QuotedPage(code)}) == [1]
