"""The passages that sentences rest on: found wherever they are in a page, marked by row, item and words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourcePage
from app.content.evidence.quotes import LEFT_OUT, QuotedPage, places_of
from app.content.posts.passage_lines import Line, Piece, lines_of, pieces_of
from app.content.posts.passages import Rest, rests_of
from app.pages.extraction.blocks import CELL_SEPARATOR, Block
from tests.content.conftest import page

ROWS = (("Clarinet", "£16", "£12.50"), ("Flute", "£14", "£11"), ("Oboe", "£20", "£18"))
HEAD = ("Instrument", "First Note", "Steady")


def table(*rows: tuple[str, ...]) -> list[Block]:
    return [
        Block("", "table" if n else "table_head", CELL_SEPARATOR.join(row), group="t1", cells=row)
        for n, row in enumerate((HEAD, *rows))
    ]


def made(page_id: int, *blocks: Block) -> SourcePage:
    numbered = tuple(replace(block, id=f"b{n}") for n, block in enumerate(blocks, 1))
    return replace(page(page_id, "plans", []), blocks=numbered)


PLANS = made(
    1,
    Block("", "p", "Every plan has a monthly price, and all of them include the VAT."),
    *table(*ROWS),
    Block("", "p", "Bring these things with you when you come to the shop:"),
    *(Block("", "li", each, lists="u", group="l1") for each in ("A photo of your ID.", "A bank card.")),
)
GUIDE = made(2, Block("", "p", "A rented clarinet is a good beginning, said Bethan, for a child."))
PAGES = {each.page_id: QuotedPage(each) for each in (PLANS, GUIDE)}


def entry(quote: str, *sources: str, sentence: str = "A clarinet is £12.50 on Steady.") -> dict[str, Any]:
    page_id, _, block_id = next(iter(sources), "").partition(":")
    return {
        "sentence": sentence, "page_id": int(page_id or 0) or None, "block_id": block_id or None,
        "origin": "model", "source_ids": list(sources), "quote": quote,
    }  # fmt: skip


def rests(*of: Any, **more: Any) -> tuple[Rest, ...]:
    return rests_of(entry(*of, **more), PAGES, "en")


def texts(lines: tuple[Line, ...], number: int) -> list[str]:
    """What is marked for a sentence, line by line."""
    marked = (
        CELL_SEPARATOR.join(piece.text for cell in line.cells for piece in cell if number in piece.sentences)
        for line in lines
    )
    return [text for text in marked if text]


@pytest.mark.parametrize("source", ["1:b2", "1:b3", "1:b5"])
def test_the_row_of_a_table_is_marked_whichever_of_its_blocks_is_named(source: str) -> None:
    (rest,) = rests("Clarinet | £16 | £12.50", source)
    assert rest.unit is not None
    lines = lines_of(rest.unit, {7: rest.quote})
    assert [line.is_head for line in lines] == [True, False, False, False]
    assert texts(lines, 7) == ["Clarinet | £16 | £12.50"]


def test_a_row_is_marked_whole_for_a_part_of_it_and_every_row_for_its_own_sentence() -> None:
    (rest,) = rests("clarinet £16", "1:b2")
    assert rest.unit is not None
    lines = lines_of(rest.unit, {1: "clarinet £16", 2: "Oboe | £20"})
    assert texts(lines, 1) == ["Clarinet | £16 | £12.50"]
    assert texts(lines, 2) == ["Oboe | £20 | £18"]


def test_the_item_of_a_list_is_marked_under_what_announces_it() -> None:
    (rest,) = rests("a bank card", "1:b6")
    assert rest.unit is not None
    lines = lines_of(rest.unit, {3: rest.quote})
    assert [line.kind for line in lines] == ["p", "li", "li"]
    assert texts(lines, 3) == ["A bank card"]


def test_a_quote_belongs_to_the_source_that_has_it_and_the_other_is_shown_without_a_mark() -> None:
    first, second = rests("Clarinet | £16 | £12.50", "2:b1", "1:b2", sentence="A rented clarinet is £12.50.")
    assert (first.source, first.quote) == ("1:b2", "Clarinet | £16 | £12.50")
    assert (second.source, second.quote, second.is_lost) == ("2:b1", "", False)


def test_a_second_source_that_says_nothing_of_the_sentence_is_not_shown() -> None:
    assert [rest.source for rest in rests("Oboe | £20", "1:b2", "2:b1", sentence="An oboe is £20.")] == [
        "1:b2"
    ]


def test_a_passage_is_found_where_its_page_has_it_now() -> None:
    (rest,) = rests("a bank card", "1:b99", sentence="Bring your card.")
    assert (rest.source, rest.is_lost) == ("1:b6", False)


@pytest.mark.parametrize(
    "quote",
    [
        "Every plan has a monthly price",
        f"Clarinet | £16 | £12.50 {LEFT_OUT} Oboe | £20",
        "the shop: - A photo of your ID. - A bank card.",
        "Plans on all instruments",
        "“Every plan has a monthly price,”",
    ],
)
def test_what_a_verifier_may_copy_is_there(quote: str) -> None:
    described = replace(PLANS, description="Plans on all instruments.")
    rest, *_ = rests_of(entry(quote, "1:b2"), {1: QuotedPage(described)}, "en")
    assert (rest.quote, rest.is_lost) == (quote, False)


def test_words_that_no_source_has_any_more_are_lost() -> None:
    (rest,) = rests("Clarinet | £16 | £13.50", "1:b2", "2:b1")
    assert (rest.is_lost, rest.anchor) == (True, "lost-1-b2")


def test_a_sentence_without_a_quote_is_no_false_alarm() -> None:
    (known,) = rests("", "1:b2", sentence="A clarinet is £12.50.")
    assert (known.anchor, known.quote, known.is_lost) == ("from-1-b2", "", False)
    (unknown,) = rests("", "1:b99")
    assert (unknown.unit, unknown.is_lost) == (None, False)
    assert rests("") == ()


def test_a_price_card_that_a_digest_made_a_row_of_is_there_while_its_page_says_all_of_it() -> None:
    card = [
        Block("", "heading", "Solo", group="c1"),
        Block("", "price", "£14 a month", ("Solo",), group="c1"),
        Block("", "li", "One car.", ("Solo",), lists="u", group="c1"),
        Block("", "li", "All pupils.", ("Solo",), lists="u", group="c1"),
    ]
    pages = {1: QuotedPage(made(1, *card))}
    row = {"page_id": 1, "block_id": "b2", "origin": "source", "source_ids": [], "quote": ""}
    (rest,) = rests_of({**row, "sentence": "Solo | £14 a month | One car; All pupils"}, pages, "en")
    assert rest.unit is not None
    assert texts(lines_of(rest.unit, {1: rest.quote}), 1) == ["Solo | £14 a month", "One car", "All pupils"]
    (gone,) = rests_of({**row, "sentence": "Solo | £15 a month | One car; All pupils"}, pages, "en")
    assert gone.is_lost


def test_of_a_long_table_the_rows_around_the_mark_are_shown() -> None:
    long = QuotedPage(made(1, *table(*((f"Item {n}", f"£{n}", f"£{n + 100}") for n in range(30)))))
    unit = long.passage("1:b1")
    assert unit is not None
    lines = lines_of(unit, {1: "Item 14 | £14"})
    names = ["".join(piece.text for piece in line.cells[0]) for line in lines]
    assert names == ["Instrument", "…", *(f"Item {n}" for n in range(12, 17)), "…"]
    assert [len(line.cells) for line in lines] == [3] * len(lines)


def test_a_passage_shows_which_of_its_words_are_used() -> None:
    text = "We measure. Pads under 1.5 mm are replaced. Call us."
    quotes = {4: "Pads under 1.5  mm are replaced.", 7: "mm are replaced. Call", 9: "gone"}
    assert pieces_of(text, {number: places_of(quote, text) for number, quote in quotes.items()}) == (
        Piece("We measure. "), Piece("Pads under 1.5 ", (4,)), Piece("mm are replaced", (4, 7)),
        Piece(". Call", (7,)), Piece(" us."),
    )  # fmt: skip
    far = f"{'far ' * 500}Here it is.{' off' * 500}"
    long = pieces_of(far, {1: places_of("Here it is", far)})
    assert [piece.text for piece in long if piece.sentences] == ["Here it is"]
    assert (long[0].text, long[-1].text) == ("… ", " …")
    assert sum(len(piece.text) for piece in long) < 900
