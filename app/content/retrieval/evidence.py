"""The evidence for a post: the best units of the pages, within the size of a prompt. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Final

from app.content.evidence.units import EvidenceUnit, units_of
from app.content.retrieval.bm25 import Bm25Index
from app.content.retrieval.definitions import Definitions
from app.content.retrieval.indexed_units import indexed_units
from app.content.retrieval.passages import Library
from app.content.retrieval.places import Places
from app.content.retrieval.selection import query_of
from app.content.retrieval.topic_words import acronyms
from app.language.stems import search_words, stem
from app.language.words import tokens_in, words

PACK_TOKENS: Final = 9_000
_PAGE_TOKENS: Final = (4_000, 4_000, 2_600, 1_800, 1_800)
"""What each of the first pages may take of a pack; a shorter one is taken whole."""
_FURTHER_PAGE_TOKENS: Final = 900
"""What each other page may take, by the units that say most on the subject: a case, a price."""
_LEAST_OF_A_NAME: Final = 3
"""Words of a heading that other pages name; shorter ones occur in any text."""
_IN_OTHER_WORDS: Final = 0.7
"""What a synonym or a part of a compound weighs beside the word itself."""
_OVERHEAD: Final = 25
_LONGEST: Final = 6_000
_SIGNS: Final = re.compile(r"[^\w\s]{2,}")
_LONGEST_EXAMPLE: Final = 60
"""Tokens of a listing that shows how a setting is written."""


class EvidenceIndex:
    """The evidence units of a library, ready to be ranked."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._language = library.language
        self.units = units_of(library.sections)
        self.places = Places(self.units)
        self._by_id = {unit.id: unit for unit in self.units}
        self._by_page: dict[int, list[EvidenceUnit]] = defaultdict(list)
        for unit in self.units:
            self._by_page[unit.page_id].append(unit)
        self._index = Bm25Index(indexed_units(self.units, self._language))
        self._scored: dict[str, Mapping[str, float]] = {}

    def named(self, ids: Iterable[str]) -> tuple[EvidenceUnit, ...]:
        """Return the units with these ids, each once; unknown ids are passed over."""
        return tuple(self._by_id[each] for each in dict.fromkeys(ids) if each in self._by_id)

    def examples_of(self, units: Iterable[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
        """Return a short listing with signs as in the terms that ``units`` define, from the page of each.

        It shows how a setting is written: 'Bees::Theme "Dark";' for Bees::Size. A page of which ``units`` has
        a listing needs none.
        """
        shown = tuple(units)
        listed = {unit.page_id for unit in shown if unit.kind == "code"}
        signs: dict[int, set[str]] = defaultdict(set)
        for unit in shown:
            if unit.kind == "definition" and unit.page_id not in listed:
                signs[unit.page_id].update(_SIGNS.findall(unit.lead_in))
        found = (
            next((unit for unit in self._by_page[page_id] if _is_example(unit, own)), None)
            for page_id, own in signs.items()
        )
        return tuple(unit for unit in found if unit)

    def of_page(self, page_id: int) -> Sequence[EvidenceUnit]:
        """Return the units of a page, in reading order."""
        return self._by_page.get(page_id, [])

    def scores(self, subject: str) -> Mapping[str, float]:
        """Return the scores of the units on a subject by their ids; they are worked out once."""
        if subject not in self._scored:
            self._scored[subject] = {unit.id: score for unit, score in self.ranked(subject)}
        return self._scored[subject]

    def fitting(self, units: Iterable[EvidenceUnit], tokens: int) -> frozenset[str]:
        """Return the ids of the units that fit into ``tokens``, the first ones first, with what goes on."""
        taken: dict[str, EvidenceUnit] = {}
        self._take(units, taken, tokens)
        return frozenset(taken)

    def mentioned(self, units: Iterable[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
        """Return the units under headings that units name: "follow the automatic DNSSEC signing steps"."""
        said = " ".join(unit.text for unit in units).lower()
        named = {
            heading
            for heading in {unit.heading for unit in self.units}
            if len(words(heading)) >= _LEAST_OF_A_NAME and heading.lower() in said
        }
        return tuple(unit for unit in self.units if unit.heading in named)

    @cached_property
    def definitions(self) -> Definitions:
        """The units that define words."""
        return Definitions(self._index.entries, self._language)

    def best_of(self, page_ids: Iterable[int], subject: str, count: int) -> tuple[EvidenceUnit, ...]:
        """Return of each page the ``count`` units that say most on a subject, else its first ones."""
        scores = self.scores(subject)
        pages = map(self.of_page, page_ids)
        best = (sorted(own, key=lambda unit: -scores.get(unit.id, 0.0))[:count] for own in pages)
        return tuple(unit for own in best for unit in own)

    def ranked(self, subject: str, keywords: Sequence[str] = ()) -> list[tuple[EvidenceUnit, float]]:
        """Return the units on a subject with their scores, best first."""
        query = query_of(subject, tuple(keywords), self._language)
        others = self._library.topic_terms(subject).variants if subject else {}
        query |= dict.fromkeys(others.keys() - query.keys(), _IN_OTHER_WORDS)
        short = (
            stem(name, self._language)
            for name in acronyms(search_words(subject, self._language), self._language)
        )
        query |= dict.fromkeys(short, 1.0)
        return [(entry.unit, score) for entry, score in self._index.search(query)]

    def pack(
        self,
        subject: str,
        keywords: Sequence[str] = (),
        *,
        pages: Sequence[int] = (),
        first: Sequence[EvidenceUnit] = (),
        aside: Sequence[EvidenceUnit] = (),
        tokens: int = PACK_TOKENS,
    ) -> tuple[EvidenceUnit, ...]:
        """Return units on a subject within ``tokens``: ``first``, those of ``pages``, then the best others.

        Units ``aside`` are taken too, and make their pages no more important. All come page by page in
        reading order, so that a reader sees each unit in its context.
        """
        scores = {unit.id: score for unit, score in self.ranked(subject, keywords)}
        order = list(dict.fromkeys([*(unit.page_id for unit in first), *pages, *self._pages_by(scores)]))
        order = list(dict.fromkeys([*order, *(unit.page_id for unit in aside)]))
        taken: dict[str, EvidenceUnit] = {}
        left = tokens - self._take([*aside, *first], taken, tokens)
        for place, page_id in enumerate(order):
            is_first = place < len(_PAGE_TOKENS)
            most = _PAGE_TOKENS[place] if is_first else _FURTHER_PAGE_TOKENS
            # A page that the caller requires may say the subject in other words.
            own = self._shown_of(page_id, scores, most if is_first or page_id in pages else 0)
            left -= self._take(own, taken, min(left, most))
        return self._in_reading_order(taken, order)

    def _pages_by(self, scores: Mapping[str, float]) -> list[int]:
        """Return the pages by their three best units together."""
        of_page: dict[int, list[float]] = defaultdict(list)
        for unit_id, score in scores.items():
            of_page[self._by_id[unit_id].page_id].append(score)
        return sorted(of_page, key=lambda page_id: (-sum(sorted(of_page[page_id])[-3:]), page_id))

    def _shown_of(self, page_id: int, scores: Mapping[str, float], whole: int) -> Sequence[EvidenceUnit]:
        """Return the units of a page: all of one up to ``whole`` tokens, else the best on the subject.

        Each best one comes with its section, if that is short: half of a section says half of the answer.
        """
        own = self.of_page(page_id)
        if tokens_in_pack(own) <= whole:
            return own
        best = sorted((unit for unit in own if unit.id in scores), key=lambda unit: -scores[unit.id])
        return [each for unit in best for each in self.places.short_section_of(unit)]

    def _take(self, units: Iterable[EvidenceUnit], taken: dict[str, EvidenceUnit], limit: int) -> int:
        used = 0
        for first in units:
            for unit in (first, *self.places.going_on(first)):
                size = _size(unit)
                if unit.id in taken:
                    continue
                if used + size > limit or len(unit.text) > _LONGEST:
                    break
                taken[unit.id] = unit
                used += size
        return used

    def _in_reading_order(
        self, taken: Mapping[str, EvidenceUnit], order: Sequence[int]
    ) -> tuple[EvidenceUnit, ...]:
        places = {page_id: place for place, page_id in enumerate(order)}
        kept = [unit for unit in self.units if unit.id in taken]
        return tuple(sorted(kept, key=lambda unit: places[unit.page_id]))


def tokens_in_pack(units: Iterable[EvidenceUnit]) -> int:
    """Return the tokens that units take of a pack."""
    return sum(map(_size, units))


def _is_example(unit: EvidenceUnit, signs: Set[str]) -> bool:
    is_short = unit.kind == "code" and tokens_in(unit.text) <= _LONGEST_EXAMPLE
    return is_short and not signs.isdisjoint(_SIGNS.findall(unit.text))


def _size(unit: EvidenceUnit) -> int:
    return tokens_in(unit.text) + _OVERHEAD
