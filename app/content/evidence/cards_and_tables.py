"""What the blocks of a table and of a price card say: header, rows, plan, prices. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from app.language.languages import in_all_languages
from app.language.words import fold, words
from app.pages.extraction.blocks import CELL_SEPARATOR, Block

_NAME_WORDS: Final = 4
_MOST_HEADINGS: Final = 1
"""A price card is named by one heading; what has more is a page with a price in it."""


def without_false_cards(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks without the groups of price cards that contain several headings."""
    headings = Counter(block.group for block in blocks if block.kind == "heading" and block.group)
    false = {group for group, count in headings.items() if count > _MOST_HEADINGS}
    if not false:
        return tuple(blocks)
    return tuple(
        replace(block, group="", kind="p" if block.kind == "price" else block.kind)
        if block.group in false
        else block
        for block in blocks
    )


def cells_of(block: Block) -> tuple[str, ...]:
    """Return the cells of a table's row."""
    return block.cells or tuple(cell.strip() for cell in block.text.split(CELL_SEPARATOR.strip()))


def header_and_rows(blocks: Sequence[Block]) -> tuple[tuple[str, ...], Sequence[Block]]:
    """Return the header of a table and the rows below it.

    Without a marked header the first row is the header if it has no figure and a row below it has one.
    """
    rows = [block for block in blocks if block.kind != "caption"]
    if len(rows) < 2:
        return (), rows
    is_head = rows[0].kind == "table_head"
    if is_head or (not _has_figure(rows[0]) and any(map(_has_figure, rows[1:]))):
        return cells_of(rows[0]), rows[1:]
    return (), rows


def _has_figure(row: Block) -> bool:
    return any(character.isdigit() for character in row.text)


@dataclass(frozen=True)
class PriceCard:
    """What a price card says: the plan's name, its prices, notes beside them, and what is included."""

    plan: str
    prices: tuple[str, ...]
    notes: tuple[str, ...]
    items: tuple[str, ...]


def card_of(run: Sequence[Block]) -> PriceCard:
    """Return what the blocks of a price card say.

    A card without a heading is named by the short line above its price; what stands above that is a badge.
    """

    def texts(*kinds: str) -> tuple[str, ...]:
        return tuple(fold(block.text) for block in run if block.kind in kinds)

    plan = next(iter(texts("heading")), "")
    said = run
    if not plan and (named := _name_line(run)) is not None:
        plan, said = fold(run[named].text), run[named + 1 :]
    notes = tuple(fold(b.text) for b in said if b.kind not in {"li", "label", "heading", "price"})
    return PriceCard(plan, texts("price"), notes, texts("li"))


def _name_line(run: Sequence[Block]) -> int | None:
    """Return the place of the line directly above the first price, if it can be a name.

    "For one garden" is none.
    """
    first = next((at for at, block in enumerate(run) if block.kind == "price"), 0)
    if not first or run[first - 1].kind != "p" or _has_figure(run[first - 1]):
        return None
    said = words(run[first - 1].text.lower())
    says_for_whom = len(said) > 1 and said[0] in _joining_words()
    return first - 1 if 0 < len(said) <= _NAME_WORDS and not says_for_whom else None


@cache
def _joining_words() -> frozenset[str]:
    return frozenset(in_all_languages(lambda language: language.words.joining_words))
