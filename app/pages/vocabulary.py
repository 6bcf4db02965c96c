"""What searches read instead of a page's text: its words with their weights, and its headings. Pure.

Words are stored as written, in lower case. They are not stemmed and none is left out, so that they depend on
no language and stay right when a rule changes. Scripts without spaces give each character and each pair of
neighbours.
"""

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
    """The words and headings of a page.

    ``words``: the distinct words with spaces between them, a line break, and their weights in the same order.
    ``headings``: one on each line; those below the first level begin with a tab.
    """

    words: str
    headings: str


def vocabulary_of(
    title: str | None, description: str | None, blocks: Iterable[Mapping[str, Any]]
) -> Vocabulary:
    """Return the vocabulary of a page with these stored blocks.

    A word in the title has five times the weight of one in the text, in a heading three times, in the
    description twice. The 10,000 distinct words with the highest weights are kept.
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
    kept = sorted(word for word, _ in counts.most_common(_MOST_WORDS))
    counted = f"{' '.join(kept)}\n{' '.join(str(counts[word]) for word in kept)}"
    return Vocabulary(counted, "\n".join(headings))


def terms_of(text: str) -> list[str]:
    """Return the words of a text as they are stored, without those over 64 characters."""
    folded = unicodedata.normalize("NFC", text).lower()
    found = [word for word in words(folded) if len(word) <= _LONGEST]
    return found + [pair for run in _UNSPACED_RUN.findall(folded) for pair in map("".join, pairwise(run))]


def _count(counts: Counter[str], text: str, weight: int) -> None:
    if weight == 1:
        counts.update(terms_of(text))
        return
    for term in terms_of(text):
        counts[term] += weight


def weight_of(counted: str, term: str) -> int:
    """Return the weight of a term in Vocabulary.words, 0 if it is not there."""
    terms, _, weights = counted.partition("\n")
    at = f" {terms} ".find(f" {term} ")
    return int(weights.split(" ")[terms.count(" ", 0, at)]) if at >= 0 else 0


def weight_of_name(counted: str, name: str) -> int:
    """Return the weight of the term of a name that Vocabulary.words says least."""
    return min((weight_of(counted, term) for term in terms_of(name)), default=0)


def name_of(title: str | None, headings: str) -> str:
    """Return the name of a page: its only first-level heading, else its title without the site's name."""
    main = [line for line in headings.split("\n") if line and not line.startswith("\t")]
    named = own_title(title)
    return main[0] if len(main) == 1 or (main and not named) else named


def own_title(title: str | None) -> str:
    """Return a page's title without the site's name; a dash inside brackets is a range: "(2.8 - 3.5)"."""
    whole = " ".join((title or "").split())
    for separator in _TITLE_SEPARATOR.finditer(whole):
        own = whole[: separator.start()]
        if own.count("(") <= own.count(")"):
            return own
    return whole
