"""BM25 over texts in memory: an inverted index that is built once and queried often. Pure.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Generic, Protocol, TypeVar

_K1: Final = 1.2
_B: Final = 0.75


def rarity(containing: int, total: int) -> float:
    """Return the weight of a term by the number of texts that contain it (idf)."""
    return math.log(1 + (total - containing + 0.5) / (containing + 0.5))


def saturated(count: float, stretch: float) -> float:
    """Return what a term counts that occurs ``count`` times in a text ``stretch`` times as long as usual."""
    return count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * stretch))


def saturation(count: float, stretch: float) -> float:
    """Return the same from 0 to 1: near to 1 where a text says a term again and again."""
    return saturated(count, stretch) / (_K1 + 1)


class Searchable(Protocol):
    """A text with its stems; those of the headings above it count once each."""

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of its own words, repeats kept."""

    @property
    def heading_stems(self) -> tuple[str, ...]:
        """The stems of the headings above it."""


T = TypeVar("T", bound=Searchable)


class Bm25Index(Generic[T]):
    """An inverted index of texts."""

    def __init__(self, entries: Sequence[T]) -> None:
        self.entries = tuple(entries)
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._lengths: list[float] = []
        for position, entry in enumerate(self.entries):
            counts: Counter[str] = Counter(entry.stems)
            counts.update(set(entry.heading_stems))
            self._lengths.append(float(counts.total()))
            for term, count in counts.items():
                self._postings[term].append((position, float(count)))
        self._average = (sum(self._lengths) / len(self._lengths) if self._lengths else 0.0) or 1.0

    @property
    def terms(self) -> Collection[str]:
        """All stems of the entries."""
        return self._postings.keys()

    def search(self, query: Mapping[str, float]) -> list[tuple[T, float]]:
        """Return (entry, score) for all entries with a stem of the weighted query, best first."""
        scores: dict[int, float] = defaultdict(float)
        for term in sorted(query):
            postings = self._postings.get(term, ())
            weight = rarity(len(postings), len(self.entries))
            for position, count in postings:
                stretch = self._lengths[position] / self._average
                scores[position] += query[term] * weight * saturated(count, stretch)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [(self.entries[position], score) for position, score in ranked]

    def containing(self, terms: Iterable[str]) -> frozenset[int]:
        """Return the positions of the entries that contain any of the stems."""
        return frozenset(position for term in terms for position, _ in self._postings.get(term, ()))

    def rarity(self, terms: Iterable[str]) -> float:
        """Return the weight of containing one of the stems: the fewer entries do, the more."""
        return rarity(len(self.containing(terms)), len(self.entries))
