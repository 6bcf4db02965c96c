"""How what was read on a page is shown: text as text, and the rows of a table as a table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from app.content.evidence.cards_and_tables import cells_of, header_and_rows
from app.pages.extraction.blocks import CELL_SEPARATOR, Block

_ROWS: Final = frozenset({"table", "table_head"})

Cells = tuple[str, ...]


@dataclass(frozen=True)
class ShownTable:
    """A table with rows of the same length; ``head`` is empty without a header."""

    head: Cells
    rows: Sequence[Cells]


def blocks_and_tables(blocks: Iterable[Block]) -> Iterator[Block | ShownTable]:
    """Yield blocks, with the rows of each table together."""
    for (is_row, _), together in groupby(blocks, key=lambda each: (each.kind in _ROWS, each.group)):
        if is_row:
            yield _table(list(together))
        else:
            yield from together


def lines_and_tables(passage: str) -> Iterator[str | ShownTable]:
    """Yield the parts of a passage of a plan: lines of text, and tables of several lines with cells."""
    for has_cells, together in groupby(passage.split("\n"), key=lambda line: CELL_SEPARATOR in line):
        lines = list(together)
        if has_cells and len(lines) > 1:
            yield _table([Block("", "table", line) for line in lines])
        else:
            yield "\n".join(lines)


def _table(blocks: Sequence[Block]) -> ShownTable:
    head, rows = header_and_rows(blocks)
    cells = [cells_of(row) for row in rows]
    width = max(map(len, [head, *cells]))
    return ShownTable(_filled(head, width) if head else (), [_filled(each, width) for each in cells])


def _filled(cells: Cells, width: int) -> Cells:
    return cells + ("",) * (width - len(cells))


FILTERS: Final = (blocks_and_tables, lines_and_tables)
