"""The clause and the sentence around a figure, which may name its owner. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.content.writing.veto.owned_figures import COLUMNS, Cell
from app.content.writing.veto.quantities import Quantity
from app.language.stems import content_stems
from app.pages.extraction.blocks import CELL_SEPARATOR

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True)
class Clause:
    """A clause of a sentence. ``is_excluded``: it begins with a word such as "unlike" or "except"."""

    text: str
    start: int
    figures: tuple[Quantity, ...]
    is_excluded: bool

    def may_own_in(self, other: Clause, text: str) -> bool:
        """Return whether its names may own figures of another clause, with no semicolon between them."""
        first, second = sorted((self.start, other.start))
        return not (self.is_excluded or self.figures or ";" in text[first:second])


class Context(NamedTuple):
    """The sentence around a figure, as text and as the stems of its clauses, without excluded ones.

    ``here`` are the stems of the figure's clause without the units of its figures, ``with_units`` those with
    them. ``before`` are those of the clause before it if it has figures. ``elsewhere`` are those of all
    clauses without figures, ``earlier`` those of such clauses before the figure.
    """

    text: str
    with_units: frozenset[str]
    here: frozenset[str]
    before: frozenset[str]
    earlier: frozenset[str]
    elsewhere: frozenset[str]
    of_others: frozenset[tuple[str, str]] = frozenset()
    """The columns that are named for another figure: their names are nearer to one of theirs."""


def placed_words(text: str, language: str) -> list[tuple[int, frozenset[str]]]:
    """Return where each word of a sentence begins, with its stems.

    Of a row there are none: there the place of a cell says what its figure is of.
    """
    words = _WORD.finditer(text) if CELL_SEPARATOR not in text else ()
    return [(word.start(), frozenset(content_stems(word[0], language))) for word in words]


def columns_of_others(
    placed: Sequence[tuple[int, frozenset[str]]],
    figure: Quantity,
    beside: Iterable[tuple[Quantity, Cell]],
    language: str,
) -> frozenset[tuple[str, str]]:
    """Return the columns whose names stand nearer to another figure of theirs than to ``figure``.

    ``placed`` are the words of the sentence, ``beside`` the other figures of its clause with their cells.
    """
    found: set[tuple[str, str]] = set()
    for start, (axis, name) in {(other.start, owner) for other, cell in beside for owner in cell.owners}:
        own = content_stems(name, language) if axis.startswith(COLUMNS) else ()
        places = (place for place, stems in placed if not stems.isdisjoint(own))
        if any(abs(place - start) < abs(place - figure.start) for place in places):
            found.add((axis, name))
    return frozenset(found)
