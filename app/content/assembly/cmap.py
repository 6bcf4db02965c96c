"""Reads from an OpenType font which characters it has: the formats 4 and 12 of its table ``cmap``."""

import struct
from collections.abc import Iterator
from typing import BinaryIO


def character_ranges(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Yield the first and last code point of each range that the font has glyphs for; ranges may overlap."""
    table = _table(file, b"cmap")
    (count,) = struct.unpack_from(">H", table, 2)
    offsets = {struct.unpack_from(">L", table, 8 + 8 * number)[0] for number in range(count)}
    for offset in sorted(offsets):
        (kind,) = struct.unpack_from(">H", table, offset)
        if kind == 4:
            yield from _segments(table[offset:])
        elif kind == 12:
            yield from _groups(table[offset:])


def _table(file: BinaryIO, wanted: bytes) -> bytes:
    (count,) = struct.unpack(">4xH6x", file.read(12))
    for _ in range(count):
        name, offset, length = struct.unpack(">4s4xLL", file.read(16))
        if name == wanted:
            file.seek(offset)
            return file.read(length)
    raise ValueError(f"The font has no table {wanted!r}.")


def _segments(table: bytes) -> Iterator[tuple[int, int]]:
    """Format 4: segments of the first 65,536 code points, whose glyph ids are computed or listed."""
    (length,) = struct.unpack_from(">H", table, 6)
    count = length // 2
    ends = struct.unpack_from(f">{count}H", table, 14)
    starts = struct.unpack_from(f">{count}H", table, 16 + length)
    lists = 16 + 3 * length
    offsets = struct.unpack_from(f">{count}H", table, lists)
    for number, (first, last, offset) in enumerate(zip(starts, ends, offsets, strict=True)):
        if first == 0xFFFF:
            continue
        if offset == 0:
            yield first, last
            continue
        glyphs = struct.unpack_from(f">{last - first + 1}H", table, lists + 2 * number + offset)
        yield from ((first + place, first + place) for place, glyph in enumerate(glyphs) if glyph)


def _groups(table: bytes) -> Iterator[tuple[int, int]]:
    """Format 12: groups of any code points."""
    (count,) = struct.unpack_from(">L", table, 12)
    for number in range(count):
        first, last = struct.unpack_from(">LL", table, 16 + 12 * number)
        yield first, last
