"""Reads a page's tables: which of them have data, and their rows with cells aligned in columns. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from bs4 import Tag

from app.pages.extraction.blocks import CELL_SEPARATOR, Block, Mark, squeezed, unnumbered
from app.pages.extraction.elements import (
    HEADINGS,
    LISTS,
    MIN_LINKS,
    Elements,
    around,
    links_in,
    named_in,
)
from app.pages.extraction.furniture import is_linked, turns_page
from app.pages.extraction.inline import InlineText
from app.pages.extraction.visibility import ONLY_SAID

_ROWS: Final = frozenset({"tr", "caption"})
_CELLS: Final = frozenset({"td", "th"})
_TABLE: Final = frozenset({"table"})
_HEADERS: Final = frozenset({"th", "thead"})
_HEADER_CELL: Final = frozenset({"th"})
_LISTING: Final = frozenset({"pre"})
_PARAGRAPHS: Final = frozenset({"p", "div"})
_MOST_COLUMNS: Final = 50
_MOST_ROWS: Final = 1000
_LONGEST_REPEATED: Final = 200
_BIG_CELL: Final = 600
_LONGEST_NAME: Final = 40
_CELL_LEVELS: Final = 6
_FEWEST_ROWS: Final = 2
_ACROSS: Final = "across"
"""The kind of a row with one cell across several columns, which is a note on the table at its end."""
_MOST_SPANS: Final = 3


class _Cell(NamedTuple):
    text: str
    is_head: bool
    columns: int
    rows: int
    marks: tuple[Mark, ...] = ()


_NOTHING: Final = _Cell("", False, 1, 1)


class Tables:
    """Reads the tables of a page."""

    def __init__(self, elements: Elements, text: InlineText) -> None:
        self._elements = elements
        self._text = text
        self._with_heading: set[int] | None = None

    def shows_data(self, table: Tag) -> bool:
        """Return whether a table has data and does not only lay out text.

        A table with header cells has data, unless it contains another table, a listing beside a single
        header, or headings outside of its header cells. A table without header cells has data if it has at
        least two columns, more than one cell with something in it, and no lists, listings, headings or long
        paragraphs in its cells.
        """
        if table.get("role") in ("presentation", "none") or self._elements.contains(table, _TABLE):
            return False
        if self._lays_out_note(table):
            return False
        if self._has_heading_in_data(table):
            return False
        if self._elements.contains(table, _HEADERS):
            headers = sum(1 for _ in named_in(table, _HEADER_CELL))
            return headers > 1 or not self._elements.contains(table, _LISTING)
        if self._elements.contains(table, _LISTING) or self._elements.contains(table, LISTS):
            return False
        if _is_menu(table):
            return False
        return self._has_small_cells_in_columns(table)

    def _lays_out_note(self, table: Tag) -> bool:
        """Return whether a table is DocBook's layout of a note: its sign, its label and its text."""
        is_in_note = table.parent is not None and self._elements.is_note(table.parent)
        if not is_in_note or sum(1 for _ in named_in(table, _HEADER_CELL)) != 1:
            return False
        return sum(1 for _ in named_in(table, _ROWS)) <= _FEWEST_ROWS

    def rows(self, table: Tag) -> Iterator[Block]:
        """Yield the caption and the rows, which have a cell for each column of the table.

        Only below a head do empty cells keep their places in the text. Without header cells, a first row in
        bold is the head. One cell over all columns at the end is a note on the table, so a second caption.
        """
        rows = [*self._read(table)]
        width = max((len(row.cells) for row in rows), default=0)
        read = [*_with_notes(_with_bold_head(rows), width)]
        for row in read:
            padding = [""] * (width - len(row.cells)) if row.cells else []
            yield replace(row, cells=(*row.cells, *padding))

    def _read(self, table: Tag) -> Iterator[Block]:
        headed, is_first = False, True
        spanning: dict[int, tuple[_Cell, int]] = {}
        for row in named_in(table, _ROWS):
            if self._elements.is_inside_hidden(row):
                continue
            if row.name == "caption":
                yield unnumbered("caption", self._text.squeezed(row))
                continue
            own = self._cells(row)
            is_head = _is_head(row, own, is_first=is_first)
            headed, is_first = headed or is_head, False
            aligned = _aligned(own, spanning)
            heads = next((at for at, cell in enumerate(aligned) if not cell.is_head), len(aligned))
            shown = _shown(own, headed)
            is_across = len(own) == 1 and own[0].columns == len(aligned) > 1
            kind = _ACROSS if is_across else "table"
            yield unnumbered(
                "table_head" if is_head else kind,
                CELL_SEPARATOR.join(cell.text for cell in shown),
                cells=tuple(cell.text for cell in aligned),
                row_heads=0 if is_head else heads,
                marks=tuple(_marks_of(shown)),
            )

    def _cells(self, row: Tag) -> list[_Cell]:
        return [
            _Cell(
                text := self._text.squeezed(cell) or _said(cell) or self._icon(cell),
                cell.name == "th",
                _span(cell, "colspan", _MOST_COLUMNS),
                _span(cell, "rowspan", _MOST_ROWS),
                () if cell.name == "th" else self._text.marked(text, cell),
            )
            for cell in named_in(row, _CELLS)
            if not self._elements.hides(cell)
        ]

    def _icon(self, cell: Tag) -> str:
        """Return the name of the only icon in an empty cell: "Included"."""
        icons = [each for each in cell.find_all(["img", "svg", "i", "span"], limit=3) if _name(each)]
        hidden = any(str(icon.get("aria-hidden", "")).lower() == "true" for icon in icons)
        return _name(icons[0]) if len(icons) == 1 and not hidden else ""

    def _has_heading_in_data(self, table: Tag) -> bool:
        if self._with_heading is None:
            headings = (tag for tag in self._elements.tags if tag.name in HEADINGS)
            self._with_heading = around(tag for tag in headings if not _is_in_header_cell(tag))
        return id(table) in self._with_heading

    def _has_small_cells_in_columns(self, table: Tag) -> bool:
        columns = 0
        shown: list[Tag] = []
        for row in named_in(table, _ROWS):
            cells = [cell for cell in named_in(row, _CELLS) if not self._elements.hides(cell)]
            columns = max(columns, len(cells))
            shown += cells
            for cell in cells:
                is_long = len(cell.get_text()) > _BIG_CELL
                if is_long and self._elements.contains(cell, _PARAGRAPHS):
                    return False
        filled = sum(1 for cell in shown if cell.get_text(strip=True) or self._icon(cell))
        return (columns > 1 and filled > 1) or table.caption is not None


def _said(cell: Tag) -> str:
    """Return what a cell without visible text says to who hears the page: "Included" beside a tick."""
    spans = cell.find_all("span", limit=_MOST_SPANS)
    said = (
        squeezed(each.get_text()) for each in spans if ONLY_SAID & set(str(each.get("class", "")).split())
    )
    return next(said, "")


def _is_in_header_cell(heading: Tag) -> bool:
    above = heading.parent
    for _ in range(_CELL_LEVELS):
        if above is None or above.name in ("td", "table"):
            return False
        if above.name == "th":
            return True
        above = above.parent
    return False


def _is_head(row: Tag, cells: list[_Cell], *, is_first: bool) -> bool:
    """Return whether all cells of a row are header cells; empty ones of the first row do not count."""
    if row.parent is not None and row.parent.name == "thead":
        return True
    if is_first and len(cells) > 1 and any(cell.is_head for cell in cells[1:]):
        return all(cell.is_head or not cell.text for cell in cells)
    return bool(cells) and all(cell.is_head for cell in cells)


def _with_bold_head(rows: list[Block]) -> list[Block]:
    """Return the rows of a table, the first as its head if no cell is a header and it alone is in bold."""
    data = [row for row in rows if row.kind == "table"]
    if len(data) < _FEWEST_ROWS or any(row.kind == "table_head" or row.row_heads for row in rows):
        return rows
    if not _is_in_bold(data[0]) or _is_in_bold(data[1]):
        return rows
    return [replace(row, kind="table_head", marks=()) if row is data[0] else row for row in rows]


def _with_notes(rows: list[Block], width: int) -> Iterator[Block]:
    """Yield the rows of a table, as captions those at its end of which one cell is across the columns."""
    last = max((at for at, row in enumerate(rows, 1) if row.kind == "table"), default=len(rows))
    for at, row in enumerate(rows):
        if row.kind != _ACROSS:
            yield row
        elif at < last or len(row.cells) < width:
            yield replace(row, kind="table")
        else:
            yield unnumbered("caption", row.text, marks=row.marks)


def _is_in_bold(row: Block) -> bool:
    """Return whether a row has two cells or more, and each of them is in bold and has a text."""
    shown = row.text.split(CELL_SEPARATOR)
    bold = sum(mark.stop - mark.start for mark in row.marks if mark.kind == "strong")
    whole = len(row.text) - len(CELL_SEPARATOR) * (len(shown) - 1)
    return len(shown) > 1 and len(shown) == len(row.cells) and bold == whole


def _aligned(own: list[_Cell], spanning: dict[int, tuple[_Cell, int]]) -> list[_Cell]:
    """Return the cells of a row, one for each column, with those that span rows from above.

    ``spanning`` has such a cell for a column, and how many rows it still spans. It is updated.
    """
    aligned: list[_Cell] = []

    def take_spanning() -> None:
        while (at := len(aligned)) in spanning:
            cell, left = spanning.pop(at)
            aligned.append(cell)
            if left > 1:
                later[at] = (cell, left - 1)

    later: dict[int, tuple[_Cell, int]] = {}
    for cell in own:
        take_spanning()
        repeated = cell if len(cell.text) <= _LONGEST_REPEATED else cell._replace(text="")
        for number in range(min(cell.columns, _MOST_COLUMNS - len(aligned))):
            if cell.rows > 1:
                later[len(aligned)] = (repeated, cell.rows - 1)
            aligned.append(repeated if number else cell)
    while spanning and len(aligned) <= max(spanning):
        take_spanning()
        if spanning:
            aligned.append(_NOTHING)
    spanning.clear()
    spanning.update(later)
    return aligned


def _shown(cells: list[_Cell], headed: bool) -> list[_Cell]:
    """Return the cells that the text of a row has."""
    filled = [at for at, cell in enumerate(cells) if cell.text]
    return cells[: filled[-1] + 1] if headed and filled else [cells[at] for at in filled]


def _marks_of(cells: list[_Cell]) -> Iterator[Mark]:
    """Yield the marks of cells by their places in the text of the row."""
    at = 0
    for cell in cells:
        yield from (Mark(kind, at + start, at + stop) for kind, start, stop in cell.marks)
        at += len(cell.text) + len(CELL_SEPARATOR)


def _span(cell: Tag, name: str, most: int) -> int:
    value = str(cell.get(name, "1")).strip()
    return (
        min(int(value), most) if value.isascii() and value.isdigit() and len(value) < 6 and int(value) else 1
    )


def _name(icon: Tag) -> str:
    name = " ".join(str(icon.get("aria-label") or icon.get("alt") or "").split())
    return name if len(name) <= _LONGEST_NAME else ""


def _is_menu(table: Tag) -> bool:
    """Return whether a table is only links, signs aside: three, or to the pages before or after."""
    links, text = [link.get_text() for link in links_in(table)], table.get_text("").strip()
    return len(links) >= (1 if turns_page(text) else MIN_LINKS) and is_linked(text, links)
