"""BM25 over the passages of a project's pages, in memory.

A passage is one block of prose; it is found by its own words and, with less weight, by the headings above it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.artefacts import SourceBlock, SourcePage
from app.content.sections import PageSection, is_link_list, sections_of
from app.content.text import content_stems, extent, topic_stems

_PROSE: Final = frozenset({"p", "li", "quote"})
_K1: Final = 1.2
_B: Final = 0.75
_STRONG_WORDS: Final = 8


@dataclass(frozen=True)
class Passage:
    """A block of prose in its section; ``heading_stems`` are those of the headings above it."""

    section: PageSection
    block: SourceBlock
    stems: tuple[str, ...]
    heading_stems: tuple[str, ...]

    def is_strong(self, topic: frozenset[str]) -> bool:
        """Tell whether 8 words or more, with the headings above, hold all of the topic's stems."""
        held = all(stem in self.stems or stem in self.heading_stems for stem in topic)
        return held and extent(self.block.text) >= _STRONG_WORDS


def passages_of(sections: Iterable[PageSection], language: str) -> tuple[Passage, ...]:
    """Return the passages of the sections in reading order, menus left out."""
    found: list[Passage] = []
    for section in sections:
        headings = tuple(content_stems(" ".join(section.path), language))
        prose = [block for block in section.blocks if block.kind in _PROSE]
        if is_link_list(prose):
            continue
        found += [Passage(section, b, tuple(content_stems(b.text, language)), headings) for b in prose]
    return tuple(found)


class PassageIndex:
    """An inverted index of passages; build once, query often."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = tuple(passages)
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._lengths: list[float] = []
        for position, passage in enumerate(self.passages):
            counts: Counter[str] = Counter(passage.stems)
            counts.update(set(passage.heading_stems))
            self._lengths.append(float(counts.total()))
            for term, count in counts.items():
                self._postings[term].append((position, float(count)))
        self._average = (sum(self._lengths) / len(self._lengths) if self._lengths else 0.0) or 1.0

    def search(self, query: Mapping[str, float]) -> list[tuple[Passage, float]]:
        """Return (passage, score) for all passages holding a stem of the weighted query, best first."""
        scores: dict[int, float] = defaultdict(float)
        for term in sorted(query):
            postings = self._postings.get(term, ())
            rarity = math.log(1 + (len(self.passages) - len(postings) + 0.5) / (len(postings) + 0.5))
            for position, count in postings:
                stretch = 1 - _B + _B * self._lengths[position] / self._average
                scores[position] += query[term] * rarity * count * (_K1 + 1) / (count + _K1 * stretch)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [(self.passages[position], score) for position, score in ranked]


@dataclass(frozen=True)
class Library:
    """The pages of a snapshot made ready for searching."""

    sections: tuple[PageSection, ...]
    index: PassageIndex
    language: str

    def strong_passages(self, topic: str) -> list[Passage]:
        """Return the passages that hold all of a topic's stems, in reading order."""
        stems = topic_stems(topic, self.language)
        return [passage for passage in self.index.passages if passage.is_strong(stems)]


def library_of(pages: Sequence[SourcePage], language: str) -> Library:
    """Cut pages into sections and index their passages."""
    sections = sections_of(pages)
    return Library(sections, PassageIndex(passages_of(sections, language)), language)
