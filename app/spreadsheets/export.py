"""Rows of the database as the lines of a CSV file."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from app.infra.db import release
from app.spreadsheets.tables import csv_line

T = TypeVar("T")


def csv_lines(
    header: Iterable[str], batches: Iterable[Iterable[T]], cells: Callable[[T], Iterable[object]]
) -> Iterator[str]:
    """Yield the header and a line for each row; no transaction is open while the lines are read."""
    yield csv_line(header)
    for rows in batches:
        lines = [csv_line(cells(row)) for row in rows]
        release()
        yield from lines
