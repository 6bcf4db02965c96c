"""Words put together of others: "Holztisch" is a kind of "Tisch". Pure.

Only languages that write such nouns as one word are looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from app.language.languages import language_data
from app.language.stems import stem

_SHORTEST_PART: Final = 4
_SHORTEST_REST: Final = 3
_CERTAIN: Final = 6
"""From this length on a word that ends another is taken for its head, whatever stands before it."""
_LONGEST_LINK: Final = 2
"""Letters between two parts: "Stunde-n-lohn", "Arbeit-s-zeit"."""
_BEFORE: Final = "gross"
"""Any word: a stem within a compound may be another than alone ("Reinigung", "Großreinigung")."""


@dataclass(frozen=True)
class Compounds:
    """How the words of a vocabulary say one word: in kinds of it, or in its parts.

    ``kinds`` end with the word. It begins with one of ``firsts`` and ends with one of ``lasts``; ``wholes``
    are pairs of both that make it up. ``others`` begin with it.
    """

    kinds: frozenset[str] = frozenset()
    firsts: frozenset[str] = frozenset()
    lasts: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    wholes: tuple[tuple[str, str], ...] = ()

    @property
    def partly(self) -> frozenset[str]:
        """The words that say a part of it, or more than it."""
        return self.firsts | self.lasts | self.others


NO_COMPOUNDS: Final = Compounds()


def joins_nouns(language: str) -> bool:
    """Return whether a language writes compounds as one word."""
    return language_data(language).words.joins_nouns


def compounds_of(word: str, vocabulary: Collection[str], language: str) -> Compounds:
    """Return how the stems of a vocabulary say a word, as it is written, in compounds.

    Nothing in languages that write such words apart.
    """
    if not joins_nouns(language) or len(word) < _SHORTEST_PART:
        return NO_COMPOUNDS
    lowered = word.lower()
    own = stem(lowered, language)
    wholes = tuple(dict.fromkeys(_wholes(lowered, vocabulary, language)))
    endings = {own, stem(_BEFORE + lowered, language).removeprefix(_BEFORE)}
    ending = tuple(each for each in endings if len(each) >= _SHORTEST_PART)
    tails = (lowered[at:] for at in range(_SHORTEST_REST, len(lowered) - _CERTAIN + 1))
    return Compounds(
        kinds=frozenset(each for each in vocabulary if ending and _is_kind(each, ending, vocabulary)),
        firsts=frozenset(first for first, _ in wholes),
        lasts=frozenset(last for _, last in wholes)
        | {stem(tail, language) for tail in tails} & frozenset(vocabulary),
        others=frozenset(
            each for each in vocabulary if each.startswith(own) and len(each) - len(own) >= _SHORTEST_REST
        ),
        wholes=wholes,
    )


def _wholes(word: str, vocabulary: Collection[str], language: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of known words that make up a word, a link of letters between them left out."""
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        last = stem(word[at:], language)
        if last not in vocabulary:
            continue
        for link in range(_LONGEST_LINK + 1):
            before = word[: at - link]
            first = stem(before, language)
            if len(before) >= _SHORTEST_PART and first in vocabulary:
                yield first, last


def _is_kind(whole: str, ending: tuple[str, ...], vocabulary: Collection[str]) -> bool:
    """Return whether a word ends with another as its head: "Holztisch" does with "Tisch", "praktisch" not."""
    head = next((each for each in ending if whole.endswith(each)), "")
    rest = whole.removesuffix(head)
    if not head or len(rest) < _SHORTEST_REST:
        return False
    known = (rest[: len(rest) - link] for link in range(_LONGEST_LINK + 1))
    return len(head) >= _CERTAIN or any(len(each) >= _SHORTEST_PART and each in vocabulary for each in known)
