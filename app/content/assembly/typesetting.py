"""Breaks a title into lines and chooses their size: as large as fits, the lines about equally long.

Widths are measured in ems, so one measurement serves every size.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

LEADING: Final = 1.22
"""The distance between the base lines, in ems."""

_ELLIPSIS: Final = "…"
_NOT_FIRST: Final = frozenset(
    "、。，．・：；？！ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ」』）】〉》〕］｝”’…—,.!?:;)]}%»›"
)
_NOT_LAST: Final = frozenset("「『（【〈《〔［｛“‘([{«‹")
_BREAK_AFTER: Final = frozenset("-/")
_THAI_VOWELS_FIRST: Final = frozenset("เแโใไ")
"""Vowels that begin a syllable: Thai has no spaces between words, and may be broken before these."""

_HYPHENATED: Final = ("LATIN", "GREEK", "CYRILLIC")
_BALANCING_STEPS: Final = 10

Measure = Callable[[str], float]


@dataclass(frozen=True)
class Setting:
    """Lines of text and their size in pixels."""

    lines: tuple[str, ...]
    size: int

    @property
    def height(self) -> float:
        """The height of all lines, in pixels."""
        return len(self.lines) * self.size * LEADING


@dataclass(frozen=True)
class _Piece:
    """What no line breaks inside; its text may end with a space. ``width`` is in ems."""

    text: str
    width: float


def fit(
    text: str, measure: Measure, sizes: Sequence[int], width: int, height: int, *, whole_above: int = 0
) -> Setting:
    """Return a text in lines that fit ``width`` by ``height`` pixels, at the first of ``sizes`` that does.

    Words too long for a line are broken, at sizes above ``whole_above`` the next size is tried instead. What
    does not fit at the last size is cut off with an ellipsis. ``measure`` returns the width of a text in ems.
    """
    pieces = [_Piece(each, measure(each)) for each in _pieces(text)]
    for size in sizes:
        ems = width / size
        may_break = size <= whole_above or size == sizes[-1]
        if not may_break and any(piece.width > ems for piece in pieces):
            continue
        parts = [part for piece in pieces for part in _broken(piece, measure, ems)]
        lines = _filled(parts, ems)
        if len(lines) <= _lines_in(height, size):
            return Setting(_balanced(parts, ems, len(lines)), size)
    return Setting(_cut(lines, _lines_in(height, size), measure, ems), size)


def _lines_in(height: int, size: int) -> int:
    return int(height / (size * LEADING))


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for character in text:
        if pieces and not _may_break(pieces[-1][-1], character):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _may_break(before: str, after: str) -> bool:
    if after in _NOT_FIRST or before in _NOT_LAST or after.isspace() or _joins(after):
        return False
    if before.isspace() or before in _BREAK_AFTER or after in _THAI_VOWELS_FIRST:
        return True
    return _breaks_anywhere(before) or _breaks_anywhere(after)


def _breaks_anywhere(character: str) -> bool:
    """Return whether a line may end beside a character: Chinese and Japanese are written without spaces."""
    if unicodedata.east_asian_width(character) not in ("W", "F"):
        return False
    return not unicodedata.name(character, "").startswith("HANGUL")


def _joins(character: str) -> bool:
    """Return whether a character belongs to the one before it: accents, vowel signs, joiners."""
    return unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf")


def _filled(pieces: Sequence[_Piece], width: float) -> list[str]:
    """Return the lines, each as full as it may be."""
    lines: list[str] = []
    used = 0.0
    for piece in pieces:
        if lines and used + piece.width <= width:
            lines[-1] += piece.text
            used += piece.width
        else:
            lines.append(piece.text)
            used = piece.width
    return [line.rstrip() for line in lines]


def _balanced(pieces: Sequence[_Piece], width: float, count: int) -> tuple[str, ...]:
    """Return the lines of the narrowest column that needs no more than ``count``."""
    least, most = max((piece.width for piece in pieces), default=0.0), width
    for _ in range(_BALANCING_STEPS):
        middle = (least + most) / 2
        if len(_filled(pieces, middle)) <= count:
            most = middle
        else:
            least = middle
    return tuple(_filled(pieces, most))


def _broken(piece: _Piece, measure: Measure, width: float) -> list[_Piece]:
    """Return a piece that is wider than a line as parts that are not, with hyphens where they are usual."""
    if piece.width <= width:
        return [piece]
    hyphen = "-" if unicodedata.name(piece.text[0], "").startswith(_HYPHENATED) else ""
    parts: list[str] = []
    for character in piece.text:
        if parts and (_joins(character) or measure(parts[-1] + character + hyphen) <= width):
            parts[-1] += character
        else:
            parts.append(character)
    texts = [*(part + hyphen for part in parts[:-1]), parts[-1]]
    return [_Piece(each, measure(each)) for each in texts]


def _cut(lines: Sequence[str], most: int, measure: Measure, width: float) -> tuple[str, ...]:
    """Return the first ``most`` lines; the last one ends with an ellipsis when others follow it."""
    if len(lines) <= most:
        return tuple(lines)
    last = lines[most - 1]
    while last and measure(last + _ELLIPSIS) > width:
        last = last[:-1]
    return (*lines[: most - 1], last.rstrip(" ,;:.") + _ELLIPSIS)
