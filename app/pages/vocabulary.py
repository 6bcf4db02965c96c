"""What a search looks at instead of a page's text: its words, each with its weight, and its headings. Pure.

Words are kept as they are written, lower case, and neither stemmed nor left out: what is kept then depends on
no language and no rule, and stays right when a rule changes. A script written without spaces gives its
characters and every two neighbours.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from app.language.words import CJK, words

TITLE_WEIGHT: Final = 5
HEADING_WEIGHT: Final = 3
DESCRIPTION_WEIGHT: Final = 2
_UNSPACED_RUN: Final = re.compile(rf"[{CJK}]{{2,}}")
_TITLE_SEPARATOR: Final = re.compile(r"\s+[|–—·»:]\s+|\s+-\s+")
_LONGEST: Final = 64
_MOST_WORDS: Final = 10_000
_MOST_HEADINGS: Final = 500


@dataclass(frozen=True)
class Vocabulary:
    """A page for searching.

    ``words``: the distinct words parted by a space, a line break, and the weight of each in the same order.
    ``headings``: a line each, below the first level begun by a tab.
    """

    words: str
    headings: str


def vocabulary_of(
    title: str | None, description: str | None, blocks: Iterable[Mapping[str, Any]]
) -> Vocabulary:
    """Return what a search needs of a page whose blocks are given as they are stored.

    A word in the title weighs five times what it weighs in the text, in a heading three times, in the
    description twice. Of more than 10,000 distinct words those that weigh most are kept.
    """
    counts: Counter[str] = Counter()
    headings: list[str] = []
    for block in blocks:
        is_heading = block["kind"] == "heading"
        _count(counts, block["text"], HEADING_WEIGHT if is_heading else 1)
        _count(counts, block.get("speaker", ""), 1)
        if is_heading and len(headings) < _MOST_HEADINGS:
            headings.append(("\t" if block["heading_path"] else "") + " ".join(block["text"].split()))
    _count(counts, title or "", TITLE_WEIGHT)
    _count(counts, description or "", DESCRIPTION_WEIGHT)
    held = sorted(word for word, _ in counts.most_common(_MOST_WORDS))
    counted = f"{' '.join(held)}\n{' '.join(str(counts[word]) for word in held)}"
    return Vocabulary(counted, "\n".join(headings))


def terms_of(text: str) -> list[str]:
    """Return the words of a text as they are kept; longer ones than 64 characters are left out."""
    said = unicodedata.normalize("NFC", text).lower()
    found = [word for word in words(said) if len(word) <= _LONGEST]
    return found + [pair for run in _UNSPACED_RUN.findall(said) for pair in map("".join, pairwise(run))]


def _count(counts: Counter[str], text: str, weight: int) -> None:
    if weight == 1:
        counts.update(terms_of(text))
        return
    for term in terms_of(text):
        counts[term] += weight


def weight_of(counted: str, term: str) -> int:
    """Return what a term weighs in Vocabulary.words, 0 when it is not there."""
    held, _, weights = counted.partition("\n")
    at = f" {held} ".find(f" {term} ")
    return int(weights.split(" ")[held.count(" ", 0, at)]) if at >= 0 else 0


def name_of(title: str | None, headings: str) -> str:
    """Return what a reader would call the page: its one main heading, else its title without the site's name.

    Of several headings on the first level none is the page's own.
    """
    main = [line for line in headings.split("\n") if line and not line.startswith("\t")]
    named = own_title(title)
    return main[0] if len(main) == 1 or (main and not named) else named


def own_title(title: str | None) -> str:
    """Return a title without the site's name."""
    return _TITLE_SEPARATOR.split(" ".join((title or "").split()))[0]
