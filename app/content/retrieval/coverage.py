"""How well a project's pages cover a topic: covered, perhaps, or absent. Pure.

A page decides, not a passage: the share of the topic's weight that the best single page says. A word weighs
as much as it is rare on the site (the idf of Robertson and Sparck Jones); question and filler words of the
language weigh nothing. On two marketing sites the best page said 0.54 or more of 21 of 22 covered topics, and
0.47 or less of 18 of 20 absent ones. Between the two the writer decides: a model may answer that the
pages do not cover it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Final

from app.content.artefacts import Artefact, Coverage
from app.content.retrieval.page_stems import PageStems
from app.content.retrieval.topic_words import TopicWords, roots, topic_words
from app.language.languages import language_data
from app.language.stems import root, search_words, stem
from app.language.synonyms import synonyms
from app.language.words import words

COVERED: Final = 0.54
ABSENT: Final = 0.3
_NEAR: Final = 0.8
_HALF: Final = 0.5
MOST_NEAR: Final = 12
"""Pages that are named; there may be more."""
NEAREST: Final = 5
"""Pages to choose from where none is about the topic.

For 25 of 27 topics on six sites that their pages answer in words of their own, the right one was among them.
"""
ABOUT: Final = 0.44
"""From which relevance a page is about a topic.

On seven sites of shops, associations and companies 51 of 64 covered topics, as people type them, had a page
that reached it, and 2 of 60 absent ones; in two sets of documentation 9 of 16, and none of 14.
"""
_LONG_PAGE: Final = 800
"""Words with a meaning from which a page is a reference: there a section's heading names what it is about."""
_LITTLE_ELSE: Final = 1
"""Further words in the name of a page of prices: "Plans and prices"."""


@dataclass(frozen=True)
class TopicCoverage(Artefact):
    """What the pages say on a topic.

    ``share`` is that of the best page, 0 to 1, ``page_ids`` are pages nearly as good, the best first, and
    ``missing`` the topic's words that the best page does not say. ``about`` are the pages that are about the
    topic, the best first: a page that mentions it in passing is not. ``threads`` are those of them that are
    about it from their first sentences, so that a post can follow them. ``nearest`` are the pages that say
    most of it, however little that is.
    """

    level: Coverage
    share: float
    page_ids: tuple[int, ...]
    missing: tuple[str, ...]
    about: tuple[int, ...] = ()
    threads: tuple[int, ...] = ()
    nearest: tuple[int, ...] = ()


def pages_saying(
    topic: str, pages: Sequence[PageStems], language: str, own: Collection[str] = ()
) -> frozenset[int]:
    """Return the pages that say half of a topic or more."""
    subject = topic_words(topic, [page.said for page in pages], language, own)
    return frozenset(page.page_id for page in pages if subject.ways and subject.share(page.said) >= _HALF)


def coverage_of(
    topic: str, pages: Sequence[PageStems], language: str, own: Collection[str] = ()
) -> TopicCoverage:
    """Return how well pages cover a topic; a topic of signs alone is absent.

    ``own`` are the stems of the project's name: they count for nothing where the topic has another word.
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
    about = _about(topic, subject, pages, language)
    return TopicCoverage(
        level=_level(
            most,
            is_named=any(
                named > 0 and subject.says_one(page.said) for said, named, page in shares if said >= COVERED
            ),
        ),
        share=round(most, 3),
        page_ids=tuple(page.page_id for _, page in near),
        missing=tuple(word for word in subject.ways if not subject.says(word, said_by_best)),
        about=tuple(page.page_id for page in about),
        threads=tuple(page.page_id for page in about if _is_thread(subject, page)),
        nearest=_nearest(shares),
    )


def _nearest(shares: Sequence[tuple[float, float, PageStems]]) -> tuple[int, ...]:
    """Return the first pages that say anything; those that only lead to others come last."""
    saying = sorted((page for said, _, page in shares if said), key=lambda page: page.is_hub)
    return tuple(page.page_id for page in saying[:NEAREST])


def with_chosen(coverage: TopicCoverage, chosen: Sequence[int]) -> TopicCoverage:
    """Return the coverage of a topic whose caller says that the ``chosen`` pages are about it.

    Nobody words a topic as the page about it does; a person sees what they have in common.
    """
    if not chosen:
        return coverage
    near = tuple(dict.fromkeys((*coverage.page_ids, *chosen)))
    return replace(
        coverage,
        level="perhaps" if coverage.level == "absent" else coverage.level,
        page_ids=near,
        about=tuple(dict.fromkeys((*coverage.about, *near))),
        threads=tuple(dict.fromkeys((*coverage.threads, *near))),
    )


def _about(topic: str, subject: TopicWords, pages: Sequence[PageStems], language: str) -> list[PageStems]:
    """Return the pages about a topic, the best first.

    A hub, a page of terms and a story of one customer are about it only if their name says so. So is any page
    if the topic has one word beside the project's name. Hubs and stories come last.
    """
    needs_name = subject.is_of_own and len(subject.heavy) == 1
    asked = frozenset(roots(topic, language))
    by_id = {page.page_id: page for page in pages}
    usual = mean([page.length for page in pages] or [0]) or 1.0
    ranked = sorted(
        (
            page.is_hub,
            page.is_story,
            not subject.says_rarest(page.said),
            -_relevance(subject, page, usual),
            -len(asked & page.title) / max(1, len(asked | page.title)),
            page.page_id,
        )
        for page in pages
        if not (needs_name or page.is_hub or page.is_service or page.is_story)
        or subject.share(page.title) >= COVERED
    )
    return [by_id[page_id] for *_, minus, _, page_id in ranked if -minus >= ABOUT][:MOST_NEAR]


def _is_thread(subject: TopicWords, page: PageStems) -> bool:
    """Return whether a page about a topic is about little else, by its first sentences or most sections."""
    if page.asks:
        return False
    saying = sum(subject.says_one(text) for text in page.texts)
    return subject.share(page.beginning) >= COVERED or 2 * saying >= len(page.texts)


def priced_pages(topic: str, pages: Sequence[PageStems], language: str) -> tuple[int, ...]:
    """Return the pages of prices that say something else of a topic too, the best first.

    A page of prices has price cards, or is named after prices and little else; or it is named after the topic
    too, or has a table of prices. Nobody repeats beside a price what the whole site is about, such as the
    product of a company that has one.
    """
    named = language_data(language).words.price_words
    price = frozenset[str]().union(*(synonyms(root(word, language), language) for word in named))
    asked = topic_words(topic, [page.said for page in pages], language)
    subject = {root(word, language) for word in words(topic)} - price
    of_site = frozenset[str]().union(*(page.title for page in pages if page.is_hub))
    on_titles = Counter(each for page in pages for each in page.title)
    ignored = price | {each for each, count in on_titles.items() if 2 * count > len(pages)}

    def lists_prices(page: PageStems) -> bool:
        if page.has_price_cards:
            return True
        if page.title & subject:
            return page.has_price_table or bool(page.title & price)
        return bool(page.title & price) and len(page.title - ignored) <= _LITTLE_ELSE

    priced = [
        page for page in pages if not page.is_hub and subject & (page.said | of_site) and lists_prices(page)
    ]
    ranked = sorted(
        priced, key=lambda page: (-asked.share(page.title), not page.has_price_cards, page.page_id)
    )
    return tuple(page.page_id for page in ranked)


def coverage_sentence(topic: str, level: Coverage, pages: int, missing: Sequence[str]) -> str:
    """Return one sentence; ``pages`` counts those that cover the topic."""
    if level == "absent":
        return f"No page says anything about “{topic}”."
    many = f"{pages}{' or more' * (pages == MOST_NEAR)} pages"
    if level == "perhaps" and not missing:
        return f"{'1 page mentions' if pages == 1 else f'{many} mention'} this in passing."
    covering = "1 page covers" if pages == 1 else f"{many} cover"
    if level == "covered":
        return f"{covering} this."
    return f"{covering} some of this, but not {_listed(missing)}."


def missing_words(topic: str, stems: Collection[str], language: str) -> tuple[str, ...]:
    """Return the words of a topic that have one of the stems, as they are written."""
    return tuple(
        dict.fromkeys(word for word in search_words(topic, language) if stem(word, language) in stems)
    )


def _listed(texts: Sequence[str]) -> str:
    quoted = [f"“{text}”" for text in texts]
    return " or ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


def _relevance(subject: TopicWords, page: PageStems, usual: float) -> float:
    """Return how much a page is about a topic, 0 to 1; pages have ``usual`` words with a meaning.

    0 if it says no word of the topic as a whole. It is the mean of what its text says, by BM25, of what its
    name says, and of what it says prominently: words from all over a page that is named after something else
    are no topic.
    """
    if not subject.says_one(page.said):
        return 0.0
    said = subject.share_by_counts(page.counts, page.length / usual)
    prominently = _said_prominently(subject, page)
    named = prominently if page.length > _LONG_PAGE else subject.share(page.title)
    return (said + named + prominently) / 3


def _said_prominently(subject: TopicWords, page: PageStems) -> float:
    """Return how much of a topic the beginning of a page says, or the headings above one of its sections."""
    return max(subject.share(stems) for stems in (page.beginning, *page.sections))


def _level(share: float, *, is_named: bool) -> Coverage:
    if share >= COVERED and is_named:
        return "covered"
    return "perhaps" if share > ABSENT else "absent"


def _best_first(page: tuple[float, float, PageStems]) -> tuple[float, int]:
    """Order pages by what they say, those that are named after the topic first."""
    return -(page[0] + page[1]), page[2].page_id
