"""How well a project's pages cover a topic: covered, perhaps, or absent. Pure.

A page decides, not a passage: the share of the topic's weight that the best single page says. A word weighs
as much as it is rare on the site (the idf of Robertson and Sparck Jones); question and filler words of the
language weigh nothing. On two marketing sites the best page said 0.54 or more of 21 of 22 covered topics, and
0.47 or less of 18 of 20 absent ones. What lies between is left to whoever writes: a model may answer that
the pages do not cover it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Final
from urllib.parse import urlsplit

from app.content.artefacts import Artefact, Coverage
from app.content.evidence.sections import PageSection
from app.content.language.compounds import Compounds, compounds_of
from app.content.language.lexicon import lexicon
from app.content.language.synonyms import synonym_stems, synonyms
from app.content.language.text import (
    light_stems,
    parts,
    root,
    root_of_stem,
    sentences,
    stem,
    topic_stems,
    words,
)

COVERED: Final = 0.54
ABSENT: Final = 0.3
_NEAR: Final = 0.8
_LEAST_WEIGHT: Final = 0.35
_ACRONYM: Final = range(3, 6)
_PART_SAID: Final = 0.6
MOST_NEAR: Final = 12
"""Pages that are named; there may be more."""
ABOUT: Final = 0.42
"""From which standing a page is about a topic: the mean of how prominently and how often it says it.

On two marketing sites the best page of covered topics stood at 0.46 or more, that of absent ones at 0.38 or
less, when no synonym helped.
"""
_UNNAMED: Final = 0.8
"""What a page has to say of a topic at once when no heading names a word of it."""
_SAID_OFTEN: Final = 0.7
"""How often such a page has to say it otherwise: 1 when it says each word three times."""

_OFTEN: Final = 3
_OPENING_SENTENCES: Final = 2
_TEASERS: Final = 2
_HOME: Final = re.compile(r"^/?(?:(?:index|home)(?:\.\w+)?/?)?$")


@dataclass(frozen=True)
class TopicCoverage(Artefact):
    """What the pages say on a topic.

    ``share`` is that of the best page, 0 to 1, ``page_ids`` are pages nearly as good, the best first, and
    ``missing`` the topic's words that the best page does not say. ``about`` are the pages that are about the
    topic, the best first: a page that mentions it in passing is not.
    """

    outcome: Coverage
    share: float
    page_ids: tuple[int, ...]
    missing: tuple[str, ...]
    about: tuple[int, ...] = ()


@dataclass(frozen=True)
class PageStems:
    """The roots that a page says anywhere, with how often, and those of its name and headings.

    ``beginning`` are those of its name, description and first sentences, ``sections`` those of each section's
    headings, the page's name among them. ``title`` are the roots of its name and title. A hub
    leads to other pages of the site: the home page, a list of articles.
    """

    page_id: int
    said: frozenset[str]
    named: frozenset[str]
    counts: Mapping[str, int] = field(default_factory=dict)
    beginning: frozenset[str] = frozenset()
    sections: tuple[frozenset[str], ...] = ()
    title: frozenset[str] = frozenset()
    is_hub: bool = False


def page_stems(sections: Iterable[PageSection], language: str) -> tuple[PageStems, ...]:
    """Return what each page says, by its sections."""
    grouped = [list(own) for _, own in groupby(sections, key=lambda section: section.page.page_id)]
    names = {own[0].page_name.lower() for own in grouped}
    return tuple(_of_page(own, names, language) for own in grouped)


def _of_page(sections: Sequence[PageSection], names: Collection[str], language: str) -> PageStems:
    page, name = sections[0].page, sections[0].page_name
    titled = _roots(f"{name} {page.title or ''}", language)
    headings = [_roots(" ".join(section.path), language) for section in sections]
    blocks = [block.text for section in sections for block in section.blocks]
    counts = Counter(each for text in blocks for each in _roots(text, language))
    own_headings = (_roots(section.heading, language) for section in sections)
    described = _roots(page.description or "", language)
    counts.update(each for stems in (*own_headings, titled, described) for each in stems)
    first = sentences(next((b.text for s in sections for b in s.blocks if b.kind == "p"), ""))
    beginning = {*titled, *described, *_roots(" ".join(first[:_OPENING_SENTENCES]), language)}
    return PageStems(
        page_id=page.page_id,
        said=frozenset(counts),
        named=frozenset(titled).union(*headings),
        counts=counts,
        beginning=frozenset(beginning),
        sections=tuple(frozenset(titled).union(each) for each in headings),
        title=frozenset(titled),
        is_hub=is_home(page.url) or sum(is_teaser(each, names) for each in sections) >= _TEASERS,
    )


def is_home(url: str) -> bool:
    """Tell whether an address is that of a site's first page."""
    return _HOME.search(urlsplit(url).path) is not None


def is_teaser(section: PageSection, names: Collection[str]) -> bool:
    """Tell whether a section leads to another page, whose name it has; ``names`` are in lower case."""
    heading = section.heading.lower()
    return heading != section.page_name.lower() and heading in names


def coverage_of(
    topic: str, pages: Sequence[PageStems], language: str, own: Collection[str] = ()
) -> TopicCoverage:
    """Return how well pages cover a topic; a topic of signs alone is absent.

    ``own`` are the stems of the project's name: they carry nothing where another word does.
    """
    said_by = ways_to_say(topic, language)
    ways = {word: forms for word, forms in said_by.items() if word not in own} or said_by
    if not ways:
        return TopicCoverage("absent", 0.0, (), (topic,))
    compounds = _compounds(ways, pages, language)
    ways = {word: forms | compounds[word].kinds for word, forms in ways.items()}
    rarities = {
        word: _rarity(sum(_says(page.said, forms) for page in pages), len(pages))
        for word, forms in ways.items()
    }
    light = light_stems(topic, language)
    # What the whole site is about says little of one page, and still a topic is not about its other words.
    heavy = [word for word in ways if word not in light] or list(ways)
    least = _LEAST_WEIGHT * max(rarities[word] for word in heavy)
    weights = {word: least if word in light else max(least, rarity) for word, rarity in rarities.items()}
    whole = sum(weights.values())

    def share(stems: frozenset[str]) -> float:
        return sum(weights[word] * _said(stems, ways[word], compounds[word]) for word in ways) / whole

    def standing(page: PageStems) -> float:
        if share(page.said) < (1.0 if page.is_hub else COVERED):
            return 0.0
        if 2 * sum(_said(page.said, ways[word], compounds[word]) for word in heavy) <= len(heavy):
            return 0.0  # of a topic of two words neither stands for it alone
        counted = {
            word: sum(page.counts.get(form, 0) for form in ways[word] | compounds[word].partly)
            for word in weights
        }
        often = sum(weights[word] * min(1.0, count / _OFTEN) for word, count in counted.items()) / whole
        is_named = any(_said(page.named, ways[word], compounds[word]) for word in ways)
        if not is_named and share(page.beginning) < _UNNAMED and often < _SAID_OFTEN:
            return 0.0
        prominent = max(share(stems) for stems in (page.beginning, *page.sections))
        return (prominent + often) / 2

    shares = sorted(((share(page.said), share(page.named), page) for page in pages), key=_best_first)
    most = max((said for said, _, _ in shares), default=0.0)
    near = [(said, page) for said, _, page in shares if said >= max(ABSENT, _NEAR * most)][:MOST_NEAR]
    said_by_best = near[0][1].said if near else frozenset()
    asked = frozenset(_roots(topic, language))
    standings = sorted(
        (
            page.is_hub,
            -standing(page),
            -len(asked & page.title) / max(1, len(asked | page.title)),
            page.page_id,
        )
        for page in pages
    )
    return TopicCoverage(
        outcome=_outcome(most, is_named=any(named > 0 for said, named, _ in shares if said >= COVERED)),
        share=round(most, 3),
        page_ids=tuple(page.page_id for _, page in near),
        missing=tuple(word for word, forms in ways.items() if not _says(said_by_best, forms)),
        about=tuple(page_id for _, minus, _, page_id in standings if -minus >= ABOUT)[:MOST_NEAR],
    )


def _compounds(
    ways: Mapping[str, frozenset[str]], pages: Sequence[PageStems], language: str
) -> dict[str, Compounds]:
    """Return for each word of a topic how the pages say it in compounds."""
    vocabulary = frozenset[str]().union(*(page.said for page in pages))
    return {word: compounds_of(root_of_stem(word, language), vocabulary, language) for word in ways}


def _said(stems: frozenset[str], forms: frozenset[str], compounds: Compounds) -> float:
    """Return how much of a word is said: all of it, a part of a compound, or nothing."""
    if _says(stems, forms) or any(stems.issuperset(pair) for pair in compounds.wholes):
        return 1.0
    return _PART_SAID if _says(stems, compounds.partly) else 0.0


def searched_stems(topic: str, language: str) -> frozenset[str]:
    """Return the stems by which a page can say anything of a topic."""
    joined = (stem(first + second, language) for first, second in pairwise(parts(topic, language)))
    carrying = topic_stems(topic, language)
    meant = (synonym_stems(word, language) for word in carrying)
    return carrying.union(joined, *meant, *ways_to_say(topic, language).values())


def _outcome(share: float, *, is_named: bool) -> Coverage:
    if share >= COVERED and is_named:
        return "covered"
    return "perhaps" if share > ABSENT else "absent"


def _best_first(page: tuple[float, float, PageStems]) -> tuple[float, int]:
    """Order pages by what they say, those that are named after the topic first."""
    return -(page[0] + page[1]), page[2].page_id


@lru_cache(maxsize=256)
def ways_to_say(topic: str, language: str) -> Mapping[str, frozenset[str]]:
    """Return the carrying stems of a topic, each with the roots that say it.

    That is its own, those of words that mean the same, and the compound of it and a neighbour.
    """
    carrying = topic_stems(topic, language)
    said = parts(topic, language)
    joined: dict[str, tuple[str, ...]] = {
        stem(first + second, language): (stem(first, language), stem(second, language))
        for first, second in pairwise(said)
    }
    joined |= {
        stem(name, language): tuple(stem(word, language) for word in run)
        for name, run in acronyms(said).items()
    }
    return {
        each: synonyms(root_of_stem(each, language), language)
        | {root_of_stem(compound, language) for compound, of in joined.items() if each in of}
        for each in sorted(carrying)
    }


def acronyms(said: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the first letters of runs of three to five words: "nts" for "network time security"."""
    runs = (
        tuple(said[start : start + length]) for length in _ACRONYM for start in range(len(said) - length + 1)
    )
    return {"".join(word[0] for word in run).lower(): run for run in runs}


def says_any(topic: str, text: str, language: str) -> bool:
    """Tell whether a text says one of a topic's carrying words."""
    said = frozenset(_roots(text, language))
    return any(_says(said, forms) for forms in ways_to_say(topic, language).values())


def says_most(topic: str, text: str, rarest: str, language: str) -> bool:
    """Tell whether a text says more than half of a topic's carrying stems, the ``rarest`` among them."""
    ways = ways_to_say(topic, language)
    said = frozenset(_roots(text, language))
    if not _says(said, ways.get(rarest, frozenset({rarest}))):
        return False
    return 2 * sum(_says(said, forms) for forms in ways.values()) > len(ways)


def _says(stems: frozenset[str], forms: frozenset[str]) -> bool:
    return not stems.isdisjoint(forms)


def _rarity(on: int, pages: int) -> float:
    # A word that no page says may be another form of one that a page does say: it weighs no more than rare.
    on = max(1, on)
    return math.log(1 + (pages - on + 0.5) / (on + 0.5))


def _roots(text: str, language: str) -> list[str]:
    """Return the roots of the words of a text; what a hyphen joins counts in parts and as one word."""
    stopwords = lexicon(language).stopwords
    joined = [word.replace("-", "") for word in words(text) if "-" in word] if "-" in text else []
    said = [*parts(text, language), *joined]
    return [root(word, language) for word in said if word.lower() not in stopwords]
