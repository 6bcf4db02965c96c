"""To what a figure of the evidence belongs: the plan of a price card, the row and column of a table. Pure.

A sentence that names one plan and gives it the price of another moves a figure. The names of one kind (the
plans of a page, the rows of a table, its columns) are an axis: a clause that names some of them may use the
figures of those alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.language.text import content_stems, fold
from app.content.writing.article.figures import figures

_CLAUSE_END: Final = re.compile(
    r"[;:]\s|,\s|\s(?:while|whereas|and|but|or|und|während|aber|oder|et|mais|ou|tandis que|y|pero|o|mientras"
    r")\s",
    re.IGNORECASE,
)
_LONGEST_NAME: Final = 6


@dataclass(frozen=True)
class _Cell:
    """A figure of the evidence with its unit and the names that own it, each on its axis."""

    number: str
    unit: str
    owners: tuple[tuple[str, str], ...]


class FigureOwners:
    """The figures that have owners in the evidence of an article."""

    def __init__(self, units: Iterable[EvidenceUnit], language: str) -> None:
        self._language = language
        self._cells: dict[str, tuple[_Cell, ...]] = {}
        self._names: dict[str, dict[str, frozenset[str]]] = {}
        self._units: dict[tuple[str, str], set[str]] = {}
        for unit in units:
            cells = tuple(_cells_of(unit))
            self._cells[unit.id] = cells
            for cell in cells:
                for axis, name in cell.owners:
                    self._units.setdefault((axis, name), set()).add(cell.unit)
                    stems = frozenset(content_stems(name, language))
                    if stems and len(stems) <= _LONGEST_NAME:
                        self._names.setdefault(axis, {})[name] = stems

    def moved(self, text: str, units: Sequence[EvidenceUnit]) -> Iterator[tuple[str, str]]:
        """Yield (figure, owner) for each figure that belongs to another thing than the one named."""
        cells = [cell for unit in units for cell in self._cells.get(unit.id, ())]
        free = {f.number for unit in units if not self._cells.get(unit.id) for f in figures(unit.text)}
        for clause in _CLAUSE_END.split(fold(text)):
            stems = set(content_stems(clause, self._language))
            for figure in figures(clause):
                own = [cell for cell in cells if cell.number == figure.number]
                if not own or figure.number in free:
                    continue
                owner = self._wrong_owner(stems, own, figure.unit)
                if owner:
                    yield figure.number, owner

    def _wrong_owner(self, stems: Collection[str], cells: Sequence[_Cell], unit: str) -> str:
        """Return who owns a figure where a clause names others of the same axis only, else "".

        A name without any figure of the same unit is named for another figure: 35 kg are no frames.
        """
        for axis in dict.fromkeys(axis for cell in cells for axis, _ in cell.owners):
            named = {
                name
                for name, own in self._names.get(axis, {}).items()
                if own <= set(stems) and (not unit or unit in self._units[axis, name])
            }
            owners = [name for cell in cells for on, name in cell.owners if on == axis]
            if named and named.isdisjoint(owners):
                return owners[0]
        return ""


def _cells_of(unit: EvidenceUnit) -> Iterator[_Cell]:
    if unit.kind == "price":
        for figure in figures(unit.text):
            yield _Cell(figure.number, figure.unit, ((f"plans of {unit.page_id}", unit.heading),))
    elif unit.kind == "table":
        for row in unit.rows:
            name = " ".join(row[: max(1, unit.row_heads)])
            for column, cell in enumerate(row[max(1, unit.row_heads) :], max(1, unit.row_heads)):
                head = unit.header[column] if column < len(unit.header) else ""
                owners = ((f"rows of {unit.id}", name), (f"columns of {unit.id}", head))
                for figure in figures(cell):
                    yield _Cell(figure.number, figure.unit, tuple(each for each in owners if each[1]))
