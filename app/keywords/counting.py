"""Counts which fresh, readable pages and posts target each keyword of a project, and which compete for it.

Other code sets ``coverage_due_at`` of a project to request a count; a periodic task counts ``projects_due``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, literal, select, tuple_, update

from app.infra.clock import utc_now
from app.infra.db import UtcDateTime, changed_rows, db, reading
from app.infra.urls import key_of
from app.keywords.coverage import Coverage, Matcher
from app.keywords.model import Keyword
from app.pages.model import Page, PageContent
from app.pages.vocabulary import Vocabulary, own_title
from app.pages.vocabulary_fill import fill_vocabularies
from app.projects.model import Project

_CHUNK: Final = 1000
_COUNTED: Final = (Keyword.covered_pages, Keyword.covered_posts, Keyword.coverage_state, Keyword.competing)

_Counts = dict[str, Coverage]


class PostTexts(NamedTuple):
    id: int
    title: str
    primary_keyword: str | None
    keywords: Sequence[str]
    published_url: str | None


class _PageTexts(NamedTuple):
    id: int
    url_key: bytes
    title: str | None
    description: str | None
    headings: list[str]


def refresh_coverage(project_id: int, posts: Iterable[PostTexts] = ()) -> None:
    """Count the pages and posts that target each keyword of a project, and write what changed.

    Commits several times, so that no transaction is long. It reads a thousand pages at a time, without their
    text.
    """
    began = utc_now()
    db.session.commit()
    with reading():
        keywords = _keywords(project_id)
        db.session.commit()
        counts = _count(project_id, [row.keyword_text for row in keywords], posts) if keywords else {}
    _write(keywords, counts)
    changed_rows(
        update(Project)
        # If coverage became due again meanwhile, it stays due.
        .where(Project.id == project_id, Project.coverage_due_at <= began)
        .values(coverage_due_at=None, updated_at=Project.updated_at)
    )
    db.session.commit()


def projects_due(limit: int) -> Sequence[int]:
    """Return up to ``limit`` projects whose coverage is due, the longest waiting first."""
    due = db.session.scalars(
        select(Project.id)
        .where(Project.coverage_due_at <= utc_now())
        .order_by(Project.coverage_due_at)
        .limit(limit)
    ).all()
    db.session.commit()
    return due


def _keywords(project_id: int) -> Sequence[Row[Any]]:
    return db.session.execute(
        select(Keyword.id, Keyword.keyword_text, *_COUNTED).where(Keyword.project_id == project_id)
    ).all()


def _count(project_id: int, keywords: Sequence[str], posts: Iterable[PostTexts]) -> _Counts:
    matcher = Matcher(keywords)
    counts: _Counts = defaultdict(Coverage)
    published = _count_posts(matcher, counts, frozenset(keywords), posts)
    for page in _texts(project_id):
        headings = [heading.strip() for heading in page.headings]
        for keyword in matcher.targets(page.title, page.description, headings):
            counts[keyword].pages += 1
        if page.url_key in published:
            continue  # it is one of the posts
        main = [heading for heading in page.headings if not heading.startswith("\t")]
        for keyword in matcher.named(own_title(page.title), main):
            counts[keyword].add_page(page.id)
    return counts


def _count_posts(
    matcher: Matcher, counts: _Counts, keywords: frozenset[str], posts: Iterable[PostTexts]
) -> set[bytes]:
    published: set[bytes] = set()
    for post in posts:
        for keyword in {str(text).lower() for text in post.keywords} & keywords:
            counts[keyword].posts += 1
        for keyword in matcher.in_title(post.title) | ({(post.primary_keyword or "").lower()} & keywords):
            counts[keyword].add_post(post.id)
        if post.published_url and (key := key_of(post.published_url)):
            published.add(key)
    return published


def _texts(project_id: int) -> Iterator[_PageTexts]:
    last: tuple[datetime, int] | None = None
    while True:
        statement = (
            select(
                Page.created_at,
                Page.id,
                Page.url_key,
                Page.title,
                Page.description,
                PageContent.page_id,
                PageContent.headings,
            )
            .outerjoin(PageContent, PageContent.page_id == Page.id)
            .where(Page.project_id == project_id, Page.is_stale.is_(False), Page.fetch_error.is_(None))
            .order_by(Page.created_at, Page.id)
            .limit(_CHUNK)
        )
        if last is not None:
            at = tuple_(literal(last[0], UtcDateTime()), literal(last[1]))
            statement = statement.where(tuple_(Page.created_at, Page.id) > at)
        rows = db.session.execute(statement).all()
        db.session.commit()
        uncounted = [row.id for row in rows if row.page_id is not None and row.headings is None]
        filled: dict[int, Vocabulary] = dict(fill_vocabularies(uncounted))
        for row in rows:
            headings = filled[row.id].headings if row.id in filled else row.headings
            lines = headings.split("\n") if headings else []
            yield _PageTexts(row.id, row.url_key, row.title, row.description, lines)
        if len(rows) < _CHUNK:
            return
        last = (rows[-1].created_at, rows[-1].id)


def _write(keywords: Sequence[Row[Any]], counts: Mapping[str, Coverage]) -> None:
    nothing = Coverage()
    changes = []
    for row in keywords:
        now = counts.get(row.keyword_text, nothing)
        found = (now.pages, now.posts, now.state, now.competing)
        if found != tuple(row[2:]):
            changed = {column.key: value for column, value in zip(_COUNTED, found, strict=True)}
            changes.append({"id": row.id, **changed})
    db.session.commit()
    for at in range(0, len(changes), _CHUNK):
        db.session.execute(update(Keyword), changes[at : at + _CHUNK])
        db.session.commit()
