"""The clause and the sentence around a figure, which may name its owner. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from app.content.writing.veto.quantities import Quantity


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
