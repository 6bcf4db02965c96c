"""What the blocks of a table and of a price card say: header, rows, plan, prices. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from app.language.languages import in_all_languages
from app.language.words import fold, words
from app.pages.extraction.blocks import CELL_SEPARATOR, Block

_NAME_WORDS: Final = 4
_PAIR: Final = 2
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

    Without a marked header the first row is the header if it is bold, or if it has no figure and a row below
    it has one. Of two columns the second has to have them: "Each month | Leak test" is a row like the others.
    """
    rows = [block for block in blocks if block.kind != "caption"]
    if len(rows) < 2:
        return (), rows
    first, *others = rows
    is_head = first.kind == "table_head" or (_is_bold(first) and not any(map(_is_bold, others)))
    if is_head or (not has_figure(first.text) and _have_figures(others)):
        return cells_of(first), others
    return (), rows


def _is_bold(row: Block) -> bool:
    bold = sum(mark.stop - mark.start for mark in row.marks if mark.kind == "strong")
    return bold > 0 and bold >= len(row.text) - len(CELL_SEPARATOR) * (len(cells_of(row)) - 1)


def _have_figures(rows: Sequence[Block]) -> bool:
    cells = [cells_of(row) for row in rows]
    if max(map(len, cells)) != _PAIR:
        return any(has_figure(row.text) for row in rows)
    return 2 * sum(has_figure(pair[-1]) for pair in cells) > len(cells)


def has_figure(text: str) -> bool:
    """Return whether a text has a digit."""
    return any(character.isdigit() for character in text)


@dataclass(frozen=True)
class PriceCard:
    """What a price card says: the plan's name, its prices, notes beside them, and what is included."""

    plan: str
    prices: tuple[str, ...]
    notes: tuple[str, ...]
    items: tuple[str, ...]


def card_of(run: Sequence[Block]) -> PriceCard:
    """Return what the blocks of a price card say.

    A card without a heading is named by the short line above its price, or below one that comes first. Short
    lines above the name are badges.
    """

    def texts(*kinds: str) -> tuple[str, ...]:
        return tuple(fold(block.text) for block in run if block.kind in kinds)

    first = next((at for at, block in enumerate(run) if block.kind == "price"), 0)
    headed = next((at for at, block in enumerate(run) if block.kind == "heading"), None)
    named = _name_line(run, first) if headed is None else headed
    plan = fold(run[named].text) if named is not None else ""
    above = range(named) if named is not None and (named < first or named == headed) else ()
    badges = [at for at in above if named != headed or _is_name_line(run[at])]
    notes = (
        fold(block.text)
        for at, block in enumerate(run)
        if at != named and at not in badges and block.kind not in {"li", "label", "heading", "price"}
    )
    return PriceCard(plan, texts("price"), tuple(notes), texts("li"))


def _name_line(run: Sequence[Block], first: int) -> int | None:
    """Return the place of the line directly above the ``first`` price, or below it, if it can be a name."""
    at = first - 1 if first else first + 1
    return at if at < len(run) and _is_name_line(run[at]) else None


def _is_name_line(line: Block) -> bool:
    """Return whether a line can be a name or a badge: "For one garden" and "a month" are none."""
    if line.kind != "p" or has_figure(line.text):
        return False
    said = words(line.text.lower())
    is_part = len(said) > 1 and said[0] in _joining_words()
    return 0 < len(said) <= _NAME_WORDS and not is_part


@cache
def _joining_words() -> frozenset[str]:
    return frozenset(in_all_languages(lambda language: language.words.joining_words))
