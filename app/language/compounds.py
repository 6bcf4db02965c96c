"""Compounds: "Holztisch" is a kind of "Tisch". Pure.

This concerns languages that write compound nouns as one word (``joins_nouns``).
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from app.language.languages import language_data
from app.language.stems import stem

_SHORTEST_PART: Final = 4
_SHORTEST_REST: Final = 3
_CERTAIN: Final = 6
"""A word of this length that ends another is its head, whatever the other begins with."""
_LONGEST_LINK: Final = 2
"""Letters between two parts: "Stunde-n-lohn", "Arbeit-s-zeit"."""
_BEFORE: Final = "gross"
"""Any word: inside a compound a word may have another stem than alone ("Reinigung", "Großreinigung")."""


@dataclass(frozen=True)
class Compounds:
    """The stems of a vocabulary that are compounds with a word, or parts of it.

    ``kinds`` end with the word, ``others`` begin with it. The word itself begins with one of ``firsts`` and
    ends with one of ``lasts``; ``wholes`` are the pairs of both that make it up.
    """

    kinds: frozenset[str] = frozenset()
    firsts: frozenset[str] = frozenset()
    lasts: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    wholes: tuple[tuple[str, str], ...] = ()

    @property
    def partly(self) -> frozenset[str]:
        """The stems that match the word only in part."""
        return self.firsts | self.lasts | self.others


NO_COMPOUNDS: Final = Compounds()


def joins_nouns(language: str) -> bool:
    """Return whether a language writes compound nouns as one word."""
    return language_data(language).words.joins_nouns


def compounds_of(word: str, vocabulary: Collection[str], language: str) -> Compounds:
    """Return which stems of a vocabulary are compounds with a word, or parts of it.

    There are none in languages that write such nouns as separate words.
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
    """Yield the pairs of known stems that make up a word, without the letters that link them."""
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
    """Return whether a stem has another as its head: "Holztisch" has "Tisch", "praktisch" has not."""
    head = next((each for each in ending if whole.endswith(each)), "")
    rest = whole.removesuffix(head)
    if not head or len(rest) < _SHORTEST_REST:
        return False
    known = (rest[: len(rest) - link] for link in range(_LONGEST_LINK + 1))
    return len(head) >= _CERTAIN or any(len(each) >= _SHORTEST_PART and each in vocabulary for each in known)
