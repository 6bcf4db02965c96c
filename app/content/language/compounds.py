"""Words put together of others: "Altbaufenster" is a kind of "Fenster". Pure.

Only languages that write such nouns as one word are looked at.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from app.content.language.lexicon import primary_subtag

_JOINING: Final = frozenset({"de", "nl", "da", "sv", "no", "nb", "fi", "hu"})
_SHORTEST_PART: Final = 4
_SHORTEST_REST: Final = 3
_CERTAIN: Final = 6
"""From this length on a word that ends another is taken for its head, whatever stands before it."""
_LONGEST_LINK: Final = 2
"""Letters between two parts: "Stunde-n-lohn", "Arbeit-s-zeit"."""


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


def compounds_of(word: str, vocabulary: Collection[str], language: str) -> Compounds:
    """Return how the stems of a vocabulary say a word in compounds; nothing in most languages."""
    if primary_subtag(language) not in _JOINING or len(word) < _SHORTEST_PART:
        return NO_COMPOUNDS
    ends = frozenset(each for each in vocabulary if word.endswith(each) and _is_part(each, word))
    begins = frozenset(each for each in vocabulary if word.startswith(each) and _is_part(each, word))
    lasts = frozenset(each for each in ends if _is_head(each, word, vocabulary))
    firsts = frozenset(each for each in begins if len(each) >= _CERTAIN or _goes_on(each, word, lasts))
    kinds = (each for each in vocabulary if each.endswith(word) and _is_part(word, each))
    return Compounds(
        kinds=frozenset(each for each in kinds if _is_head(word, each, vocabulary)),
        firsts=firsts,
        lasts=lasts,
        others=frozenset(each for each in vocabulary if each.startswith(word) and _is_part(word, each)),
        wholes=tuple(
            (first, last)
            for first in sorted(firsts)
            for last in sorted(lasts)
            if _goes_on(first, word, (last,))
        ),
    )


def _is_part(part: str, whole: str) -> bool:
    return len(part) >= _SHORTEST_PART and len(whole) - len(part) >= _SHORTEST_REST


def _goes_on(first: str, whole: str, lasts: Collection[str]) -> bool:
    """Tell whether one of the words that a compound ends with follows the one it begins with."""
    return any(0 <= len(whole) - len(first) - len(last) <= _LONGEST_LINK for last in lasts)


def _is_head(head: str, whole: str, vocabulary: Collection[str]) -> bool:
    """Tell whether a word ends with another as its head: "Holztisch" does with "Tisch", "praktisch" not."""
    rest = whole.removesuffix(head)
    return len(head) >= _CERTAIN or any(rest[: len(rest) - n] in vocabulary for n in range(_LONGEST_LINK + 1))
