"""The names that the evidence of an article has, word by word, in small letters. Pure."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.dates import is_month
from app.content.writing.veto.evidence import stated
from app.content.writing.veto.names import names
from app.language.languages import language_data
from app.language.sentences import sentences
from app.language.words import CAPITALS

WORD: Final = re.compile(r"[^\W\d_][\w’'.&-]*\w|[^\W\d_]")

POSSESSIVE: Final = re.compile(r"['’]s$")
_LINE_MARK: Final = re.compile(r"^\s*(?:[-–—•*]|\d+\.)\s+")
_ADDRESS: Final = re.compile(r"\S*(?:@|://|www\.)\S*")
"""An address has names in small letters: "ruth@example.org"."""

_MIXED: Final = re.compile(r"[A-Z]{3,}|[A-Z]\w*[a-z]\w*[A-Z]\w*|[A-Z]+-?\d\w*")
_PAIR: Final = re.compile(rf"(?=(?<=[\w,] )([{CAPITALS}][\w’'-]+ [{CAPITALS}][\w’'-]+))")


def names_of(units: Iterable[EvidenceUnit], given: str, language: str) -> frozenset[str]:
    """Return the words of names and authors in units, without common words and those of ``given``."""
    shown = tuple(units)
    found = set(words_of(" ".join(unit.author for unit in shown)))
    common = set(words_of(given))
    for each in _sentences_of(unit for unit in shown if unit.kind != "code"):
        found.update(plain(name) for name in names(each, language))
        written = WORD.findall(_ADDRESS.sub(" ", each))
        common.update(plain(word) for word in written if word[0].islower())
        common.update(_nouns(each, language))
    return frozenset(found - common)


def _sentences_of(units: Iterable[EvidenceUnit]) -> Iterator[str]:
    """Yield the sentences of each line of units, without what marks a line as an item."""
    lines = (line for unit in units for line in stated(unit).split("\n"))
    return (sentence for line in lines for sentence in sentences(_LINE_MARK.sub("", line)))


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text as names are kept."""
    return frozenset(plain(each) for each in WORD.findall(text))


def names_by_letters(text: str) -> frozenset[str]:
    """Return the words that their letters show to be names, even if others are words: "TCP", "G98"."""
    return frozenset(match[0] for match in WORD.finditer(text) if _MIXED.fullmatch(match[0]))


def only_with_capitals(text: str) -> frozenset[str]:
    """Return the words of a text that never stand there in small letters, as names are kept; no months."""
    found = WORD.findall(_ADDRESS.sub(" ", text))
    small = {plain(word) for word in found if word[0].islower()}
    capital = {plain(word) for word in found if word[0].isupper() and not is_month(word.lower())}
    return frozenset(capital - small)


def names_of_two_words(text: str) -> frozenset[str]:
    """Return the pairs of words with capitals in sentences: "Visitor Desk", even if visitors are common."""
    return frozenset(match[1] for match in _PAIR.finditer(text))


def plain(word: str) -> str:
    """Return a word in small letters without an ending of the genitive: "James's" and "James" are alike."""
    return re.sub(r"['’]?s$|\.$", "", POSSESSIVE.sub("", word.lower()))


def _nouns(text: str, language: str) -> Iterator[str]:
    """Yield the words behind an article or adjective, where nouns have capitals."""
    table = language_data(language).words
    for before, word in pairwise(WORD.findall(text)) if table.capital_nouns else ():
        is_announced = before in table.articles or before.endswith(table.adjective_endings)
        if before[0].islower() and is_announced:
            yield plain(word)
