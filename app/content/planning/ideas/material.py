"""Collects what title ideas are found in: up to 200 pages with their text, and what all pages are called.

Of thousands of pages these are the ones that say most about the keywords, ask most questions, and say most
about their own names.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import Final

from app.content.artefacts import SourceSnapshot
from app.content.evidence.sections import clean_heading, is_generic, is_question
from app.content.evidence.snapshot import snapshot_of_pages
from app.content.retrieval.duplicates import NamedPage
from app.content.retrieval.page_choice import READ_FIRST, PageWords, SourceQuery, named_page, searched_pages
from app.content.retrieval.page_search import PageSearch
from app.infra.db import release
from app.infra.settings import current_settings
from app.language.stems import topic_stems
from app.pages.crawling.reading import read_due_pages
from app.pages.vocabulary import name_of, weight_of_name

TAKEN: Final = 200
"""Pages whose text is looked through."""
FOR_KEYWORDS: Final = 140
FOR_QUESTIONS: Final = 30
PAGES_A_KEYWORD: Final = 3

Ranked = list[tuple[int, int]]
"""(minus what a page is worth, its id): the smallest first."""


def collect_idea_sources(
    project_id: int, keywords: Sequence[str], language: str, should_stop: Callable[[], bool]
) -> tuple[SourceSnapshot, tuple[NamedPage, ...]]:
    """Return the snapshot in which ideas are looked for, with at most 200 pages, and all names; commits.

    Where few pages were read yet, due ones are read first, as for a post.
    """
    chosen, named = _choose(project_id, keywords, language)
    if len(chosen) < READ_FIRST:
        release()
        if read_due_pages(current_settings(), project_id, READ_FIRST, should_stop).read:
            chosen, named = _choose(project_id, keywords, language)
    return snapshot_of_pages(project_id, language, chosen), tuple(named)


def _choose(project_id: int, keywords: Sequence[str], language: str) -> tuple[list[int], list[NamedPage]]:
    named: list[NamedPage] = []

    def naming() -> Iterator[PageWords]:
        for page in searched_pages(project_id, SourceQuery("", language)):
            named.append(named_page(page))
            yield page

    return choose_idea_pages(naming(), keywords, language), named


def choose_idea_pages(pages: Iterator[PageWords], keywords: Sequence[str], language: str) -> list[int]:
    """Return at most 200 of the pages, by id; all of them when they are no more (pure).

    Each keyword has its best page before any has its second.
    """
    asked = [topic_stems(keyword, language) for keyword in keywords]
    search = PageSearch({stem: 1.0 for stems in asked for stem in sorted(stems)}, language)
    asking: Ranked = []
    named: Ranked = []
    known: list[int] = []
    for page in pages:
        search.add(page.id, page.length, page.words)
        known.append(page.id)
        asking.append((-_questions(page, language), page.id))
        named.append((-_weight_of_name(page, language), page.id))
    if len(known) <= TAKEN:
        return sorted(known)
    on_keywords = islice(_best_of_each(search, asked), FOR_KEYWORDS)
    chosen = dict.fromkeys([*on_keywords, *_worthwhile(asking)[:FOR_QUESTIONS]])
    chosen |= dict.fromkeys(_worthwhile(named))
    return sorted(islice(chosen, TAKEN))


def _best_of_each(search: PageSearch, keywords: Sequence[frozenset[str]]) -> Iterator[int]:
    """Yield the pages with all words of a keyword: the best of each, then the second of each, …"""
    holders: list[Ranked] = [[] for _ in keywords]
    for page_id, said in search.said():
        for stems, found in zip(keywords, holders, strict=True):
            if stems and stems <= said.keys():
                found.append((-min(said[stem] for stem in stems), page_id))
    best = [_worthwhile(found)[:PAGES_A_KEYWORD] for found in holders]
    rounds = chain.from_iterable(zip_longest(*best))
    return iter(dict.fromkeys(page_id for page_id in rounds if page_id is not None))


def _worthwhile(ranked: Ranked) -> list[int]:
    return [page_id for worth, page_id in sorted(ranked) if worth < 0]


def _questions(page: PageWords, language: str) -> int:
    return sum(is_question(line.strip(), language) for line in page.headings.split("\n"))


def _weight_of_name(page: PageWords, language: str) -> int:
    name = clean_heading(name_of(page.title, page.headings))
    return 0 if is_generic(name, language) else weight_of_name(page.words, name)
