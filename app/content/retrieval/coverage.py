"""How well a project's pages cover a topic: covered, perhaps, or absent. Pure.

The best single page decides: a page's share of a topic is the weight of the topic's words that the page has,
divided by the weight of all of them. The rarer a word is on the site, the more it weighs (the idf of
Robertson and Sparck Jones); question and filler words weigh nothing. On two marketing sites the best page had
a share of 0.54 or more for 21 of 22 covered topics, and of 0.47 or less for 18 of 20 absent ones. If coverage
is only "perhaps", the writer decides: a model may answer that the pages do not cover the topic.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import log
from statistics import mean
from typing import Final

from app.content.artefacts import Artefact, Coverage
from app.content.retrieval.page_stems import PageStems, topic_words_on
from app.content.retrieval.topic_words import TopicWords, roots
from app.language.stems import root
from app.language.synonyms import price_roots
from app.language.words import words

COVERED: Final = 0.54
ABSENT: Final = 0.3
_NEAR: Final = 0.8
_HALF: Final = 0.5
MOST_NEAR: Final = 12
"""The most pages that are returned; there may be more."""
NEAREST: Final = 5
"""How many pages a person can choose from if none is about the topic.

27 topics on six sites were answered by a page in other words than the topic's: for 25 of them, that page was
among these.
"""
_ABOUT: Final = 0.5
_LESS_A_WORD: Final = 0.03
_MOST_COUNTED: Final = 10
"""The words of a topic up to which each makes the relevance smaller from which a page is about it."""
_COMMON: Final = log(2)
"""The weight of a word on half of the pages."""
_MANY_PAGES: Final = 8
_PROMINENT: Final = 0.25
_PROMINENT_IF_COMMON: Final = 0.6
"""The share of a topic that one heading or the beginning of a page about it says.

On ten sites it was 0.66 or more for the covered topics of words that half of the pages say, and 0.53 or less
for absent ones; for other topics 0.27 or more, of one 0.23, whose post was thrown away.
"""
_TOGETHER: Final = 0.55
"""The share of a topic that the beginning or one section of a page about it says.

On 21 sites, 127 of 128 digests on covered topics in the words of the site were on such a page, and 7 of 9 on
absent ones.
"""
_LONG_PAGE: Final = 800
"""Roots from which a page is a reference. Its headings name its topics, so they count instead of its name."""
_MOST_OTHER_WORDS: Final = 1
"""How many words besides those for prices the name of a price page may have: "Plans and prices"."""


@dataclass(frozen=True)
class TopicCoverage(Artefact):
    """How well the pages cover a topic. Lists of pages begin with the best.

    ``share`` is the share of the best page, 0 to 1. ``page_ids`` are this page and those nearly as good.
    ``missing`` are the words of the topic that the best page does not have. ``about`` are the pages about the
    topic, so not those that only mention it. ``nearest`` are the pages with the largest shares, however
    small; hubs come last.
    """

    level: Coverage
    share: float
    page_ids: tuple[int, ...]
    missing: tuple[str, ...]
    about: tuple[int, ...] = ()
    nearest: tuple[int, ...] = ()


def pages_saying(
    topic: str, pages: Sequence[PageStems], language: str, own_stems: Collection[str] = ()
) -> frozenset[int]:
    """Return the ids of the pages whose share of a topic is a half or more; see ``coverage_of``."""
    subject = topic_words_on(topic, pages, language, own_stems)
    return frozenset(page.page_id for page in pages if subject.ways and subject.share(page.said) >= _HALF)


def coverage_of(
    topic: str, pages: Sequence[PageStems], language: str, own_stems: Collection[str] = ()
) -> TopicCoverage:
    """Return how well pages cover a topic; a topic without a word, such as "?!", is absent.

    ``own_stems`` are the stems of the project's name. They do not count if the topic has any other word.
    """
    subject = topic_words_on(topic, pages, language, own_stems)
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
        nearest=_nearest(shares),
    )


def _nearest(shares: Sequence[tuple[float, float, PageStems]]) -> tuple[int, ...]:
    """Return the ids of the first NEAREST pages with any share, hubs last."""
    saying = sorted((page for said, _, page in shares if said), key=lambda page: page.is_hub)
    return tuple(page.page_id for page in saying[:NEAREST])


def with_chosen(coverage: TopicCoverage, chosen: Sequence[int]) -> TopicCoverage:
    """Return the coverage, given that the caller says that the ``chosen`` pages are about the topic.

    People word a topic differently from the page about it, so the caller's choice counts more than the words.
    The pages in ``page_ids`` then count as about the topic, too.
    """
    if not chosen:
        return coverage
    near = tuple(dict.fromkeys((*coverage.page_ids, *chosen)))
    return replace(
        coverage,
        level="perhaps" if coverage.level == "absent" else coverage.level,
        page_ids=near,
        about=tuple(dict.fromkeys((*coverage.about, *near))),
    )


def _about(topic: str, subject: TopicWords, pages: Sequence[PageStems], language: str) -> list[PageStems]:
    """Return the pages about a topic, the best first.

    A hub, a page of terms or the like, and a story of one customer are about it only if their name says so.
    If the topic is the project's name and one more word, this applies to every page. The home page is about
    the project only, unless all others serve the business. Of a topic of words that half of the pages say,
    one place has to say most. Hubs and stories come last.
    """
    needs_name = subject.is_of_own and len(subject.heavy) == 1
    has_others = any(not (page.is_home or page.is_hub or page.is_service) for page in pages)
    asked = frozenset(roots(topic, language))
    least = relevance_about(len(subject.ways))
    is_common = len(pages) >= _MANY_PAGES and max(subject.weights.values()) < _COMMON
    by_id = {page.page_id: page for page in pages}
    usual = mean([page.length for page in pages] or [0]) or 1.0
    ranked = sorted(
        (
            page.is_hub,
            page.is_story,
            -_relevance(subject, page, usual),
            -len(asked & page.title) / max(1, len(asked | page.title)),
            page.page_id,
        )
        for page in pages
        if not (page.is_home and has_others and not subject.is_of_own)
        and _may_be_about(subject, page, needs_name=needs_name)
    )
    relevant = (by_id[page_id] for *_, minus, _, page_id in ranked if -minus >= least)
    prominent = _PROMINENT_IF_COMMON if is_common else _PROMINENT
    found = (
        page
        for page in relevant
        if _said_prominently(subject, page) >= prominent
        and _said_in_one_place(subject, page, language) >= _TOGETHER
    )
    return list(islice(found, MOST_NEAR))


def _may_be_about(subject: TopicWords, page: PageStems, *, needs_name: bool) -> bool:
    """Return whether a page says what sets the topic apart in its name, at its beginning or in a heading.

    Of some pages and topics the name has to say it.
    """
    if needs_name or page.is_hub or page.is_service or page.is_story:
        return subject.share(page.title) >= COVERED
    return any(subject.mentions(word, page.beginning | page.named) for word in subject.distinctive)


def priced_pages(topic: str, pages: Sequence[PageStems], language: str) -> tuple[int, ...]:
    """Return the ids of the price pages that also have another word of a topic, the best first.

    A price page has price cards, or a word such as "prices" and little else in its name. If its name has a
    word of the topic, any word for prices in the name is enough, and so is a table of prices. Words in the
    name of a hub count as words of every page: what the whole site is about, such as a company's only
    product, is rarely repeated beside a price.
    """
    price = price_roots(language)
    asked = topic_words_on(topic, pages, language)
    subject = {root(word, language) for word in words(topic)} - price
    of_site = frozenset[str]().union(*(page.title for page in pages if page.is_hub))
    on_titles = Counter(each for page in pages for each in page.title)
    ignored = price | {each for each, count in on_titles.items() if 2 * count > len(pages)}

    def lists_prices(page: PageStems) -> bool:
        if page.has_price_cards:
            return True
        if page.title & subject:
            return page.has_price_table or bool(page.title & price)
        return bool(page.title & price) and len(page.title - ignored) <= _MOST_OTHER_WORDS

    things = [word for word in asked.heavy if asked.ways[word].isdisjoint(price)]
    priced = [
        page
        for page in pages
        if not page.is_hub
        and any(asked.mentions(word, page.said | of_site) for word in things)
        and lists_prices(page)
    ]
    ranked = sorted(
        priced, key=lambda page: (-asked.share(page.title), not page.has_price_cards, page.page_id)
    )
    return tuple(page.page_id for page in ranked)


def relevance_about(words: int) -> float:
    """Return the relevance, 0 to 1, from which a page is about a topic of this many words.

    The more words people type, the fewer of them a page has. On 24 sites of shops, associations, companies
    and documentation, 146 of 200 covered topics had such a page, and 19 of 170 absent ones on a subject
    nearby. With 0.44 for any length, it was 110 and 12; of topics as long as a sentence, 8 of 48.
    """
    return _ABOUT - _LESS_A_WORD * min(words, _MOST_COUNTED)


def _relevance(subject: TopicWords, page: PageStems, usual: float) -> float:
    """Return how much a page is about a topic, 0 to 1; ``usual`` is the mean length of the site's pages.

    It is the mean of three shares: of the text (by BM25), of the page's name, and of its beginning or the
    headings of one section. The last two keep out pages that have the words scattered over a text on
    something else. A page that has only parts of the topic's compounds, or only its light words, gets 0.
    """
    if not subject.says_one(page.said):
        return 0.0
    said = subject.share_by_counts(page.counts, page.length / usual)
    prominently = _said_prominently(subject, page)
    named = prominently if page.length > _LONG_PAGE else subject.share(page.title)
    return (said + named + prominently) / 3


def _said_prominently(subject: TopicWords, page: PageStems) -> float:
    """Return the share of a page's beginning, or of the headings of one section if that is larger."""
    return max(subject.share(stems) for stems in (page.beginning, *page.sections))


def _said_in_one_place(subject: TopicWords, page: PageStems, language: str) -> float:
    """Return the share of a page's beginning or of one section; amounts say that they are prices."""
    has_amounts = page.has_price_cards or page.has_price_table
    priced = price_roots(language) if has_amounts else frozenset[str]()
    return max(subject.share(stems | priced) for stems in (page.beginning, *page.places))


def _level(share: float, *, is_named: bool) -> Coverage:
    if share >= COVERED and is_named:
        return "covered"
    return "perhaps" if share > ABSENT else "absent"


def _best_first(shares: tuple[float, float, PageStems]) -> tuple[float, int]:
    """Return the key that sorts pages by the sum of the shares of their words and of their names."""
    of_words, of_names, page = shares
    return -(of_words + of_names), page.page_id
