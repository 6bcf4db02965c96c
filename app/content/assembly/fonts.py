"""The fonts of a cover image, which of them has a character, and the runs that a line is drawn in.

They come in packages. FiraGO has Latin, Greek, Cyrillic, Georgian, Arabic, Hebrew, Thai and Devanagari
letters; Noto Sans CJK has Chinese, Japanese and Korean ones. Other characters, such as emoji, are left out.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import cache, cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import noto_cjk_sans_jp_bold
import pymupdf_fonts

from app.content.assembly.cmap import character_ranges

if TYPE_CHECKING:
    from PIL import ImageFont

_DEVANAGARI: Final = range(0x0900, 0x0980)
"""It reads wrong without shaping, though it runs from left to right."""

_RIGHT_TO_LEFT: Final = ("R", "AL")
_IGNORED: Final = frozenset("\u2060\ufe0e\ufe0f\ufeff")


class Face:
    """One font, loaded when it is first needed. ``source`` returns the path or the bytes of its file."""

    def __init__(self, source: Callable[[], Path | bytes]) -> None:
        self._source = source

    def has(self, character: str) -> bool:
        """Return whether the font has a glyph for a character."""
        starts, ends = self._ranges
        place = bisect_right(starts, ord(character)) - 1
        return place >= 0 and ord(character) <= ends[place]

    def sized(self, size: int) -> ImageFont.FreeTypeFont:
        """Return the font at a size in pixels."""
        return _sized(self, size)

    def open(self) -> BinaryIO:
        """Return the font's file for reading."""
        source = self._source()
        return BytesIO(source) if isinstance(source, bytes) else source.open("rb")

    def path_or_file(self) -> Path | BinaryIO:
        """Return what Pillow loads the font from; a path costs no memory for what is not used."""
        source = self._source()
        return BytesIO(source) if isinstance(source, bytes) else source

    @cached_property
    def _ranges(self) -> tuple[list[int], list[int]]:
        with self.open() as file:
            found = sorted(character_ranges(file))
        return [first for first, _ in found], [last for _, last in found]


_CJK: Final = Face(lambda: Path(str(noto_cjk_sans_jp_bold.FONT_PATH)))
BOLD: Final = (Face(lambda: pymupdf_fonts.myfont("figbo")), _CJK)
REGULAR: Final = (Face(lambda: pymupdf_fonts.myfont("figo")), _CJK)
"""Fonts of one weight; a character is drawn in the first that has it."""

Faces = tuple[Face, ...]


@cache
def is_shaping() -> bool:
    """Return whether letters can be joined and reordered: Pillow uses the system's libfribidi for that."""
    from PIL import features

    return bool(features.check("raqm"))


def drawable(text: str, faces: Faces) -> str:
    """Return a text without the characters that cannot be drawn, its white space made single spaces."""
    kept = (each if _is_drawable(each, faces) else " " for each in unicodedata.normalize("NFC", text))
    return " ".join("".join(kept).split())


def runs_of(text: str, faces: Faces) -> list[tuple[Face, str]]:
    """Return a drawable text as runs of one font each; signs and spaces stay with the run before them."""
    runs: list[tuple[Face, str]] = []
    for character in text:
        current = runs[-1][0] if runs else None
        face = _face_of(character, faces, current)
        if face is current:
            runs[-1] = (face, runs[-1][1] + character)
        else:
            runs.append((face, character))
    return runs


def is_right_to_left(text: str) -> bool:
    """Return whether a text reads from right to left, by its first letter."""
    directions = (unicodedata.bidirectional(each) for each in text)
    return next((each for each in directions if each in ("L", *_RIGHT_TO_LEFT)), "L") in _RIGHT_TO_LEFT


def _is_drawable(character: str, faces: Faces) -> bool:
    if character in _IGNORED or unicodedata.category(character) in ("Cc", "Cs"):
        return False
    if not is_shaping() and _needs_shaping(character):
        return False
    return any(face.has(character) for face in faces)


def _needs_shaping(character: str) -> bool:
    return ord(character) in _DEVANAGARI or unicodedata.bidirectional(character) in (
        *_RIGHT_TO_LEFT,
        "AN",
    )


def _face_of(character: str, faces: Faces, current: Face | None) -> Face:
    is_letter = unicodedata.category(character)[0] == "L"
    if current is not None and not is_letter and current.has(character):
        return current
    return next((face for face in faces if face.has(character)), faces[0])


@lru_cache(maxsize=24)
def _sized(face: Face, size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(face.path_or_file(), size)
