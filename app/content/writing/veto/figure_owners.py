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
from typing import Final, NamedTuple

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.clauses import clause_words
from app.content.writing.veto.evidence import stated
from app.content.writing.veto.figures import is_money
from app.content.writing.veto.owned_figures import COLUMNS, PLANS, ROWS, Cell, cells_of, named_in, repeats_row
from app.content.writing.veto.quantities import Quantity, quantities
from app.language.stems import content_stems
from app.language.words import fold

_LONGEST_NAME: Final = 6


@dataclass(frozen=True)
class _Clause:
    """A clause of a sentence, its figures, and whether it excludes the things it names."""

    text: str
    start: int
    figures: tuple[Quantity, ...]
    is_excluded: bool


class _Named(NamedTuple):
    """The stems of a figure's clause, of the clause before it with figures, and of those without figures.

    ``earlier`` are those of the last kind that stand before the figure, ``with_units`` those of the figure's
    clause with the units of its figures. ``text`` is the sentence.
    """

    text: str
    with_units: frozenset[str]
    here: frozenset[str]
    before: frozenset[str]
    earlier: frozenset[str]
    elsewhere: frozenset[str]


class FigureOwners:
    """The figures that have owners in the evidence of an article."""

    def __init__(self, units: Iterable[EvidenceUnit], language: str) -> None:
        self._language = language
        self._cells: dict[str, tuple[Cell, ...]] = {}
        self._names: dict[str, dict[str, tuple[frozenset[str], ...]]] = {}
        self._numbered: dict[str, tuple[tuple[frozenset[str], frozenset[str]], ...]] = {}
        self._measured: dict[tuple[str, str], set[str]] = {}
        self._owned: Counter[tuple[str, str]] = Counter()
        self._alike: set[tuple[str, str]] = set()
        shown = tuple(units)
        plans = {(unit.page_id, unit.heading) for unit in shown if unit.kind == "price"}
        for unit in shown:
            self._cells[unit.id] = tuple(cells_of(unit, plans, language))
            for cell in self._cells[unit.id]:
                for owner in cell.owners:
                    self._measured.setdefault(owner, set()).add(cell.unit)
                    self._owned[owner] += 1
            names = dict.fromkeys(named_in(unit, language))
            alike = Counter(self._stems(name) for _, name in names)
            self._alike.update(each for each in names if alike[self._stems(each[1])] > 1)
            said = dict.fromkeys(way for _, name in names for way in (name, _head(name)))
            self._numbered[unit.id] = tuple(map(self._numbers_in, said))
            heads = Counter(_head(name) for _, name in names)
            for axis, name in names:
                self._names.setdefault(axis, {})[name] = self._ways_to_say(name, heads[_head(name)] == 1)

    def moved(self, text: str, units: Sequence[EvidenceUnit]) -> Iterator[tuple[str, str]]:
        """Yield (figure, owner) for each figure that belongs to another thing than the one named.

        A clause without a name is about the names of clauses without figures.
        """
        if any(repeats_row(text, unit) for unit in units):
            return
        cells = [cell for unit in units for cell in self._cells.get(unit.id, ())]
        free = {
            each.number
            for unit in units
            if not self._cells.get(unit.id)
            for each in quantities(stated(unit), self._language)
        }
        clauses = list(self._clauses(fold(text), units))
        idle = [each for each in clauses if not each.is_excluded and not each.figures]
        named = self._stems(" ; ".join(each.text for each in idle))
        before: frozenset[str] = frozenset()
        for clause in clauses:
            figures = clause.figures
            here = self._stems(_without_units(clause.text, figures, self._language))
            earlier = self._stems(" ; ".join(each.text for each in idle if each.start < clause.start))
            beside = _Named(text, self._stems(clause.text), here, before, earlier, named)
            before = here if figures and not clause.is_excluded else frozenset()
            for figure in figures:
                if figure.number in free:
                    continue
                own = [cell for cell in cells if cell.has(figure)]
                others = [cell for each in figures if each != figure for cell in cells if cell.has(each)]
                owner = self._wrong_owner(beside, own, others, figure.unit)
                if owner:
                    yield figure.written, owner

    def _clauses(self, text: str, units: Sequence[EvidenceUnit]) -> Iterator[_Clause]:
        """Yield the clauses of a sentence; a range has its unit also where a clause ends in it.

        A number of a name is no figure.
        """
        said = self._stems(text)
        found = quantities(text, self._language)
        figures = [each for each in found if not self._is_of_a_name(each, units, said)]
        start, mark = 0, ""
        for end in (*clause_words().clause_end.finditer(text), None):
            stop = end.start() if end else len(text)
            inside = tuple(each for each in figures if start <= each.start < stop)
            yield _Clause(text[start:stop], start, inside, clause_words().excluding.match(mark) is not None)
            if end:
                start, mark = end.end(), end[0].strip()

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
        named: _Named,
        cells: Sequence[Cell],
        beside: Sequence[Cell],
        unit: str,
    ) -> str:
        """Return the owner of a figure if the clause names only others, else "".

        Each card and table is judged by itself: a figure is right if one of them has it for a named thing.
        """
        wrong = ""
        for table in dict.fromkeys(cell.table for cell in cells):
            own = [cell for cell in cells if cell.table == table]
            owner = self._wrong_in(own, named, beside, unit)
            if not owner:
                return ""
            wrong = wrong or owner
        return wrong

    def _wrong_in(
        self,
        cells: Sequence[Cell],
        named: _Named,
        beside: Sequence[Cell],
        unit: str,
    ) -> str:
        """Return the owner of a figure of one table if the clause names only others on its axis, else "".

        If the only figure of a row is ``beside`` this one in the clause, the row is named for that figure. A
        column without any figure of this unit is named for another figure: 35 kg is no number of frames.
        A row is named for its figure also by a word that a column has, too: "up to five kitchens".
        """
        taken = {
            owner
            for cell in beside
            for owner in cell.owners
            if owner[0].startswith(ROWS) and self._owned[owner] == 1
        }
        for axis in dict.fromkeys(axis for cell in cells for axis, _ in cell.owners):
            owners = [name for cell in cells for on, name in cell.owners if on == axis]
            others = frozenset(
                name
                for name in self._named_on(axis, named, owners, unit)
                if (axis, name) not in taken and self._may_own(axis, name, unit)
            )
            if axis.startswith(ROWS) and any(self._stems(name) <= named.here for name in owners):
                continue
            if axis.startswith(COLUMNS) and any(self._is_said(name, named.with_units) for name in owners):
                continue
            if others and others.isdisjoint(owners) and not self._is_nearly_named(owners, named.here):
                return owners[0]
        return ""

    def _named_on(self, axis: str, named: _Named, owners: Sequence[str], unit: str) -> Collection[str]:
        """Return the names on an axis that a figure may belong to: those of its clause, else of others.

        A name may go on from another clause into that of the figure ("gluing and covering a crack"). In "port
        5061 or 5060", a clause without a name goes on with the owner in the clause before it. A column
        without figures owns none that stands before its name: "80 Mbit/s, good for smart plugs".
        """
        here = self._on(axis, named.here, named.text)
        if here:
            return here
        if not self._on(axis, named.before, named.text).isdisjoint(owners):
            return ()
        others = self._on(axis, named.elsewhere | named.here, named.text)
        if is_money(unit) and axis.startswith(ROWS):
            return [name for name in others if self._may_cost(axis, name, unit, named.text)]
        if axis.startswith(COLUMNS):
            earlier = self._on(axis, named.earlier, named.text)
            return [name for name in others if name in earlier or (axis, name) in self._measured]
        return others

    def _may_own(self, axis: str, name: str, unit: str) -> bool:
        """Return whether a figure of a unit can be that of a name; a column may have only other units."""
        if not (unit and axis.startswith(COLUMNS)):
            return True
        return unit in self._measured.get((axis, name), {unit})

    def _may_cost(self, axis: str, name: str, unit: str, text: str) -> bool:
        """Return whether a row has prices, or is named as written: "recipe software" is no row "Recipes"."""
        return unit in self._measured.get((axis, name), {unit}) or _is_written(name, text)

    def _is_said(self, name: str, stems: frozenset[str]) -> bool:
        """Return whether words say a name, be it as a unit: "Per month" in "£16 a month"."""
        own = self._stems(name)
        return bool(own) and own <= stems

    def _is_nearly_named(self, owners: Sequence[str], stems: Collection[str]) -> bool:
        """Return whether words have half of a name: "large rotavator" for "Rotavator, large (5.5 hp)"."""
        long = (self._stems(name) for name in owners)
        return any(len(own) > 2 and 2 * len(own & set(stems)) >= len(own) for own in long)

    def _on(self, axis: str, stems: Collection[str], text: str) -> frozenset[str]:
        """Return the names on an axis that words of a text contain.

        The row "Kitchens" beside the column "Kitchen", and a plan beside another one that is written with its
        capital, are named only as written: in "Starter is for one kitchen" the plan Kitchen is not.
        """
        names = self._names.get(axis, {})
        said = frozenset(name for name, ways in names.items() if any(way <= set(stems) for way in ways))
        written = {name for name in names if _is_written(name, text)}
        is_exact = axis.startswith(PLANS) and bool(written)
        return frozenset(
            name for name in said if name in written or not (is_exact or (axis, name) in self._alike)
        )

    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(content_stems(text, self._language))

    def _ways_to_say(self, name: str, has_own_head: bool) -> tuple[frozenset[str], ...]:
        """Return the stems that say a name: of "Evening or weekend" one word is enough.

        "Price of a bike and year" names no alternatives: its parts are of different lengths. The head of
        "Bridge, fitted" is enough if no other name has it, because a clause ends at the comma.
        """
        ways = [self._stems(way) for way in clause_words().alternatives.split(name)]
        if len({len(way) for way in ways}) > 1:
            ways = [self._stems(name)]
        if has_own_head:
            ways.append(self._stems(_head(name)))
        return tuple(way for way in ways if 0 < len(way) <= _LONGEST_NAME)


def _is_written(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _head(name: str) -> str:
    return name.partition(", ")[0]


def _without_units(clause: str, figures: Iterable[Quantity], language: str) -> str:
    """Return a clause without its figures that have a unit: "7 days before" names no column "On the day"."""
    for each in figures:
        after = re.search(rf"{re.escape(each.written)}\s*([^\W\d_]+)", clause)
        if after and each.unit and each.unit in {unit.unit for unit in quantities(f"2 {after[1]}", language)}:
            clause = clause.replace(after[0], "", 1)
    return clause
