"""Chooses the pages that a post is made from, out of all that were read."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, select

from app.content.artefacts import ExistingPost, SourcePage, SourceSnapshot
from app.content.evidence.sections import clean_heading, names_the_site
from app.content.evidence.snapshot import existing_posts, snapshot_of_pages
from app.content.retrieval.duplicates import NamedPage, posts_on
from app.content.retrieval.page_search import PageSearch, page_query
from app.infra.db import db, reading
from app.language.stems import content_stems
from app.language.words import extent
from app.pages.equal_texts import copies_among, one_of_each
from app.pages.model import Page, PageContent
from app.pages.usable import quotable_in_language, usable
from app.pages.vocabulary import name_of, own_title, weight_of_name
from app.pages.vocabulary_fill import fill_vocabularies
from app.projects.model import Project

SEARCHED: Final = 5000
"""Pages that are searched; of more, the preferred and then the newest."""
TAKEN: Final = 50
"""Pages whose text is taken along."""
FURTHER: Final = 10
"""Pages that are taken along besides if a model finds gaps in the first ones."""
PREFERRED: Final = 10
"""Preferred pages that are taken along however little they say about the subject."""
READ_FIRST: Final = 20
"""With fewer pages read than this, due ones are read before a post is written: a new project has sources."""
_AT_ONCE: Final = 500
_NAMES_TRIED: Final = 50
_SHORT_NAME: Final = 6


@dataclass(frozen=True)
class SourceQuery:
    """What pages are chosen for: a subject, and aspects that count for less.

    ``page_ids`` confine them when given, the ``required`` ones are taken first.
    """

    subject: str
    language: str
    aspects: tuple[str, ...] = ()
    page_ids: tuple[int, ...] = ()
    required: tuple[int, ...] = ()


class PageWords(NamedTuple):
    """What a search looks at of a page; ``words`` and ``headings`` as in Vocabulary."""

    id: int
    length: int
    preferred: bool
    title: str | None
    words: str
    headings: str
    text_key: str | None = None


def named_page(page: PageWords) -> NamedPage:
    """Return what a page is called."""
    names = dict.fromkeys(map(clean_heading, (name_of(page.title, page.headings), own_title(page.title))))
    return NamedPage(page.id, tuple(filter(None, names)))


def collect_snapshot(project_id: int, query: SourceQuery) -> SourceSnapshot:
    """Return the snapshot for a post, with at most 50 pages; commits."""
    posts = existing_posts(project_id)
    chosen = choose_pages(project_id, query, tuple(post for post, _slug in posts))
    return snapshot_of_pages(project_id, query.language, chosen, posts)


def choose_pages(project_id: int, query: SourceQuery, posts: tuple[ExistingPost, ...]) -> list[int]:
    """Return the ids of at most 50 usable pages: the required, the preferred, then by what they say.

    Pages whose text one of these has already are left out.

    Without a subject it is the name of the page that says most about its name, of those no post is about.
    Commits.
    """
    subject = query.subject
    if not (subject or query.aspects):
        subject = _best_name(project_id, query, posts)
    search = PageSearch(page_query(subject, query.aspects, query.language), query.language)
    preferred: set[int] = set()
    texts = _usable(project_id, query.required)
    required = list(texts)
    for page in searched_pages(project_id, query):
        search.add(page.id, page.length, page.words)
        texts[page.id] = page.text_key
        if page.preferred:
            preferred.add(page.id)
    ranked = [page_id for page_id, _score in search.ranked()]
    first = [page_id for page_id in ranked if page_id in preferred][:PREFERRED]
    return one_of_each((page_id, texts[page_id]) for page_id in [*required, *first, *ranked])[:TAKEN]


def further_pages(
    project_id: int, query: SourceQuery, gaps: str, but: Collection[int]
) -> tuple[SourcePage, ...]:
    """Return at most 10 usable pages besides those in ``but`` that say most on ``gaps``; commits."""
    search = PageSearch(page_query(gaps, (), query.language), query.language)
    for page in searched_pages(project_id, query):
        if page.id not in but:
            search.add(page.id, page.length, page.words)
    ranked = [page_id for page_id, score in search.ranked() if score > 0][:FURTHER]
    return snapshot_of_pages(project_id, query.language, ranked, ()).pages


def searched_pages(project_id: int, query: SourceQuery) -> Iterator[PageWords]:
    """Yield the pages to search, one of each text, those whose words were never counted last; commits."""
    conditions = [*_with_text(project_id), *_in_post_language(project_id, query)]
    if query.page_ids:
        conditions.append(Page.id.in_(query.page_ids))
    copies = copies_among(conditions, SEARCHED)
    statement = (
        select(
            *(Page.id, Page.word_count, Page.always_use, Page.title, Page.text_key),
            *(PageContent.words, PageContent.headings),
        )
        .join(PageContent, PageContent.page_id == Page.id)
        .where(*conditions)
        .order_by(Page.always_use.desc(), Page.id.desc())
        .limit(SEARCHED)
    )
    uncounted: dict[int, PageWords] = {}
    db.session.commit()
    with reading():
        for row in db.session.execute(statement.execution_options(yield_per=_AT_ONCE)):
            if row.id in copies:
                continue
            page = PageWords(
                *(row.id, row.word_count or 0, row.always_use, row.title),
                *(row.words or "", row.headings or "", row.text_key),
            )
            if row.words is None:
                uncounted[page.id] = page
            else:
                yield page
        db.session.commit()
    for page_id, found in fill_vocabularies(sorted(uncounted)):
        yield uncounted[page_id]._replace(words=found.words, headings=found.headings)


def _in_post_language(project_id: int, query: SourceQuery) -> list[ColumnElement[bool]]:
    """Return the condition for pages in the post's language.

    There is none if the caller named pages, or if no page is in that language.
    """
    if query.page_ids:
        return []
    same = quotable_in_language(query.language)
    found = db.session.scalar(select(Page.id).where(*_with_text(project_id), same).limit(1))
    return [] if found is None else [same]


def _usable(project_id: int, page_ids: tuple[int, ...]) -> dict[int, str | None]:
    """Return the text_key of those of the pages that may be used, in their order."""
    if not page_ids:
        return {}
    rows = db.session.execute(
        select(Page.id, Page.text_key).where(*_with_text(project_id), Page.id.in_(page_ids))
    )
    found = {row.id: row.text_key for row in rows}
    return {page_id: found[page_id] for page_id in page_ids if page_id in found}


def _with_text(project_id: int) -> list[ColumnElement[bool]]:
    return [Page.project_id == project_id, usable()]


def _best_name(project_id: int, query: SourceQuery, posts: tuple[ExistingPost, ...]) -> str:
    """Return the name that its page says most often, a preferred page's and a short one first.

    None is taken that says no more than what site this is.
    """
    said = []
    own_stems = _own_stems(project_id, query.language)
    for page in searched_pages(project_id, query):
        name = clean_heading(name_of(page.title, page.headings))
        if name and not names_the_site(name, own_stems, query.language):
            weight = weight_of_name(page.words, name)
            said.append((not page.preferred, extent(name) > _SHORT_NAME, -weight, page.id, name))
    names = [name for *_, name in islice(sorted(said), _NAMES_TRIED)]
    unused = (name for name in names if not posts_on(name, name, posts, query.language))
    return next(unused, names[0] if names else "")


def _own_stems(project_id: int, language: str) -> frozenset[str]:
    """Return the stems of the project's name."""
    with reading():
        name = db.session.scalar(select(Project.name).where(Project.id == project_id))
    return frozenset(content_stems(name or "", language))
