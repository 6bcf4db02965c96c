"""Telephone numbers in text from right to left, where their parts would change places. Pure.

A mark before the number, which nobody sees, makes all of it read from left to right.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from unicodedata import bidirectional

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it.token import Token

LEFT_TO_RIGHT: Final = "\u200e"
_RIGHT_TO_LEFT: Final = ("R", "AL")
_TELEPHONE: Final = re.compile(rf"(?<![\w+{LEFT_TO_RIGHT}])(?:\+|0)\d[\d /-]{{5,}}\d(?!\w)")


def keep_telephones(tokens: Iterable[Token]) -> None:
    """Put the mark before the telephone numbers of a parsed text, in paragraphs from right to left."""
    for token in tokens:
        if token.type == "inline" and _has_right_to_left(token.content):
            for each in token.children or ():
                each.content = _TELEPHONE.sub(rf"{LEFT_TO_RIGHT}\g<0>", each.content)


def _has_right_to_left(text: str) -> bool:
    return not text.isascii() and any(bidirectional(each) in _RIGHT_TO_LEFT for each in text)
