"""Texts that are shown on one line, such as names. Pure."""

import re
from typing import Final

# Marks of a direction, U+200E and U+200F, and joiners belong to texts of some languages: they stay. What
# embeds, overrides or isolates a direction lets a name look like another one. NUL is rejected, not dropped.
_UNSEEN: Final = re.compile(r"[\x01-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")


def one_line(text: str) -> str:
    """Return a text on one line: without control characters and those that change the direction of text.

    Line breaks and runs of white space become one space.
    """
    return " ".join(_UNSEEN.sub("", text).split())
