"""Finds the owners of a figure: the plan of its price card, or the row and column of its table. Pure.

A sentence that gives one plan the price of another misattributes a figure. The names of one kind (plans,
rows, columns) are an axis: a clause that has some of them may use only their figures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import occurrences
from app.content.writing.veto.clauses import clause_ends, clause_words
from app.content.writing.veto.dates import dates
from app.content.writing.veto.evidence import stated
from app.content.writing.veto.figure_contexts import Clause, Context, columns_of_others, placed_words
from app.content.writing.veto.figures import is_money
from app.content.writing.veto.names_on_axes import NamesOnAxes
from app.content.writing.veto.numbers_in_names import NumbersInNames
from app.content.writing.veto.owned_figures import (
    COLUMNS,
    ROWS,
    Cell,
    cells_of,
    head_of,
    is_denied,
    named_in,
    totals_of,
    without_price_words,
)
from app.content.writing.veto.quantities import quantities, without_units
from app.language.sentences import sentences
from app.language.words import fold

_SUM: Final = re.compile(r"\d\s*\+\s*\W?\d")


class FigureOwners:
    """The owners of the figures in the evidence of an article."""

    def __init__(self, units: Iterable[EvidenceUnit], language: str) -> None:
        self._language = language
        self._cells: dict[str, tuple[Cell, ...]] = {}
        self._axes = NamesOnAxes(language)
        self._numbers = NumbersInNames(language)
        self._measured: dict[tuple[str, str], set[str]] = {}
        self._owned: Counter[tuple[str, str]] = Counter()
        self._totals: set[tuple[str, str]] = set()
        shown = tuple(units)
        plans = {(unit.page_id, unit.heading) for unit in shown if unit.kind == "price"}
        for unit in shown:
            self._cells[unit.id] = tuple(cells_of(unit, plans, language))
            for cell in self._cells[unit.id]:
                for owner in cell.owners:
                    self._measured.setdefault(owner, set()).add(cell.unit)
                    self._owned[owner] += 1
            self._totals.update(totals_of(unit, language))
            names = dict.fromkeys(named_in(unit, language))
            said = dict.fromkeys(way for _, name in names for way in (name, head_of(name)))
            self._numbers.add(unit, said)
            self._axes.add(names)

    def misattributed(self, text: str, units: Sequence[EvidenceUnit]) -> Iterator[tuple[str, str]]:
        """Yield each figure of a text that the evidence ``units`` give to something else, with its owner."""
        cells = [cell for unit in units for cell in self._cells.get(unit.id, ())]
        axes = {axis for cell in cells for axis, _ in cell.owners if not axis.startswith(COLUMNS)}
        parts: list[str] = []
        for sentence in sentences(text):
            # One without a name is about that of the sentence before it.
            is_named = any(self._axes.on(axis, self._axes.stems(sentence), sentence) for axis in axes)
            parts = [*parts, sentence] if is_named or not parts else [*parts[:-1], f"{parts[-1]} {sentence}"]
        for part in parts:
            yield from self._misattributed(part, units, cells)

    def is_named_in(self, cell: str, written: str, owner: str) -> bool:
        """Return whether a cell with one figure names its owner itself: "rain capes, pair, £110".

        It has half of the owner's words, one of them of no other name beside it, and no other name.
        """
        if [each.written for each in quantities(cell, self._language)] != [written]:
            return False
        said, own = self._axes.stems(cell), self._axes.stems(owner)
        others = [
            self._axes.stems(name)
            for names in self._axes.all()
            if owner in names
            for name in names
            if name != owner
        ]
        is_half = 2 * len(own & said) >= len(own) > 0
        distinct = own - frozenset[str]().union(*others)
        return is_half and bool(distinct & said) and not any(other and other <= said for other in others)

    def _misattributed(
        self, text: str, units: Sequence[EvidenceUnit], cells: Sequence[Cell]
    ) -> Iterator[tuple[str, str]]:
        unowned = {
            each.number
            for unit in units
            if not self._cells.get(unit.id)
            for each in quantities(stated(unit), self._language)
        } | self._numbers.in_captions(self._axes.stems(text), units)
        leads = (unit.lead_in for unit in units if unit.kind == "table")
        unowned |= {str(each.day_or_year) for each in dates(" ; ".join(leads))}
        unowned |= self._counts_of_columns(units)
        measures = self._measures_in_headings(units)
        text = fold(text)
        clauses = list(self._clauses(text, units))
        placed = placed_words(text, self._language)
        before: frozenset[str] = frozenset()
        for clause in clauses:
            figures = clause.figures
            here = self._axes.stems(without_units(clause.text, figures, self._language))
            around = [each for each in clauses if each.may_own_in(clause, text)]
            elsewhere = self._axes.stems(" ; ".join(each.text for each in around))
            first = [each.text for each in around if each.start < clause.start]
            with_units, earlier = self._axes.stems(clause.text), self._axes.stems(" ; ".join(first))
            context = Context(text, with_units, here, before, earlier, elsewhere)
            before = here if figures and not clause.is_excluded else frozenset()
            for figure in figures:
                having = [cell for cell in cells if cell.has(figure)]
                is_measure = (figure.number, figure.unit) in measures
                is_of_heading = is_measure and all(cell.unit != figure.unit for cell in having)
                if figure.number in unowned or is_of_heading:
                    continue
                # 10 % is no 10 repairs where the evidence has 10 %.
                own = [cell for cell in having if figure.unit == cell.unit == "%"] or having
                beside = [
                    (each, cell) for each in figures if each != figure for cell in cells if cell.has(each)
                ]
                context = context._replace(
                    of_others=columns_of_others(placed, figure, beside, self._language)
                )
                others = [cell for _, cell in beside]
                owner = self._wrong_owner(context, own, others, figure.unit)
                if owner:
                    yield figure.written, owner

    def _counts_of_columns(self, units: Iterable[EvidenceUnit]) -> set[str]:
        """Return the numbers of columns that the name of a page says: "Three plans, no commission"."""
        counted = ((str(len(unit.header) - 1), unit) for unit in units if unit.header)
        return {
            number
            for number, unit in counted
            if any(each.number == number and not each.unit for each in quantities(unit.about, self._language))
        }

    def _measures_in_headings(self, units: Iterable[EvidenceUnit]) -> set[tuple[str, str]]:
        """Return the numbers and units that headings say: "Log for four weeks". A price is a plan's."""
        found = (each for unit in units for each in quantities(unit.about, self._language))
        return {(each.number, each.unit) for each in found if each.unit and not is_money(each.unit)}

    def _clauses(self, text: str, units: Sequence[EvidenceUnit]) -> Iterator[Clause]:
        """Yield the clauses of a sentence, with their figures; a number in a name is not a figure.

        Figures are read from the whole sentence, because a clause may end inside a range, before its unit.
        """
        said = self._axes.stems(text)
        found = quantities(text, self._language)
        figures = [each for each in found if not self._numbers.has(each, units, said)]
        start, mark = 0, ""
        for end in (*clause_ends(text), None):
            stop = end.start() if end else len(text)
            inside = tuple(each for each in figures if start <= each.start < stop)
            yield Clause(text[start:stop], start, inside, clause_words().excluding.match(mark) is not None)
            if end:
                start, mark = end.end(), end[0].strip()

    def _wrong_owner(self, context: Context, cells: Sequence[Cell], beside: Sequence[Cell], unit: str) -> str:
        """Return the owner of a figure if the clause names only others, else "".

        ``cells`` have this figure, ``beside`` the other figures of its clause. Each card and table is checked
        by itself; the figure is right if one of them gives it to something the clause names.
        """
        wrong = ""
        for table in dict.fromkeys(cell.table for cell in cells):
            own = [cell for cell in cells if cell.table == table]
            owner = self._wrong_in(own, context, beside, unit)
            if not owner:
                return ""
            wrong = wrong or owner
        return wrong

    def _wrong_in(self, cells: Sequence[Cell], context: Context, beside: Sequence[Cell], unit: str) -> str:
        """Return the owner of a figure of one table if the clause names only others on its axis, else "".

        Words of the figure's own cell name nothing else. If the only figure of a row is ``beside`` this one,
        the clause names the row for that figure. A column
        without a figure of this unit is named for another figure: 35 kg is not a number of frames. A word
        that a row and a column share is enough to name the row: "up to five kitchens".
        """
        taken = {
            owner
            for cell in beside
            for owner in cell.owners
            if owner[0].startswith(ROWS) and self._owned[owner] == 1
        }
        of_cell = self._axes.stems(" ; ".join(cell.said for cell in cells))
        named = context._replace(here=context.here - of_cell)
        for axis in dict.fromkeys(axis for cell in cells for axis, _ in cell.owners):
            owners = [name for cell in cells for on, name in cell.owners if on == axis]
            if len(owners) < len(cells):
                continue  # One of them belongs to nothing on this axis.
            others = frozenset(
                name
                for name in self._named_on(axis, named, owners, unit)
                if (axis, name) not in taken | context.of_others
                and self._may_own(axis, name, unit, owners)
                and not is_denied(name, context.text, self._language)
            )
            if self._adds_up(axis, owners, context):
                continue
            if axis.startswith(ROWS) and any(
                self._is_row_named(axis, name, context, unit) for name in owners
            ):
                continue
            if axis.startswith(COLUMNS) and any(
                self._axes.has_name(context.with_units, name) for name in owners
            ):
                continue
            said = context.with_units
            left = said - self._axes.stems(" ; ".join(others))
            if others and others.isdisjoint(owners) and not self._axes.is_nearly_named(owners, said, left):
                return owners[0]
        return ""

    def _named_on(self, axis: str, context: Context, owners: Sequence[str], unit: str) -> Collection[str]:
        """Return the names on an axis that a figure may belong to: those in its clause, else in others.

        A name may begin in another clause and end in the figure's ("gluing and covering a crack"). A figure
        may also belong to the owner in the clause before ("port 5061 or 5060"); then there are no names to
        check. A column without figures does not own a figure before its name: "80 Mbit/s, good for smart
        plugs".
        """
        here = self._axes.on(axis, context.here, context.text)
        if here:
            return here
        if not self._axes.on(axis, context.before, context.text).isdisjoint(owners):
            return ()
        others = self._axes.on(axis, context.elsewhere | context.here, context.text)
        if is_money(unit) and axis.startswith(ROWS):
            return [name for name in others if self._may_cost(axis, name, unit, context.text)]
        if axis.startswith(COLUMNS):
            earlier = self._axes.on(axis, context.earlier, context.text)
            return [name for name in others if name in earlier or (axis, name) in self._measured]
        return others

    def _adds_up(self, axis: str, owners: Sequence[str], context: Context) -> bool:
        """Return whether a figure is the total of a table whose clause names no row, or words of several."""
        if all((axis, name) not in self._totals for name in owners):
            return False
        if not self._axes.on(axis, context.here | context.earlier | context.before, context.text):
            return True
        said, rows = context.here | context.elsewhere, self._axes.names(axis)
        return sum(not self._axes.stems(name).isdisjoint(said) for name in rows if name not in owners) > 1

    def _may_own(self, axis: str, name: str, unit: str, owners: Iterable[str]) -> bool:
        """Return whether a name can own a figure of this unit: a column with only other units cannot.

        Nor can one of words beside a column of one unit, such as "Fits" beside "Price"; a plan whose price is
        "on request" can.
        """
        if not (unit and axis.startswith(COLUMNS)):
            return True
        beside = [(axis, each) for each in owners]
        is_uniform = any(self._owned[each] > 1 and len(self._measured.get(each, ())) == 1 for each in beside)
        return unit in self._measured.get((axis, name), () if is_uniform else {unit})

    def _may_cost(self, axis: str, name: str, unit: str, text: str) -> bool:
        """Return whether a row may own a price: it has prices or no figures, or the text has its exact name.

        "Recipe software" does not name the row "Recipes".
        """
        return unit in self._measured.get((axis, name), {unit}) or bool(occurrences(name, text))

    def _is_row_named(self, axis: str, name: str, context: Context, unit: str) -> bool:
        """Return whether a clause, or a sentence with a sum, names a row.

        An amount says that it is a price, if no other row has the words that are left of the name.
        """
        is_sum = _SUM.search(context.text) is not None
        here = context.here | context.elsewhere if is_sum else context.here
        stems = self._axes.stems(name)
        if stems <= here or not is_money(unit):
            return stems <= here
        bare = without_price_words(stems, self._language)
        others = [self._axes.stems(each) for each in self._axes.names(axis) if each != name]
        return bool(bare) and bare <= here and all(bare.isdisjoint(each) for each in others)
