"""Finds the row of a table that a row of a draft is taken from, with fewer or merged columns. Pure.

"Lorry | 2 visits × £68 | 136" has only what the row "Lorry" has, whatever its columns are called.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.evidence.quotes import comparable
from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.evidence import stated
from app.content.writing.veto.figures import is_unit
from app.content.writing.veto.quantities import Quantity, quantities
from app.language.sentences import sentences
from app.language.stems import content_stems
from app.pages.extraction.blocks import CELL_SEPARATOR

_LEAST_LETTERS: Final = 3
_LEAST_CELLS: Final = 2
_REMARK: Final = re.compile(r"\s*\([^()]*\)")
_ZEROS: Final = re.compile(r"[.,]0+$|(?<=[.,]\d)0+$")
_SIGNED: Final = re.compile(r"(?P<sign>[-−–])?\s?(?P<number>\d[\d.,]*)\s?(?P<unit>\D*)")


@dataclass(frozen=True)
class _Cell:
    """A cell with its figures; ``is_bare``: it says nothing else."""

    text: str
    figures: tuple[Quantity, ...]
    stems: frozenset[str]

    @property
    def is_bare(self) -> bool:
        """Whether its figures are all that it says."""
        return bool(self.figures) and not self.stems

    def has(self, figure: Quantity) -> bool:
        """Return whether a figure is in the cell; a unit may stand in the header of a column."""
        alike = (each for each in self.figures if _is_same(each.number, figure.number))
        return any(not (each.unit and figure.unit) or each.unit == figure.unit for each in alike)

    def says(self, other: _Cell) -> bool:
        """Return whether the cell has the figures of another, in their order."""
        return len(self.figures) == len(other.figures) and all(
            _Cell("", (known,), frozenset()).has(said)
            for known, said in zip(other.figures, self.figures, strict=True)
        )


def faults_of_row(
    text: str, units: Sequence[EvidenceUnit], header: Sequence[str], language: str
) -> tuple[str, ...]:
    """Return what is wrong with a row whose first cell names a row of a table; () for any other text.

    Nothing is wrong if it has only figures of that row, in their order; evidence that is no table may give
    further ones to cells with words, and another table those of a row that another cell names. Wrong are
    figures below the name of another column, and those without words that neither the row has nor a column
    of the same name.
    """
    row = [_cell(each, language) for each in text.split(CELL_SEPARATOR)]
    tables = [unit for unit in units if unit.kind == "table"]
    if len(row) < _LEAST_CELLS or not tables:
        return ()
    outside = _cell("\n".join(_text_of(unit) for unit in units), language)
    named = [each for unit in tables for each in _named(row[0], unit, language, header[0] if header else "")]
    said = [each for unit in units if unit.kind != "table" for each in sentences(stated(unit))]
    prose = [_cell(each, language) for each in said]
    heads = list(zip(row[1:], (*header[1:], *("" for _ in row)), strict=False))
    unsaid = [cell for cell, head in heads if not _is_said(cell, head, prose, language)]
    left = [row[0], *dict.fromkeys(unsaid)]
    taken = [each for each in named if _is_taken(left, [_cell(cell, language) for cell in each[0]], outside)]
    exact = [each for each in named if _is_name(each[0][0], row[0].text)]
    judged = taken or exact
    if judged:
        rows = [_cell(CELL_SEPARATOR.join(each), language) for unit in tables for each in unit.rows]
        if all(_is_below_another(heads, [*prose, *rows], *each, language) for each in judged):
            return ("its figures stand below other columns than in the evidence",)
    name = row[0].text.strip()
    known = [_cell(each, language) for unit in tables for each in _of(name, unit)]
    strange: list[Quantity] = []
    for cell, head in heads:
        figures = cell.figures if known and not taken and cell.is_bare else ()
        unknown = [figure for figure in figures if not any(each.has(figure) for each in (*known, outside))]
        found = list(_joined(name, row, head, known, tables, language)) if unknown else []
        strange += [figure for figure in unknown if not any(each.has(figure) for each in found)]
    return tuple(f"the figure {each.written} is not that of {name} in the evidence" for each in strange)


def _is_same(one: str, other: str) -> bool:
    """Return whether two numbers are one in value: "2,00" is "2"."""
    return one == other or _without_zeros(one) == _without_zeros(other)


def _without_zeros(number: str) -> str:
    return _ZEROS.sub("", number).replace(",", ".")


def _text_of(unit: EvidenceUnit) -> str:
    """Return what a unit says outside the rows of a table."""
    return "\n".join((unit.caption, *unit.header)) if unit.kind == "table" else stated(unit)


def _of(name: str, unit: EvidenceUnit) -> Iterator[str]:
    """Yield the cells of the rows and columns of a table with this very name."""
    for row in unit.rows:
        if _is_name(name, unit.name_of(row)):
            yield from row
        yield from (cell for head, cell in zip(unit.header, row, strict=False) if _is_name(name, head))


def _is_name(one: str, other: str) -> bool:
    return comparable(one) == comparable(other)


def _is_figure(head: _Cell, name: str, above: str) -> bool:
    """Return whether a cell is the figure of a name, with its sign, and the header ``above`` has the unit."""
    found = _SIGNED.fullmatch(name.strip())
    own = _SIGNED.fullmatch(head.text.strip())
    if not found or not own or own["unit"]:
        return False
    sign, other = (bool(each["sign"]) for each in (found, own))
    return sign == other and found["number"] == own["number"] and found["unit"] in above


def _cell(text: str, language: str) -> _Cell:
    figures = tuple(quantities(text, language))
    rest = text
    for each in figures:
        rest = rest.replace(each.written, " ", 1)
    said = (each for each in content_stems(rest, language) if not is_unit(each))
    return _Cell(text, figures, frozenset(each for each in said if len(each) >= _LEAST_LETTERS))


def _named(
    head: _Cell, unit: EvidenceUnit, language: str, above: str = ""
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the rows that a first cell names, each with the names of its columns.

    They are named word for word, or as a figure whose unit is ``above`` it, in the header: "10" is the row
    "10 °C". Else their name is in it. A column of a table of plans is a row, too.
    """
    names = [unit.name_of(row) for row in unit.rows]
    asked = set(content_stems(above, language))
    is_alike = not asked.isdisjoint(content_stems(" ".join(unit.header[:1]), language))
    exact = [_is_name(name, head.text) or (is_alike and _is_figure(head, name, above)) for name in names]
    said = set(content_stems(head.text, language))
    bare = _without_remarks(names)
    within = [bool(stems := set(content_stems(name, language))) and stems <= said for name in bare]
    chosen = exact if any(exact) else within
    yield from ((row, unit.header) for row, is_named in zip(unit.rows, chosen, strict=True) if is_named)
    for column in range(unit.heads, len(unit.header)):
        if _is_name(unit.header[column], head.text) and all(len(row) > column for row in unit.rows):
            yield [head.text, *(row[column] for row in unit.rows)], ["", *names]


def _without_remarks(names: Sequence[str]) -> list[str]:
    """Return names without remarks in brackets: "Units" for "Units (runs, pens)", if no other has it."""
    bare = [_REMARK.sub("", name).strip() or name for name in names]
    times = Counter(bare)
    return [short if times[short] == 1 else name for short, name in zip(bare, names, strict=True)]


def _joined(
    name: str,
    row: Sequence[_Cell],
    head: str,
    known: Sequence[_Cell],
    tables: Iterable[EvidenceUnit],
    language: str,
) -> Iterator[_Cell]:
    """Yield what a row may take below a ``head`` from another table: what "Black and white" costs to develop.

    That table has no row of this name, its heading or caption has a word of the head, and a cell that the row
    has in its own table names the row. Its column is named in the row, or all columns have the same figure.
    """
    said = {stem for each in row for stem in content_stems(each.text, language)}
    asked = set(content_stems(head, language))
    naming = [each for each in row[1:] if each.stems and any(each.stems <= own.stems for own in known)]
    for unit in tables:
        is_own = any(_is_name(name, unit.name_of(each)) for each in unit.rows)
        if is_own or asked.isdisjoint(content_stems(f"{unit.heading} {unit.caption}", language)):
            continue
        for named, columns in (each for cell in naming for each in _named(cell, unit, language)):
            cells = [_cell(each, language) for each in named[1:]]
            figures = {each.figures[0].number for each in cells if each.is_bare}
            for each, column in zip(cells, columns[1:], strict=False):
                is_named = said.issuperset(content_stems(column, language))
                if each.is_bare and (is_named or len(figures) == 1):
                    yield each


def _is_said(cell: _Cell, head: str, prose: Sequence[_Cell], language: str) -> bool:
    """Return whether a sentence of prose gives the figures of a cell to the words of its column."""
    named = set(content_stems(head, language))
    return cell.is_bare and any(named & each.stems and all(map(each.has, cell.figures)) for each in prose)


def _is_taken(row: Sequence[_Cell], known: Sequence[_Cell], outside: _Cell) -> bool:
    left = iter(known)
    bare = (each for each in row if each.is_bare)
    worded = (each for each in row if not each.is_bare)
    return all(any(each.says(cell) for each in left) for cell in bare) and all(
        _has_in_order(known, [each for each in cell.figures if not outside.has(each)]) for cell in worded
    )


def _has_in_order(known: Iterable[_Cell], figures: Iterable[Quantity]) -> bool:
    left = (_Cell("", (figure,), frozenset()) for cell in known for figure in cell.figures)
    return all(any(each.has(figure) for each in left) for figure in figures)


def _is_below_another(
    heads: Iterable[tuple[_Cell, str]],
    facts: Collection[_Cell],
    known: Sequence[str],
    columns: Sequence[str],
    language: str,
) -> bool:
    """Return whether a cell stands below the name of a column that has another figure in this row.

    The first column has no figures but names: "Film (£)" is not the column "Film". Nor is "Extra till" the
    column "Tills" where ``facts``, sentences or rows, give the figure to what is extra.
    """
    named = [set(), *(set(content_stems(column, language)) for column in columns[1:])]
    for cell, head in heads:
        said = set(content_stems(head, language))
        below = [
            (_cell(each, language), column)
            for each, column in zip(known, named, strict=False)
            if column and column <= said
        ]
        has_all = any(all(map(each.has, cell.figures)) for each, _ in below)
        own = said.difference(*(column for _, column in below))
        is_stated = any(own & each.stems and all(map(each.has, cell.figures)) for each in facts)
        if cell.is_bare and below and not has_all and not is_stated:
            return True
    return False
