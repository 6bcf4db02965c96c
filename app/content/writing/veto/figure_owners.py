"""Finds the owners of a figure: the plan of its price card, or the row and column of its table. Pure.

A sentence that gives one plan the price of another moves a figure. The names of one kind (the plans of a
page, the rows of a table, its columns) are an axis: a clause that names some of them may use only their
figures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.evidence import stated
from app.content.writing.veto.quantities import Quantity, quantities
from app.language.languages import merged
from app.language.stems import content_stems
from app.language.words import alternatives, fold

_COLUMNS: Final = "columns of"
_ROWS: Final = "rows of"
_LONGEST_NAME: Final = 6


@dataclass(frozen=True)
class _Words:
    """The words that end clauses, exclude a thing, or separate two names, in all languages."""

    clause_end: re.Pattern[str]
    excluding: re.Pattern[str]
    """Words before a thing that a figure excludes: "unlike", "than", "except"."""
    alternatives: re.Pattern[str]


@cache
def _words() -> _Words:
    words = merged(lambda language: language.figures)
    clause_words, apart = alternatives(words.clause_words), alternatives(words.apart)
    return _Words(
        clause_end=re.compile(rf"([;:]\s|,\s|\s(?:{clause_words})\s|\b(?:{apart})\s)", re.IGNORECASE),
        excluding=re.compile(rf"(?:{apart})\b", re.IGNORECASE),
        alternatives=re.compile(rf"\s(?:{alternatives(words.listing)})\s|\s?[/&]\s?", re.IGNORECASE),
    )


@dataclass(frozen=True)
class _Cell:
    """A figure of the evidence with the names that own it, each on its axis."""

    number: str
    unit: str
    owners: tuple[tuple[str, str], ...]

    @property
    def table(self) -> str:
        """The table, or the page of the price cards, with this figure."""
        return self.owners[0][0].rpartition(" ")[2] if self.owners else ""

    def has(self, figure: Quantity) -> bool:
        """Return whether a figure may be this one; the header may have the unit."""
        return self.number == figure.number and (not self.unit or figure.unit in {"", self.unit})


class FigureOwners:
    """The figures that have owners in the evidence of an article."""

    def __init__(self, units: Iterable[EvidenceUnit], language: str) -> None:
        self._language = language
        self._cells: dict[str, tuple[_Cell, ...]] = {}
        self._names: dict[str, dict[str, tuple[frozenset[str], ...]]] = {}
        self._numbered: dict[str, tuple[tuple[frozenset[str], frozenset[str]], ...]] = {}
        self._measured: dict[tuple[str, str], set[str]] = {}
        self._owned: Counter[tuple[str, str]] = Counter()
        shown = tuple(units)
        plans = {(unit.page_id, unit.heading) for unit in shown if unit.kind == "price"}
        for unit in shown:
            self._cells[unit.id] = tuple(_cells_of(unit, plans, language))
            for cell in self._cells[unit.id]:
                for owner in cell.owners:
                    self._measured.setdefault(owner, set()).add(cell.unit)
                    self._owned[owner] += 1
            self._numbered[unit.id] = tuple(self._numbers_in(name) for _, name in _named(unit))
            for axis, name in _named(unit):
                self._names.setdefault(axis, {})[name] = self._ways_to_say(name)

    def moved(self, text: str, units: Sequence[EvidenceUnit]) -> Iterator[tuple[str, str]]:
        """Yield (figure, owner) for each figure that belongs to another thing than the one named.

        A clause without a name is about the names of clauses without figures.
        """
        cells = [cell for unit in units for cell in self._cells.get(unit.id, ())]
        free = {
            each.number
            for unit in units
            if not self._cells.get(unit.id)
            for each in quantities(stated(unit), self._language)
        }
        clauses, said = list(_clauses(fold(text))), self._stems(text)
        named = frozenset(
            stem
            for clause, is_excluded in clauses
            if not is_excluded and not quantities(clause, self._language)
            for stem in self._stems(clause)
        )
        for clause, _ in clauses:
            figures = quantities(clause, self._language)
            here = self._stems(_without_units(clause, figures, self._language))
            for figure in figures:
                if figure.number in free or self._is_of_a_name(figure, units, said):
                    continue
                own = [cell for cell in cells if cell.has(figure)]
                others = [cell for each in figures if each != figure for cell in cells if cell.has(each)]
                owner = self._wrong_owner(here, named, own, others, figure.unit)
                if owner:
                    yield figure.written, owner

    def _is_of_a_name(self, figure: Quantity, units: Iterable[EvidenceUnit], said: frozenset[str]) -> bool:
        """Return whether a number is part of a name that the sentence says: the row "six weeks after"."""
        names = (each for unit in units for each in self._numbered.get(unit.id, ()))
        return any(figure.number in numbers and rest and rest <= said for numbers, rest in names)

    def _numbers_in(self, name: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the numbers in a name, and the stems of the rest of it."""
        numbers = quantities(name, self._language)
        rest = self._stems(name) - self._stems(" ".join(each.written for each in numbers))
        return frozenset(each.number for each in numbers), rest

    def _wrong_owner(
        self,
        here: Collection[str],
        named: Collection[str],
        cells: Sequence[_Cell],
        beside: Sequence[_Cell],
        unit: str,
    ) -> str:
        """Return the owner of a figure if the clause names only others, else "".

        Each card and table is judged by itself: a figure is right if one of them has it for a named thing.
        """
        wrong = ""
        for table in dict.fromkeys(cell.table for cell in cells):
            own = [cell for cell in cells if cell.table == table]
            owner = self._wrong_in(own, here, named, beside, unit)
            if not owner:
                return ""
            wrong = wrong or owner
        return wrong

    def _wrong_in(
        self,
        cells: Sequence[_Cell],
        here: Collection[str],
        named: Collection[str],
        beside: Sequence[_Cell],
        unit: str,
    ) -> str:
        """Return the owner of a figure of one table if the clause names only others on its axis, else "".

        If the only figure of a row is ``beside`` this one in the clause, the row is named for that figure. A
        column without any figure of this unit is named for another figure: 35 kg is no number of frames.
        """
        taken = {
            owner
            for cell in beside
            for owner in cell.owners
            if owner[0].startswith(_ROWS) and self._owned[owner] == 1
        }
        for axis in dict.fromkeys(axis for cell in cells for axis, _ in cell.owners):
            others = frozenset(
                name
                for name in self._on(axis, here) or self._on(axis, named)
                if (axis, name) not in taken and self._may_own(axis, name, unit)
            )
            owners = [name for cell in cells for on, name in cell.owners if on == axis]
            if others and others.isdisjoint(owners) and not self._is_nearly_named(owners, here):
                return owners[0]
        return ""

    def _may_own(self, axis: str, name: str, unit: str) -> bool:
        """Return whether a figure of a unit can be that of a name; a column may have only other units."""
        if not (unit and axis.startswith(_COLUMNS)):
            return True
        return unit in self._measured.get((axis, name), {unit})

    def _is_nearly_named(self, owners: Sequence[str], stems: Collection[str]) -> bool:
        """Return whether words have half of a name: "large rotavator" for "Rotavator, large (5.5 hp)"."""
        long = (self._stems(name) for name in owners)
        return any(len(own) > 2 and 2 * len(own & set(stems)) >= len(own) for own in long)

    def _on(self, axis: str, stems: Collection[str]) -> frozenset[str]:
        """Return the names on an axis that words contain."""
        return frozenset(
            name for name, ways in self._names.get(axis, {}).items() if any(way <= set(stems) for way in ways)
        )

    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(content_stems(text, self._language))

    def _ways_to_say(self, name: str) -> tuple[frozenset[str], ...]:
        """Return the stems that say a name: of "Evening or weekend" one word is enough.

        "Price of a bike and year" names no alternatives: its parts are of different lengths.
        """
        ways = [self._stems(way) for way in _words().alternatives.split(name)]
        if len({len(way) for way in ways}) > 1:
            ways = [self._stems(name)]
        return tuple(way for way in ways if 0 < len(way) <= _LONGEST_NAME)


def _without_units(clause: str, figures: Iterable[Quantity], language: str) -> str:
    """Return a clause without its figures that have a unit: "7 days before" names no column "On the day"."""
    for each in figures:
        after = re.search(rf"{re.escape(each.written)}\s*([^\W\d_]+)", clause)
        if after and each.unit and each.unit in {unit.unit for unit in quantities(f"2 {after[1]}", language)}:
            clause = clause.replace(after[0], "", 1)
    return clause


def _clauses(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the clauses of a sentence, and whether each one excludes the things it names."""
    first, *rest = _words().clause_end.split(text)
    yield first, False
    for mark, clause in zip(rest[::2], rest[1::2], strict=True):
        yield clause, _words().excluding.match(mark.strip()) is not None


def _cells_of(unit: EvidenceUnit, plans: Collection[tuple[int, str]], language: str) -> Iterator[_Cell]:
    """Yield the figures of a unit that have owners; figures below a plan's heading belong to the plan."""
    plan = next((name for name in unit.path if (unit.page_id, name) in plans), "")
    if plan and unit.kind != "table":
        for each in quantities(stated(unit), language):
            yield _Cell(each.number, each.unit, ((_plans(unit), plan),))
    elif unit.kind == "table":
        for row in unit.rows:
            for column in range(_heads(unit), len(row)):
                head = unit.header[column] if column < len(unit.header) else ""
                owners = ((_rows(unit), _row_name(unit, row)), (_columns(unit), head))
                for each in quantities(row[column], language):
                    yield _Cell(each.number, each.unit, tuple(owner for owner in owners if owner[1]))


def _named(unit: EvidenceUnit) -> Iterator[tuple[str, str]]:
    """Yield each axis of a unit with the names on it; also those without a figure."""
    if unit.kind == "price":
        yield _plans(unit), unit.heading
    elif unit.kind == "table":
        yield from ((_rows(unit), _row_name(unit, row)) for row in unit.rows)
        yield from ((_columns(unit), head) for head in unit.header[_heads(unit) :])


def _plans(unit: EvidenceUnit) -> str:
    return f"plans of {unit.page_id}"


def _rows(unit: EvidenceUnit) -> str:
    return f"{_ROWS} {unit.id}"


def _columns(unit: EvidenceUnit) -> str:
    return f"{_COLUMNS} {unit.id}"


def _heads(unit: EvidenceUnit) -> int:
    return max(1, unit.row_heads)


def _row_name(unit: EvidenceUnit, row: Sequence[str]) -> str:
    return " ".join(row[: _heads(unit)])
