"""From the bytes of a CSV file or a zip to its tables, whatever encoding and separator they have. Pure.

Nothing is unpacked or read without a limit: neither the declared sizes of a zip nor its number of rows are
trusted.
"""

import csv
import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final

from app.spreadsheets.columns import is_heading
from app.spreadsheets.numbers import decimal_number

MOST_BYTES: Final = 10_000_000
MOST_ROWS: Final = 50_000
_MOST_ZIPPED: Final = 2_000_000
_MOST_MEMBERS: Final = 30
_MOST_COLUMNS: Final = 60
_LOOKED_AT: Final = 20
_SEPARATORS: Final = ("\t", ";", ",")
_ENDINGS: Final = (".csv", ".tsv", ".txt")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class UnreadableFile(ValueError):
    """A file that is no table; its text says why, as a sentence for the person who chose it."""


@dataclass(frozen=True)
class Table:
    """One file of rows: its name, the names of its columns, and how its text is read."""

    name: str
    header: tuple[str, ...]
    data: bytes
    encoding: str
    separator: str
    skipped: int

    def rows(self) -> Iterator[list[str]]:
        """Yield the rows below the header, each as long as the header. Empty rows are left out.

        Raises UnreadableFile for more than ``MOST_ROWS`` rows, and for a row that cannot be read.
        """
        width = len(self.header)
        for number, cells in enumerate(islice(self._records(), self.skipped, None)):
            if number >= MOST_ROWS:
                raise UnreadableFile(f"“{self.name}” has more than {MOST_ROWS:,} rows. Split it.")
            yield [_value(cell) for cell in cells[:width]] + [""] * (width - len(cells))

    def _records(self) -> Iterator[list[str]]:
        return _records(self.name, self.data, self.encoding, self.separator)


def tables_of(name: str, data: bytes) -> list[Table]:
    """Return the tables of a CSV file, or of each CSV file in a zip. Raises UnreadableFile."""
    if not data:
        raise UnreadableFile("The file is empty.")
    if len(data) > MOST_BYTES:
        raise UnreadableFile(f"The file is larger than {MOST_BYTES // 1_000_000} MB.")
    if data.startswith(b"PK\x03\x04"):
        return list(_members(data))
    return [_table(name, data)]


def _members(data: bytes) -> Iterator[Table]:
    if len(data) > _MOST_ZIPPED:
        raise UnreadableFile(f"The zip is larger than {_MOST_ZIPPED // 1_000_000} MB. Send the CSV in it.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            wanted = [info for info in archive.infolist() if info.filename.lower().endswith(_ENDINGS)]
            if not wanted:
                raise UnreadableFile("There is no CSV file in it. Export as CSV, not as Excel.")
            if len(wanted) > _MOST_MEMBERS:
                raise UnreadableFile(f"The zip has more than {_MOST_MEMBERS} files.")
            left = MOST_BYTES
            for info in wanted:
                with archive.open(info) as member:
                    content = member.read(left + 1)
                left -= len(content)
                if left < 0:
                    raise UnreadableFile(f"Unpacked it is larger than {MOST_BYTES // 1_000_000} MB.")
                with suppress(UnreadableFile):  # a member that is no table is not imported
                    yield _table(info.filename.rpartition("/")[2], content)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise UnreadableFile("The zip is damaged or encrypted.") from error


def _table(name: str, data: bytes) -> Table:
    encoding = _encoding(data)
    separator, first = _dialect(name, data, encoding)
    if not first:
        raise UnreadableFile(f"“{name}” has no rows.")
    width = Counter(len(cells) for cells in first).most_common(1)[0][0]
    at, cells = next((at, cells) for at, cells in enumerate(first) if len(cells) == width)
    if width > _MOST_COLUMNS:
        raise UnreadableFile(f"“{name}” has more than {_MOST_COLUMNS} columns.")
    if _is_header(cells):
        return Table(name, tuple(_value(cell)[:80] for cell in cells), data, encoding, separator, at + 1)
    numbered = tuple(f"Column {number}" for number in range(1, width + 1))
    return Table(name, numbered, data, encoding, separator, at)


def _is_header(cells: list[str]) -> bool:
    if any(is_heading(cell) for cell in cells):
        return all(decimal_number(cell) is None for cell in cells)
    return len(cells) > 1 and all(decimal_number(cell) is None for cell in cells)


def _encoding(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if data[1:100:2].count(0) > len(data[1:100:2]) // 2:
        return "utf-16-le"
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _dialect(name: str, data: bytes, encoding: str) -> tuple[str, list[list[str]]]:
    best: tuple[tuple[int, int], str, list[list[str]]] | None = None
    for separator in _SEPARATORS:
        first = list(islice(_records(name, data, encoding, separator), _LOOKED_AT))
        widths = Counter(len(cells) for cells in first if len(cells) > 1)
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
        if best is None or (count, width) > best[0]:
            best = ((count, width), separator, first)
    assert best is not None
    return best[1], best[2]


def _records(name: str, data: bytes, encoding: str, separator: str) -> Iterator[list[str]]:
    text = io.TextIOWrapper(io.BytesIO(data), encoding=encoding, errors="replace", newline="")
    try:
        for cells in csv.reader(text, delimiter=separator):
            if any(cell.strip() for cell in cells):
                yield cells
    except csv.Error as error:
        raise UnreadableFile(f"“{name}” is not a CSV file: {error}.") from None


def _value(cell: str) -> str:
    """Return the text of a cell, without the quote that protects it from being read as a formula."""
    text = cell.replace("\x00", "").strip()
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


def csv_line(cells: Iterable[object]) -> str:
    """Return the cells as a line of a CSV file, None as an empty one; no cell is read as a formula."""
    buffer = io.StringIO()
    csv.writer(buffer).writerow(["" if cell is None else safe_cell(str(cell)) for cell in cells])
    return buffer.getvalue()


def safe_cell(text: str) -> str:
    """Return a cell that no spreadsheet program reads as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
