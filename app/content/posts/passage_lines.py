"""The lines of a passage, with what sentences use of it marked: a row, an item, some words. Pure."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from app.content.evidence.quotes import places_of
from app.content.evidence.units import EvidenceUnit
from app.pages.extraction.blocks import CELL_SEPARATOR

LineKind = Literal["p", "li", "row"]

_MOST_AROUND: Final = 400
"""Letters of a text around the words that are used."""
_LINES_AROUND: Final = 2
_UNMARKED_LINES: Final = 8
_BULLET: Final = "- "
GAP: Final = "…"
"""Stands for what is left out."""


@dataclass(frozen=True)
class Piece:
    """A part of a line, and the sentences of the post that use its words."""

    text: str
    sentences: tuple[int, ...] = ()


@dataclass(frozen=True)
class Line:
    """A line of a passage: a paragraph, an item, or a row of a table, which has several cells."""

    kind: LineKind
    cells: tuple[tuple[Piece, ...], ...]
    is_head: bool = False

    @property
    def is_used(self) -> bool:
        """Return whether a sentence uses words of the line."""
        return any(piece.sentences for cell in self.cells for piece in cell)


def lines_of(unit: EvidenceUnit, quotes: Mapping[int, str]) -> tuple[Line, ...]:
    """Return a passage line by line, each with the numbers of the ``quotes`` that it has words of.

    A row is marked whole. Of a long passage, what is far from the marks is left out.
    """
    text = unicodedata.normalize("NFC", unit.text)
    found = {number: places_of(quote, text) for number, quote in quotes.items()}
    lines: list[Line] = []
    start = 0
    for whole in text.split("\n"):
        end = start + len(whole)
        kind, words = _kind_and_words(unit, whole)
        here = range(end - len(words), end)
        covered = {
            number: [_inside(place, here) for place in places if _overlap(place, here)]
            for number, places in found.items()
        }
        cells = _cells(kind, words, {n: places for n, places in covered.items() if places})
        lines.append(Line(kind, cells, whole == CELL_SEPARATOR.join(unit.header)))
        start = end + 1
    return tuple(_near_marks(lines))


def lost_lines(quotes: Mapping[int, str]) -> tuple[Line, ...]:
    """Return words that no passage has any more, each as a line of its own."""
    return tuple(Line("p", ((Piece(quote, (number,)),),)) for number, quote in quotes.items() if quote)


def _kind_and_words(unit: EvidenceUnit, line: str) -> tuple[LineKind, str]:
    if unit.kind == "table" and CELL_SEPARATOR in line:
        return "row", line
    if unit.items and line.startswith(_BULLET):
        return "li", line.removeprefix(_BULLET)
    return "p", line


def _cells(
    kind: LineKind, words: str, covered: Mapping[int, Sequence[range]]
) -> tuple[tuple[Piece, ...], ...]:
    if kind == "row":
        return tuple((Piece(cell, tuple(covered)),) if cell else () for cell in words.split(CELL_SEPARATOR))
    return (pieces_of(words, covered),)


def pieces_of(text: str, covered: Mapping[int, Sequence[range]]) -> tuple[Piece, ...]:
    """Return a text in pieces, each with the numbers whose places cover it. Far text is left out."""
    places = [place for each in covered.values() for place in each if place]
    if not places:
        return (Piece(text),) if text else ()
    first = _nearest_space(text, min(each.start for each in places) - _MOST_AROUND)
    last = _nearest_space(text, max(each.stop for each in places) + _MOST_AROUND)
    edges = sorted({first, last, *(edge for each in places for edge in (each.start, each.stop))})
    pieces = [
        Piece(text[start:end], tuple(n for n, own in covered.items() if any(start in each for each in own)))
        for start, end in pairwise(edges)
    ]
    before, after = f"{GAP} " if first > 0 else "", f" {GAP}" if last < len(text) else ""
    return tuple(piece for piece in (Piece(before), *pieces, Piece(after)) if piece.text)


def _near_marks(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines that are used with those beside them, and the head; without a mark the first ones."""
    used = [n for n, line in enumerate(lines) if line.is_used]
    near = {n for each in used for n in range(each - _LINES_AROUND, each + _LINES_AROUND + 1)}
    kept = near or set(range(_UNMARKED_LINES))
    is_left_out = False
    for n, line in enumerate(lines):
        if n in kept or line.is_head:
            is_left_out = False
            yield line
        elif not is_left_out:
            is_left_out = True
            yield Line(line.kind, tuple((Piece(GAP),) for _ in line.cells))


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


def _inside(place: range, line: range) -> range:
    """Return the part of a place that is in a line, counted from the line's start."""
    return range(max(place.start, line.start) - line.start, min(place.stop, line.stop) - line.start)


def _nearest_space(text: str, place: int) -> int:
    """Return a place at the edge of a word, or of the text."""
    if place <= 0 or place >= len(text):
        return max(0, min(place, len(text)))
    space = text.find(" ", place)
    return space if 0 <= space <= place + 40 else place
