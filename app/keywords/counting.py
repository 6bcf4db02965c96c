"""Counting how many fresh, readable pages target each keyword of a project.

Who wants it counted sets ``coverage_due_at`` of the project; a sweep asks for ``projects_due``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, literal, select, tuple_, update

from app.infra.clock import utc_now
from app.infra.db import UtcDateTime, db, reading
from app.keywords.coverage import Matcher
from app.keywords.model import Keyword
from app.pages.model import Page, PageContent
from app.projects.model import Project

_CHUNK: Final = 1000


def refresh_coverage(project_id: int) -> None:
    """Count the pages that target each keyword of a project, and write the counts that changed.

    Commits several times, so that no transaction is long; page texts are held a thousand at a time.
    """
    began = utc_now()
    db.session.commit()
    with reading():
        keywords = _keywords(project_id)
        db.session.commit()
        counts = _count(project_id, keywords) if keywords else Counter()
    _write(keywords, counts)
    db.session.execute(
        update(Project)
        # Asked for again since: the next sweep counts again.
        .where(Project.id == project_id, Project.coverage_due_at <= began)
        .values(coverage_due_at=None, updated_at=Project.updated_at)
        .execution_options(synchronize_session=False)
    )
    db.session.commit()


def projects_due(limit: int) -> Sequence[int]:
    """Return at most ``limit`` projects whose coverage is due, the longest waiting first."""
    due = db.session.scalars(
        select(Project.id)
        .where(Project.coverage_due_at <= utc_now())
        .order_by(Project.coverage_due_at)
        .limit(limit)
    ).all()
    db.session.commit()
    return due


def set_post_coverage(project_id: int, counts: Mapping[str, int]) -> None:
    """Write how many posts target each keyword, by its text; a keyword that is not in ``counts`` has none."""
    rows = db.session.execute(
        select(Keyword.id, Keyword.keyword_text, Keyword.covered_posts).where(
            Keyword.project_id == project_id
        )
    ).all()
    changes = [
        {"id": row.id, "covered_posts": counts.get(row.keyword_text, 0)}
        for row in rows
        if row.covered_posts != counts.get(row.keyword_text, 0)
    ]
    _update(changes)


def _keywords(project_id: int) -> Sequence[Row[int, str, int]]:
    return db.session.execute(
        select(Keyword.id, Keyword.keyword_text, Keyword.covered_pages).where(
            Keyword.project_id == project_id
        )
    ).all()


def _count(project_id: int, keywords: Sequence[Row[int, str, int]]) -> Counter[str]:
    matcher = Matcher(row.keyword_text for row in keywords)
    counts: Counter[str] = Counter()
    for title, description, blocks in _texts(project_id):
        headings = [block["text"] for block in blocks or () if block["kind"] == "heading"]
        counts.update(matcher.targets(title, description, headings))
    return counts


def _texts(project_id: int) -> Iterator[tuple[str | None, str | None, list[Any] | None]]:
    """Yield (title, description, blocks) of the project's fresh, readable pages."""
    last: tuple[datetime, int] | None = None
    while True:
        statement = (
            select(Page.created_at, Page.id, Page.title, Page.description, PageContent.blocks)
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
        for row in rows:
            yield row.title, row.description, row.blocks
        if len(rows) < _CHUNK:
            return
        last = (rows[-1].created_at, rows[-1].id)


def _write(keywords: Sequence[Row[int, str, int]], counts: Mapping[str, int]) -> None:
    changes = [
        {"id": row.id, "covered_pages": counts.get(row.keyword_text, 0)}
        for row in keywords
        if row.covered_pages != counts.get(row.keyword_text, 0)
    ]
    _update(changes)


def _update(changes: list[dict[str, Any]]) -> None:
    db.session.commit()
    for at in range(0, len(changes), _CHUNK):
        db.session.execute(update(Keyword), changes[at : at + _CHUNK])
        db.session.commit()
