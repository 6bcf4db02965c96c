"""Finds figures of prose that a sentence gives to another thing than the evidence does. Pure.

The evidence "from the Anglo in half an hour, from the English in an hour" gives each time to the words of its
own clause: a clause that has one of the times and only the words of the other moves it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.clauses import clauses
from app.content.writing.veto.dates import dates
from app.content.writing.veto.evidence import stated
from app.content.writing.veto.figures import is_money, is_unit
from app.content.writing.veto.quantities import TIMES, Quantity, quantities_with_ones
from app.language.references import depends_on_previous
from app.language.sentences import ends_like_a_sentence
from app.language.stems import content_stems

_LEAST_LETTERS: Final = 3
_LAST_DAY: Final = re.compile(r"\d\.,?\s(?:[^\W\d_]{1,4}\s)?$")
"""What stands before the last of several days: "9., 16. und 23. Oktober"."""
_SURE: Final = 2
"""Words of another clause that are enough to name its thing."""
_LONGEST_LABEL: Final = 4
_ONE: Final = "1"
_HALF: Final = "1/2"
"""No figure here: it may be a side."""
_OWNED: Final = frozenset({"table", "price"})
"""The kinds of evidence whose figures have their owners in rows, columns and plans."""


@dataclass(frozen=True)
class _Clause:
    """A clause with its figures, of which a half may be a side, and the stems of its other words."""

    text: str
    figures: tuple[Quantity, ...]
    language: str
    periods: frozenset[Quantity] = frozenset()
    """What prices are for: "a month"."""

    @property
    def ends_with_figure(self) -> bool:
        """Whether nothing follows its last figure."""
        return bool(self.figures) and self.text.rstrip().endswith(self.figures[-1].written)

    def rivals_of(self, figure: Quantity) -> Iterator[Quantity]:
        """Yield the figures that another may be from: no number is from "a month" behind a price."""
        return (each for each in self.figures if figure.number == _ONE or each not in self.periods)

    def prices(self, before: _Clause) -> bool:
        """Return whether it begins with a price, and the clause before has none."""
        is_price = bool(self.figures) and is_money(self.figures[0].unit) and self.figures[0].start <= 1
        return is_price and not any(is_money(each.unit) for each in before.figures)

    @property
    def is_of_previous(self) -> bool:
        """Whether its thing is named before it: "Total 3,182 kg.", "They began in March 2025"."""
        is_sentence = self.text[:1].isupper() and ends_like_a_sentence(self.text)
        return (is_sentence and len(self.stems) < _SURE) or depends_on_previous(self.text, self.language)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words without the figures and their units and months."""
        bare = self.text
        for date in dates(bare):
            bare = bare.replace(date.written, " ", 1)
        for each in self.figures:
            bare = bare.replace(each.written, " ", 1)
        said = content_stems(bare, self.language)
        return frozenset(each for each in said if len(each) >= _LEAST_LETTERS and not is_unit(each))


def misattributed_in_prose(
    text: str, units: Sequence[EvidenceUnit], language: str
) -> Iterator[tuple[str, str]]:
    """Yield (figure, words) for each figure that the evidence gives to the words and not to those beside it.

    A figure that the evidence has in several clauses belongs to none.
    """
    prose = [unit for unit in units if unit.kind not in _OWNED]
    known = [clause for unit in prose for clause in _clauses(stated(unit), language)]
    label = _label(text, language)
    for clause in _clauses(text, language):
        for figure in _alone(clause.figures):
            having = [each for each in known if any(figure.says(other) for other in each.figures)]
            own = having[0] if len(having) == 1 else None
            if _LAST_DAY.search(text[: text.rfind(figure.written)]):
                continue
            # A clause of nothing but the figure, "14 days, money back", says of no thing that it has it.
            if own is None or not own.stems or own.is_of_previous or _has_another(clause, figure, own):
                continue
            if len(own.stems) < _SURE and sum(each.unit == figure.unit for each in own.figures) > 1:
                continue  # "£185, £215 electric": prices of one thing, whose name stands elsewhere
            # "If you pay for a year you get two months free" has the words of two figures.
            is_one = figure.number == _ONE and figure not in clause.periods
            others = [each for each in known if not (is_one and _has_another(clause, figure, each))]
            if _is_moved(clause.stems | label, figure, own, others):
                yield figure.written, own.text.strip()


def _label(text: str, language: str) -> frozenset[str]:
    """Return the stems of what stands before a colon at the beginning: all the rest is about it."""
    label, colon, _ = text.partition(":")
    is_short = bool(colon) and len(label.split()) <= _LONGEST_LABEL
    return frozenset(content_stems(label, language)) if is_short else frozenset()


def _has_another(clause: _Clause, figure: Quantity, own: _Clause) -> bool:
    """Return whether a clause also has another figure of ``own``, the clause of the evidence."""
    others = (each for each in clause.figures if each != figure)
    return any(each.says(known) for each in others for known in own.figures)


def _alone(figures: Sequence[Quantity]) -> Iterator[Quantity]:
    """Yield the figures that are the only ones of their unit: "75 or 110 an hour" gives none to a thing."""
    for figure in figures:
        others = [each for each in figures if each != figure and not (each.is_year and figure.unit)]
        if not any(each.unit == figure.unit or not (each.unit or each.counted) for each in others):
            yield figure


def _is_moved(stems: frozenset[str], figure: Quantity, own: _Clause, known: Iterable[_Clause]) -> bool:
    """Return whether stems have most words of another clause with such a figure and none of its own.

    One of several, such as "pay", names no other thing.
    """
    for other in known:
        theirs = other.stems - own.stems
        if other is own or stems & (own.stems - other.stems):
            continue
        if not _is_alike(figure, other.rivals_of(figure)):
            continue
        said = len(stems & theirs)
        if said >= _SURE or 2 * said > len(theirs):
            return True
    return False


def _is_alike(figure: Quantity, others: Iterable[Quantity]) -> bool:
    return any(each.unit == figure.unit or {each.unit, figure.unit} <= TIMES for each in others)


def _clauses(text: str, language: str) -> list[_Clause]:
    """Return the clauses with figures.

    One without another word goes on with what stands before it ("Grading: 11 seconds"), as does any behind a
    figure that ends a clause, "between 1.58 and 1.92 metres", and a price behind what has none: "Crew for
    two, £53 plus VAT".
    """
    found: list[_Clause] = []
    before: _Clause | None = None
    for part in clauses(text):
        figures = tuple(each for each in quantities_with_ones(part, language) if each.number != _HALF)
        clause = _Clause(part, figures, language, _periods(part, figures))
        if figures and before and (not clause.stems or before.ends_with_figure or clause.prices(before)):
            periods = before.periods | clause.periods
            clause = _Clause(f"{before.text}, {part}", (*before.figures, *figures), language, periods)
            if before.figures:
                found.pop()
        if figures:
            found.append(clause)
        before = clause
    return found


def _periods(clause: str, figures: Sequence[Quantity]) -> frozenset[Quantity]:
    """Return the figures right behind a price that mean one: "a month"."""
    prices = {each.start + len(each.written) for each in figures if is_money(each.unit)}
    ones = (each for each in figures if each.number == _ONE)
    return frozenset(each for each in ones if len(clause[: each.start].rstrip()) in prices)
