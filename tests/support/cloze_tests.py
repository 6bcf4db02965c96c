"""Reads what belongs in the blanks of the sentences that a verifier is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

BLANK = re.compile(r"\\\{[a-z]\\\}")


class Filled(NamedTuple):
    """A sentence as it was written, and what each of its blanks left out."""

    text: str
    fillings: list[str]


def filled(shown: str, sources: Iterable[str]) -> Filled:
    """The sentence in one of the sources that is shown with blanks; they stay empty if there is none."""
    pattern, blanks = BLANK.subn("(.+?)", re.escape(shown))
    if not blanks:
        return Filled(shown, [])
    for source in sources:
        found = re.search(rf"(?:^|(?<=[\s“”\"])){pattern}(?!\w)", source)
        if found:
            return Filled(found[0], list(found.groups()))
    return Filled(shown, [""] * blanks)
