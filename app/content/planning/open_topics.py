"""Topics for a post when the caller gives none: what several pages cover and none is about. Pure.

A question that two pages or more answer, a comparison of two things with pages of their own, two pages that
belong together, else a heading that two pages are about. Never the name of a page: a post of that name would
compete with it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.evidence.sections import (
    clean_heading,
    is_dated,
    is_generic,
    is_question,
    names_the_site,
    page_name,
    page_names,
)
from app.content.retrieval.coverage import coverage_of
from app.content.retrieval.duplicates import names_like, posts_on
from app.content.retrieval.page_stems import PageStems
from app.content.retrieval.passages import Library
from app.language.languages import language_data
from app.language.stems import content_stems, topic_stems
from app.language.words import extent

_ANSWERING: Final = 2
_LEAST_STEMS: Final = 2
_LONGEST_NAME: Final = 6
_LEAST_LIKE: Final = 1 / 3
_HEADINGS_TRIED: Final = 60
_PAIRED: Final = 60
_JOINED: Final = 75


def open_topic(snapshot: SourceSnapshot, library: Library) -> str | None:
    """Return the first topic that no post and no page is about alone; of a single page, its name."""
    names = [name for page in snapshot.pages for name in page_names(page)]
    stems = library.page_stems
    unused = (
        topic
        for topic in _candidates(snapshot, library, stems)
        if not names_like(topic, names, library.language)
        and not posts_on(topic, topic, snapshot.existing_posts, library.language)
    )
    return next(unused, None) or _only_name(snapshot, library)


def _candidates(snapshot: SourceSnapshot, library: Library, pages: Sequence[PageStems]) -> Iterator[str]:
    """Yield topics that pages support, each kind only when the kinds before it gave none that is free."""
    yield from _headings(library, pages, asking=True)
    yield from _comparisons(snapshot.pages, library)
    yield from _pairs(snapshot, library)
    yield from _headings(library, pages, asking=False)


def _headings(library: Library, pages: Sequence[PageStems], *, asking: bool) -> list[str]:
    """Return the site's headings that two pages or more are about, those with most such pages first.

    ``asking`` takes the questions among them, else the others.
    """
    asked = dict.fromkeys(
        clean_heading(section.heading)
        for section in library.sections
        if is_question(section.heading, library.language) == asking
        and not is_generic(section.heading, library.language)
        and len(content_stems(section.heading, library.language)) >= _LEAST_STEMS
    )
    counted = []
    for number, question in enumerate(list(asked)[:_HEADINGS_TRIED]):
        coverage = coverage_of(question, pages, library.language)
        if coverage.level == "covered" and len(coverage.about) >= _ANSWERING:
            counted.append((-len(coverage.about), number, question))
    return [question for *_, question in sorted(counted)]


def _comparisons(pages: Sequence[SourcePage], library: Library) -> Iterator[str]:
    """Yield two short names that end in the same word: "Job budgets or Monthly budgets"."""
    table = language_data(library.language).phrases
    if table is None:
        return
    named = [(name, content_stems(name, library.language)) for name in _usable_names(pages, library)]
    for (first, own), (second, other) in combinations(named[:_PAIRED], 2):
        if len(own) > 1 and len(own) == len(other) and own[-1] == other[-1] and own[:-1] != other[:-1]:
            yield table.comparison.format(first=first, second=second)


def _pairs(snapshot: SourceSnapshot, library: Library) -> list[str]:
    """Return two names of pages that share a word, the nearest first."""
    table = language_data(library.language).phrases
    named = [(name, topic_stems(name, library.language)) for name in _usable_names(snapshot.pages, library)]
    found = []
    for number, ((first, own), (second, other)) in enumerate(combinations(named[:_PAIRED], 2)):
        shared = len(own & other) / max(1, min(len(own), len(other)))
        joined = (table.together if table else "{first} – {second}").format(first=first, second=second)
        if shared >= _LEAST_LIKE and own != other and len(joined) <= _JOINED:
            found.append((-shared, number, joined))
    return [joined for *_, joined in sorted(found)]


def _usable_names(pages: Iterable[SourcePage], library: Library) -> list[str]:
    """Return a short name of each page that is about a subject, preferred pages first."""
    ordered = sorted(pages, key=lambda page: not page.always_use)
    found = (_short_name(page, library) for page in ordered if not is_dated(page, page_name(page)))
    return [name for name in found if name]


def _short_name(page: SourcePage, library: Library) -> str:
    short = (name for name in page_names(page) if extent(name) <= _LONGEST_NAME)
    return next((n for n in short if not names_the_site(n, library.own_stems, library.language)), "")


def _only_name(snapshot: SourceSnapshot, library: Library) -> str | None:
    """Return the name of a page, one that no post is about if there is any."""
    names = _usable_names(snapshot.pages, library)
    unused = (n for n in names if not posts_on(n, n, snapshot.existing_posts, library.language))
    return next(unused, names[0] if names else None)
