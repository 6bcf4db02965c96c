"""BM25 over the passages of a project's pages, in memory.

A passage is one block of prose; it is found by its own words and, with less weight, by the headings above it.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from itertools import pairwise
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from app.content.artefacts import SourcePage
from app.content.evidence.foreign_text import marked_foreign
from app.content.evidence.sections import PageSection, is_link_list, sections_of
from app.content.retrieval.bm25 import Bm25Index
from app.content.retrieval.page_stems import PageStems, page_stems
from app.content.retrieval.topic_words import turned_words, words_with_particles
from app.language.compounds import compounds_of
from app.language.stems import content_stems, light_stems, search_words, stem, topic_stems, written_by_stem
from app.language.synonyms import synonym_stems
from app.language.words import extent
from app.pages.extraction.blocks import Block

P = ParamSpec("P")
T = TypeVar("T")

_PROSE: Final = frozenset({"p", "li", "quote"})
_STRONG_WORDS: Final = 8
_LEAST_WEIGHT: Final = 0.5
"""Of the weight of a topic's rarest word: one of two words does not make the topic."""


@dataclass(frozen=True)
class TopicTerms:
    """A topic's stems with their weights: a rare word weighs more than one that every page has.

    ``variants`` are stems that say some of them in another way: "hitrate" says "hit" and "rate", "hen"
    says "chicken".
    """

    weights: Mapping[str, float]
    variants: Mapping[str, frozenset[str]]

    @property
    def stems(self) -> frozenset[str]:
        """All stems of the topic."""
        return frozenset(self.weights)

    def forms(self, stem: str) -> tuple[str, ...]:
        """Return the stems that say one of the topic's, itself first."""
        return stem, *(other for other, of in self.variants.items() if stem in of)

    def matched(self, stems: Iterable[str]) -> frozenset[str]:
        """Return which of the topic's stems a text with these stems has."""
        own = set(stems)
        said = [self.variants[each] for each in own & self.variants.keys()]
        return frozenset(own.union(*said) & self.weights.keys())

    def share(self, stems: Iterable[str]) -> float:
        """Return how much of the topic a text with these stems has, 0 to 1."""
        matched = self.matched(stems)
        return sum(self.weights[each] for each in sorted(matched)) / sum(self.weights.values())


@dataclass(frozen=True)
class Passage:
    """A block of prose; ``heading_stems`` are those of its page's name and of the headings above it."""

    section: PageSection
    block: Block
    stems: tuple[str, ...]
    heading_stems: tuple[str, ...]


def passages_of(sections: Iterable[PageSection], language: str) -> tuple[Passage, ...]:
    """Return the passages of the sections in reading order, menus left out."""
    found: list[Passage] = []
    for section in sections:
        headings = _heading_stems(section, language)
        prose = [block for block in section.blocks if block.kind in _PROSE]
        if is_link_list(prose):
            continue
        found += [Passage(section, b, tuple(content_stems(b.text, language)), headings) for b in prose]
    return tuple(found)


def _heading_stems(section: PageSection, language: str) -> tuple[str, ...]:
    above = dict.fromkeys((section.page_name, *section.path))
    return tuple(content_stems(" ".join(above), language))


@dataclass(frozen=True)
class Library:
    """The pages of a snapshot made ready for searching; ``own_stems`` are those of the project's name.

    ``chosen`` are the pages of which the caller says that they are about the topic. ``searched`` keeps what
    was found in it, by what was asked.
    """

    sections: tuple[PageSection, ...]
    index: Bm25Index[Passage]
    language: str
    own_stems: frozenset[str] = frozenset()
    chosen: frozenset[int] = frozenset()
    searched: dict[Hashable, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @cached_property
    def by_block(self) -> dict[str, PageSection]:
        """The section of each block, by the id of the block as evidence."""
        return {section.id_of(block): section for section in self.sections for block in section.blocks}

    @cached_property
    def page_stems(self) -> tuple[PageStems, ...]:
        """What each page says, by its sections."""
        return page_stems(self.sections, self.language, self.own_stems)

    def topic_terms(self, topic: str) -> TopicTerms:
        """Return the weighted stems of a topic; the project's name counts only where it has no other word."""
        compounds = self._compounds(topic)
        stems = topic_stems(topic, self.language)
        # "Back up" is no "back": where the site has the one word, only that is meant.
        particles = {compound: of for compound, of in compounds.items() if len(of) == 1}
        stems = (stems - frozenset().union(*particles.values())) | particles.keys()
        compounds = {compound: of for compound, of in compounds.items() if compound not in particles}
        if stems <= self.own_stems:
            stems = frozenset(content_stems(topic, self.language)) or stems
        stems = (stems - self.own_stems) or stems
        compounds = {compound: of for compound, of in compounds.items() if of <= stems}
        others = self._variants(topic, stems, compounds)
        forms = TopicTerms(dict.fromkeys(stems, 1.0), others).forms
        rarities = {each: self.index.rarity(forms(each)) for each in sorted(stems)}
        light = light_stems(topic, self.language) & stems
        least = _LEAST_WEIGHT * max((rarities[each] for each in stems - light or stems), default=0.0)
        weights = {each: least if each in light else max(least, rarities[each]) for each in sorted(stems)}
        return TopicTerms(weights, others)

    def rarest(self, terms: TopicTerms) -> str:
        """Return the rarest stem of a topic that the pages say, "" when they say none."""
        known = [each for each in terms.weights if self.index.containing(terms.forms(each))]
        return max(known, key=lambda each: terms.weights[each], default="")

    def _variants(
        self, topic: str, stems: frozenset[str], compounds: Mapping[str, frozenset[str]]
    ) -> dict[str, frozenset[str]]:
        """Return the stems of the site that say some of a topic's in another way, and which ones."""
        found: dict[str, set[str]] = defaultdict(set)
        for compound, of in compounds.items():
            found[compound] |= of & stems
        for each, word in words_with_particles(topic, self.language).items():
            for other in synonym_stems(stem(word, self.language), self.language):
                found[other] |= {each} & stems
        written = written_by_stem(topic, self.language)
        for each in stems:
            kinds = compounds_of(written.get(each, each), self.index.terms, self.language).kinds
            said_by = synonym_stems(each, self.language) | kinds
            for other in said_by - {each}:
                found[other].add(each)
        return {other: frozenset(of) for other, of in found.items()}

    def strong_passages(self, topic: str) -> list[Passage]:
        """Return the passages of 8 words or more with all of a topic's stems, in reading order.

        A topic of signs alone, as "%", has no stem: no passage is about it.
        """
        terms = self.topic_terms(topic)
        matching = [self.index.containing(terms.forms(each)) for each in sorted(terms.stems)]
        if not matching:
            return []
        found = (self.index.entries[position] for position in sorted(frozenset.intersection(*matching)))
        return [passage for passage in found if extent(passage.block.text) >= _STRONG_WORDS]

    def _compounds(self, topic: str) -> dict[str, frozenset[str]]:
        """Return the site's words that join two of the topic's, and which of the two are no small words."""
        turned = turned_words(topic, self.language)
        found = {stem(word, self.language): frozenset({each}) for each, word in turned.items()}
        for first, second in pairwise(search_words(topic, self.language)):
            meaningful = frozenset(content_stems(f"{first} {second}", self.language))
            compound = stem(first + second, self.language)
            meant = synonym_stems(compound, self.language) if len(meaningful) > 1 else {compound}
            found |= {each: meaningful for each in meant if meaningful and self.index.containing([each])}
        return found


def library_of(pages: Sequence[SourcePage], language: str, project: str = "") -> Library:
    """Cut pages into sections and index their passages, without what is in another language than its page."""
    sections = sections_of(marked_foreign(pages, language))
    own = frozenset(content_stems(project, language))
    return Library(sections, Bm25Index(passages_of(sections, language)), language, own)


def remembered(find: Callable[Concatenate[Library, P], T]) -> Callable[Concatenate[Library, P], T]:
    """Return the function so that it finds the same only once in a library; its arguments are hashable.

    The stages of a post ask for the same again.
    """

    @wraps(find)
    def found(library: Library, /, *args: P.args, **kwargs: P.kwargs) -> T:
        asked = (find.__name__, args, tuple(sorted(kwargs.items())))
        if asked not in library.searched:
            library.searched[asked] = find(library, *args, **kwargs)
        kept: T = library.searched[asked]
        return kept

    return found
