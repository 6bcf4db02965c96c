"""The words of a topic: how a text may say each of them, and how much each weighs. Pure.

A word weighs as much as it is rare on the site (the idf of Robertson and Sparck Jones); question and filler
words of the language weigh nothing, light words as little as one that every page has.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from app.content.retrieval.bm25 import rarity, saturation
from app.language.compounds import Compounds, compounds_of, joins_nouns
from app.language.languages import language_data
from app.language.sentences import sentences
from app.language.stems import (
    is_small,
    light_stems,
    root,
    root_of_stem,
    search_words,
    stem,
    topic_stems,
    written_by_stem,
)
from app.language.synonyms import synonyms, written_apart
from app.language.words import meeting_pairs, words

_LEAST_WEIGHT: Final = 0.35
"""Of the weight of a topic's rarest word: what the whole site is about says little of one page."""
_EVERYWHERE: Final = 0.3
"""The weight of a word on three pages of four. If no other is left, light ones that pages say count fully,"""
_MANY_PAGES: Final = 8
"""unless a site has so few pages that each of them has its word."""
_PART_SAID: Final = 0.6
_ACRONYM: Final = range(3, 6)
_BETWEEN_PARTS: Final = re.compile(r"(?:\s[–—-]|[:;,])\s+|\s(?:vs\.?|versus)\s+|[。：；？！、，؟،।]")


@dataclass(frozen=True)
class TopicWords:
    """The words of a topic that carry its meaning, by their stems.

    ``ways`` are the roots that say each, ``compounds`` how a site says it in compounds. ``heavy`` are those
    that are not light. ``is_of_own`` says that the project's name was left out.
    """

    ways: Mapping[str, frozenset[str]]
    compounds: Mapping[str, Compounds]
    weights: Mapping[str, float]
    heavy: tuple[str, ...]
    is_of_own: bool = False

    def share(self, stems: frozenset[str]) -> float:
        """Return how much of the topic a text with these roots says, 0 to 1."""
        said = (self.weights[word] * self._said(word, stems) for word in self.ways)
        return sum(said) / sum(self.weights.values())

    def share_by_counts(self, counts: Mapping[str, int], stretch: float) -> float:
        """Return how much of the topic a text says, 0 to 1, by how often it says each word (BM25).

        The text is ``stretch`` times as long as usual.
        """
        found = 0.0
        for word, weight in self.weights.items():
            count = sum(counts.get(form, 0) for form in self.ways[word] | self.compounds[word].partly)
            found += weight * saturation(count, stretch)
        return found / sum(self.weights.values())

    def says(self, word: str, stems: frozenset[str]) -> bool:
        """Return whether a text with these roots says a word of the topic, in compounds too."""
        return self._said(word, stems) == 1.0

    def mentions(self, word: str, stems: frozenset[str]) -> bool:
        """Return whether a text with these roots says a word of the topic, of a compound at least a part."""
        return self._said(word, stems) > 0

    @cached_property
    def distinctive(self) -> frozenset[str]:
        """The words that weigh more than what the whole site is about."""
        least = _LEAST_WEIGHT * max(self.weights.values(), default=0.0)
        return frozenset(word for word, weight in self.weights.items() if weight > least)

    def says_one(self, stems: frozenset[str]) -> bool:
        """Return whether it says one of the heavy words as a whole: no part of a compound does."""
        return any(self.says(word, stems) for word in self.heavy)

    def _said(self, word: str, stems: frozenset[str]) -> float:
        """Return how much of a word is said: all of it, a part of a compound, or nothing."""
        return _said(stems, self.ways[word], self.compounds[word])


def parts_of(topic: str) -> tuple[str, ...]:
    """Return the parts of a title such as "Print your key: paper backups"; () if it has only one."""
    parts = (part for each in sentences(topic) for part in _BETWEEN_PARTS.split(each))
    found = tuple(filter(None, (part.strip().rstrip(".") for part in parts)))
    return found if len(found) > 1 else ()


def topic_words(
    topic: str,
    said: Sequence[frozenset[str]],
    language: str,
    own: Collection[str] = (),
    common: Set[str] = frozenset(),
) -> TopicWords:
    """Return the words of a topic, weighed by the roots that each page of a site says.

    ``own`` are the stems of the project's name: they count for nothing where the topic has another word.
    ``common`` are the roots of what the whole site is about. They are light then, however few pages say them:
    in a shop for cargo bikes, every page is about these.
    """
    sayable = ways_to_say(topic, language)
    others = {word: forms for word, forms in sayable.items() if word not in own}
    is_of_own = 0 < len(others) < len(sayable)
    sayable = others or sayable
    written = written_by_stem(topic, language)
    vocabulary = frozenset[str]().union(*said) if joins_nouns(language) else frozenset[str]()
    compounds = {word: compounds_of(written.get(word, word), vocabulary, language) for word in sayable}
    ways = {word: forms | compounds[word].kinds for word, forms in sayable.items()}
    on = {
        word: sum(_said(stems, forms, compounds[word]) == 1.0 for stems in said)
        for word, forms in ways.items()
    }
    seams = _seams(topic, on)
    ways = {word: forms for word, forms in ways.items() if word not in seams}
    rarities = {word: _rarity(on[word], len(said)) for word in ways}
    light = light_stems(topic, language)
    heavy = tuple(word for word in ways if word not in light) or tuple(ways)
    of_site = {word for word in heavy if not ways[word].isdisjoint(common)}
    setting_apart = [word for word in heavy if word not in of_site] or heavy
    light |= of_site if len(setting_apart) < len(heavy) else set()
    most = max((rarities[word] for word in setting_apart), default=0.0)
    if most < _EVERYWHERE and len(said) >= _MANY_PAGES:
        light = frozenset(word for word in light if not on.get(word))
    least = _LEAST_WEIGHT * most
    weights = {word: least if word in light else max(least, rarity) for word, rarity in rarities.items()}
    return TopicWords(ways, compounds, weights, heavy, is_of_own)


@lru_cache(maxsize=256)
def ways_to_say(topic: str, language: str) -> Mapping[str, frozenset[str]]:
    """Return the meaningful stems of a topic, each with the roots that say it.

    That is its own, those of words that mean the same, and the compound of it and a neighbour with those that
    mean the same as that: a "voucher" is a "gift card".
    """
    said = search_words(topic, language)
    joined = {first + second: (first, second) for first, second in pairwise(said)}
    forms: dict[str, set[str]] = defaultdict(set)
    for compound, pair in joined.items():
        for word in pair:
            forms[stem(word, language)] |= synonyms(root(compound, language), language)
    for name, run in acronyms(said, language).items():
        for word in run:
            forms[stem(word, language)].add(root(name, language))
    one = turned_words(topic, language) | words_with_particles(topic, language)
    turned = {each: synonyms(root(word, language), language) for each, word in one.items()}
    own = {each: root_of_stem(each, language) for each in sorted(topic_stems(topic, language))}
    # Of two words that mean the same, each is said by itself: a "training" is no "training course".
    return {
        each: (turned.get(each, synonyms(word, language)) | forms[each]) - (set(own.values()) - {word})
        for each, word in own.items()
    }


def turned_words(topic: str, language: str) -> dict[str, str]:
    """Return the stems behind a negation where both make one word: "no show" is a "noshow" and no show."""
    negations = language_data(language).words.negations
    pairs = pairwise(search_words(topic, language))
    joined = {stem(second, language): first + second for first, second in pairs if first.lower() in negations}
    return _with_synonyms(joined, language)


def words_with_particles(topic: str, language: str) -> dict[str, str]:
    """Return the stems before a particle where both make one word: "time off" is "timeoff", and no time."""
    particles = language_data(language).words.particles
    pairs = pairwise(search_words(topic, language))
    joined = {stem(first, language): first + second for first, second in pairs if second.lower() in particles}
    return _with_synonyms(joined, language)


def _with_synonyms(joined: Mapping[str, str], language: str) -> dict[str, str]:
    return {each: word for each, word in joined.items() if len(synonyms(root(word, language), language)) > 1}


def acronyms(said: Sequence[str], language: str) -> dict[str, tuple[str, ...]]:
    """Return the first letters of runs of three to five words: "nts" for "network time security".

    Small and light words are no part of a name: "fitting and position" is no "fap".
    """
    table = language_data(language).words
    small = table.stopwords | table.light_words
    runs = (
        tuple(said[start : start + length]) for length in _ACRONYM for start in range(len(said) - length + 1)
    )
    named = (run for run in runs if not any(word.lower() in small for word in run))
    return {"".join(word[0] for word in run).lower(): run for run in named}


def mentions_any(topic: str, text: str, language: str) -> bool:
    """Return whether a text says one of a topic's meaningful words, of a compound at least a part."""
    said = frozenset(roots(text, language))
    written = written_by_stem(topic, language)
    return any(
        _said(said, forms, compounds_of(written.get(word, word), said, language)) > 0
        for word, forms in ways_to_say(topic, language).items()
    )


def mentions_most(topic: str, text: str, rarest: str, language: str) -> bool:
    """Return whether a text says more than half of a topic's meaningful stems, the ``rarest`` among them."""
    ways = ways_to_say(topic, language)
    said = frozenset(roots(text, language))
    if not _says(said, ways.get(rarest, frozenset({rarest}))):
        return False
    return 2 * sum(_says(said, forms) for forms in ways.values()) > len(ways)


def _said(stems: frozenset[str], forms: frozenset[str], compounds: Compounds) -> float:
    """Return how much of a word is said: all of it, a part of a compound, or nothing."""
    if _says(stems, forms) or any(stems.issuperset(pair) for pair in compounds.wholes):
        return 1.0
    return _PART_SAID if _says(stems, compounds.partly) else 0.0


def _seams(topic: str, on: Mapping[str, int]) -> frozenset[str]:
    """Return the pairs of characters that no page has where two words of pages meet: "日仕" of "当日仕上".

    Japanese has no blanks that say where a word ends, so each two neighbours are searched for.
    """
    return frozenset(
        pair
        for pair, beside in meeting_pairs(topic)
        if on.get(pair) == 0 and all(on.get(each) for each in beside)
    )


def _says(stems: frozenset[str], forms: frozenset[str]) -> bool:
    return not stems.isdisjoint(forms)


def _rarity(on: int, pages: int) -> float:
    # A word that no page says may be another form of one that a page does say: it weighs no more than rare.
    return rarity(max(1, on), pages)


def roots(text: str, language: str) -> list[str]:
    """Return the roots of the words of a text; what a hyphen joins counts in parts and as one word.

    So do two words that have a meaning together: "time off".
    """
    stopwords = language_data(language).words.stopwords
    written = words(text)
    joined = [word.replace("-", "") for word in written if "-" in word]
    said = [*search_words(text, language), *joined, *written_apart(written, language)]
    return [root(word, language) for word in said if not is_small(word, stopwords)]
