"""The statements of a text: each sentence or line with the places of its figures, words and clauses. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.clauses import clause_ends, clause_words
from app.content.writing.veto.dates import is_month
from app.content.writing.veto.evidence import stated
from app.content.writing.veto.figures import is_unit
from app.content.writing.veto.quantities import Quantity, quantities
from app.language.languages import language_data
from app.language.sentences import sentences
from app.language.stems import stem
from app.language.words import is_unspaced
from app.pages.extraction.blocks import CELL_SEPARATOR

_WORD: Final = re.compile(r"[^\W\d_](?:[^\W\d_]|[’'])*")
_LINE_MARK: Final = re.compile(r"^\s*(?:[-–—•*]|\d+\.)\s+")
_LEAST_LETTERS: Final = 3
_PAIR: Final = 2
_NEAR: Final = 2
"""Characters between a figure and its unit or month at most, and one: "10. Juli"."""


class Word(NamedTuple):
    """The stem of a word that carries meaning, and where it begins."""

    start: int
    stem: str


@dataclass(frozen=True)
class Statement:
    """A text with its figures and words, and where its clauses, members of lists and cells begin."""

    text: str
    figures: tuple[Quantity, ...]
    words: tuple[Word, ...]
    ends: tuple[int, ...]
    joints: tuple[int, ...]
    cells: tuple[int, ...]

    @property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(each.stem for each in self.words)

    @property
    def marks(self) -> frozenset[str]:
        """The stems of its words, and its figures."""
        return self.stems | {str(each.value or each.number) for each in self.figures}


def statements_of(units: Iterable[EvidenceUnit], language: str) -> list[Statement]:
    """Return the statements of evidence in order."""
    return [each for unit in units for each in statements(stated(unit), language)]


def statements(text: str, language: str) -> Iterator[Statement]:
    """Yield the sentences of each line of a text, without what marks a line as an item."""
    for line in text.split("\n"):
        for sentence in sentences(_LINE_MARK.sub("", line)):
            yield _statement(sentence, language)


def together(parts: Iterable[Statement]) -> Statement:
    """Return statements as one, where each begins a new clause."""
    found = tuple(parts)
    starts = [0, *accumulate(len(each.text) + 1 for each in found)]
    placed = list(zip(starts, found, strict=False))
    return Statement(
        "\n".join(each.text for each in found),
        tuple(replace(f, start=start + f.start) for start, each in placed for f in each.figures),
        tuple(Word(start + word.start, word.stem) for start, each in placed for word in each.words),
        tuple(
            sorted({place for start, each in placed for place in (start, *(start + n for n in each.ends))})
        ),
        tuple(start + place for start, each in placed for place in each.joints),
        tuple(start + place for start, each in placed for place in each.cells),
    )


@lru_cache(maxsize=8_192)  # the evidence of an article is read for each of its sentences
def _statement(text: str, language: str) -> Statement:
    figures = tuple(quantities(text, language))
    ends = [match.start() for match in clause_ends(text) if match[0][0] not in ":："]
    joints = [match.start() for match in clause_words().alternatives.finditer(text)]
    cells = [match.end() for match in re.finditer(re.escape(CELL_SEPARATOR), text)]
    words = _words(text, figures, language)
    return Statement(text, figures, tuple(words), tuple(ends), tuple(joints), tuple(cells))


def _words(text: str, figures: Iterable[Quantity], language: str) -> Iterator[Word]:
    """Yield the words of a text except small words, figures and what belongs to them: units and months."""
    small = language_data(language).words.stopwords
    inside = {place for each in figures for place in range(each.start, each.start + len(each.written))}
    for start, word in _placed(text):
        lowered, end = word.lower(), start + len(word)
        is_behind = not inside.isdisjoint(range(start - _NEAR, start))
        is_unit_or_month = is_behind and (is_unit(lowered) or is_month(lowered))
        is_month_before = is_month(lowered) and end + 1 in inside
        is_short = len(word) < _LEAST_LETTERS and not is_unspaced(word)
        if start in inside or lowered in small or is_unit_or_month or is_month_before or is_short:
            continue
        yield Word(start, stem(word, language))


def _placed(text: str) -> Iterator[tuple[int, str]]:
    """Yield each word and where it begins; in a script without spaces, each two neighbouring characters."""
    for match in _WORD.finditer(text):
        if is_unspaced(match[0]) and len(match[0]) > _PAIR:
            pairs = range(len(match[0]) - _PAIR + 1)
            yield from ((match.start() + at, match[0][at : at + _PAIR]) for at in pairs)
        else:
            yield match.start(), match[0]
