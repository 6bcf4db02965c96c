"""How well a project's pages cover a topic: covered, perhaps, or absent. Pure.

A page decides, not a passage: the share of the topic's weight that the best single page says. A word weighs
as much as it is rare on the site (the idf of Robertson and Sparck Jones); question and filler words of the
language weigh nothing. On two marketing sites the best page said 0.54 or more of 21 of 22 covered topics, and
0.47 or less of 18 of 20 absent ones. What lies between is left to whoever writes: a model may answer that
the pages do not cover it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final
from urllib.parse import urlsplit

from app.content.artefacts import Artefact, Coverage
from app.content.evidence.sections import PageSection
from app.content.language.text import sentences
from app.content.retrieval.topic_words import TopicWords, roots, topic_words

COVERED: Final = 0.54
ABSENT: Final = 0.3
_NEAR: Final = 0.8
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
    titled = roots(f"{name} {page.title or ''}", language)
    headings = [roots(" ".join(section.path), language) for section in sections]
    blocks = [block.text for section in sections for block in section.blocks]
    counts = Counter(each for text in blocks for each in roots(text, language))
    own_headings = (roots(section.heading, language) for section in sections)
    described = roots(page.description or "", language)
    counts.update(each for stems in (*own_headings, titled, described) for each in stems)
    first = sentences(next((b.text for s in sections for b in s.blocks if b.kind == "p"), ""))
    beginning = {*titled, *described, *roots(" ".join(first[:_OPENING_SENTENCES]), language)}
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
    subject = topic_words(topic, [page.said for page in pages], language, own)
    if not subject.ways:
        return TopicCoverage("absent", 0.0, (), (topic,))
    shares = sorted(
        ((subject.share(page.said), subject.share(page.named), page) for page in pages), key=_best_first
    )
    most = max((said for said, _, _ in shares), default=0.0)
    near = [(said, page) for said, _, page in shares if said >= max(ABSENT, _NEAR * most)][:MOST_NEAR]
    said_by_best = near[0][1].said if near else frozenset()
    asked = frozenset(roots(topic, language))
    standings = sorted(
        (
            page.is_hub,
            not subject.says_rarest(page.said),
            -_standing(subject, page),
            -len(asked & page.title) / max(1, len(asked | page.title)),
            page.page_id,
        )
        for page in pages
    )
    return TopicCoverage(
        outcome=_outcome(
            most,
            is_named=any(
                named > 0 and subject.says_one(page.said) for said, named, page in shares if said >= COVERED
            ),
        ),
        share=round(most, 3),
        page_ids=tuple(page.page_id for _, page in near),
        missing=tuple(word for word in subject.ways if not subject.says(word, said_by_best)),
        about=tuple(page_id for _, _, minus, _, page_id in standings if -minus >= ABOUT)[:MOST_NEAR],
    )


def _standing(subject: TopicWords, page: PageStems) -> float:
    """Return how much a page is about a topic, 0 to 1: how prominently and how often it says it."""
    if subject.share(page.said) < (1.0 if page.is_hub else COVERED) or not subject.says_most(page.said):
        return 0.0
    often = subject.share_said_often(page.counts, _OFTEN)
    is_named = subject.share(page.named) > 0
    if not is_named and subject.share(page.beginning) < _UNNAMED and often < _SAID_OFTEN:
        return 0.0
    prominent = max(subject.share(stems) for stems in (page.beginning, *page.sections))
    return (prominent + often) / 2


def _outcome(share: float, *, is_named: bool) -> Coverage:
    if share >= COVERED and is_named:
        return "covered"
    return "perhaps" if share > ABSENT else "absent"


def _best_first(page: tuple[float, float, PageStems]) -> tuple[float, int]:
    """Order pages by what they say, those that are named after the topic first."""
    return -(page[0] + page[1]), page[2].page_id
