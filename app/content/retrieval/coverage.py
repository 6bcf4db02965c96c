"""How well a project's pages cover a topic: covered, perhaps, or absent. Pure.

A page decides, not a passage: the share of the topic's weight that the best single page says. A word weighs
as much as it is rare on the site (the idf of Robertson and Sparck Jones); question and filler words of the
language weigh nothing. On two marketing sites the best page said 0.54 or more of 21 of 22 covered topics, and
0.47 or less of 18 of 20 absent ones. What lies between is left to whoever writes: a model may answer that
the pages do not cover it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.content.artefacts import Artefact, Coverage
from app.content.evidence.sections import PageSection
from app.content.language.lexicon import lexicon
from app.content.language.text import parts, stem, topic_stems

COVERED: Final = 0.54
ABSENT: Final = 0.35
_NEAR: Final = 0.8
MOST_NEAR: Final = 12
"""Pages that are named; there may be more."""


@dataclass(frozen=True)
class TopicCoverage(Artefact):
    """What the pages say on a topic.

    ``share`` is that of the best page, 0 to 1, ``page_ids`` are pages nearly as good, the best first, and
    ``missing`` the topic's words that the best page does not say.
    """

    outcome: Coverage
    share: float
    page_ids: tuple[int, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class PageStems:
    """The stems that a page says anywhere, and those of its name and headings."""

    page_id: int
    said: frozenset[str]
    named: frozenset[str]


def page_stems(sections: Iterable[PageSection], language: str) -> tuple[PageStems, ...]:
    """Return what each page says, by its sections."""
    said: dict[int, set[str]] = {}
    named: dict[int, set[str]] = {}
    for section in sections:
        page_id = section.page.page_id
        names = _stems(" ".join((section.page_name, section.page.title or "", *section.path)), language)
        named.setdefault(page_id, set()).update(names)
        own = said.setdefault(page_id, set())
        own.update(names)
        for block in section.blocks:
            own.update(_stems(block.text, language))
    return tuple(PageStems(page, frozenset(said[page]), frozenset(named[page])) for page in said)


def coverage_of(topic: str, pages: Sequence[PageStems], language: str) -> TopicCoverage:
    """Return how well pages cover a topic; a topic of signs alone is absent."""
    ways = _ways(topic, language)
    if not ways:
        return TopicCoverage("absent", 0.0, (), (topic,))
    weights = {
        word: _rarity(sum(_says(page.said, forms) for page in pages), len(pages))
        for word, forms in ways.items()
    }
    whole = sum(weights.values())

    def share(stems: frozenset[str]) -> float:
        return sum(weights[word] for word, forms in ways.items() if _says(stems, forms)) / whole

    shares = sorted(((share(page.said), share(page.named), page) for page in pages), key=_best_first)
    most = max((said for said, _, _ in shares), default=0.0)
    near = [(said, page) for said, _, page in shares if said >= max(ABSENT, _NEAR * most)][:MOST_NEAR]
    said_by_best = near[0][1].said if near else frozenset()
    return TopicCoverage(
        outcome=_outcome(most, is_named=any(named > 0 for said, named, _ in shares if said >= COVERED)),
        share=round(most, 3),
        page_ids=tuple(page.page_id for _, page in near),
        missing=tuple(word for word, forms in ways.items() if not _says(said_by_best, forms)),
    )


def searched_stems(topic: str, language: str) -> frozenset[str]:
    """Return the stems by which a page can say anything of a topic."""
    return frozenset().union(*_ways(topic, language).values())


def _outcome(share: float, *, is_named: bool) -> Coverage:
    if share >= COVERED and is_named:
        return "covered"
    return "perhaps" if share > ABSENT else "absent"


def _best_first(page: tuple[float, float, PageStems]) -> tuple[float, int]:
    """Order pages by what they say, those that are named after the topic first."""
    return -(page[0] + page[1]), page[2].page_id


def _ways(topic: str, language: str) -> Mapping[str, frozenset[str]]:
    """Return the carrying stems of a topic, each with the stems that say it: itself, or in one word."""
    carrying = topic_stems(topic, language)
    joined = {
        stem(first + second, language): (stem(first, language), stem(second, language))
        for first, second in pairwise(parts(topic, language))
    }
    return {
        each: frozenset({each, *(compound for compound, of in joined.items() if each in of)})
        for each in sorted(carrying)
    }


def _says(stems: frozenset[str], forms: frozenset[str]) -> bool:
    return not stems.isdisjoint(forms)


def _rarity(on: int, pages: int) -> float:
    # A word that no page says may be another form of one that a page does say: it weighs no more than rare.
    on = max(1, on)
    return math.log(1 + (pages - on + 0.5) / (on + 0.5))


def _stems(text: str, language: str) -> set[str]:
    stopwords = lexicon(language).stopwords
    return {stem(word, language) for word in parts(text, language) if word.lower() not in stopwords}
