"""Collects what a post may be made from: the project's live pages as they were read, frozen at one moment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Row, func, select

from app.content.artefacts import ExistingPost, SourceBlock, SourcePage, SourceSnapshot
from app.content.model import BlogPost
from app.infra.clock import rfc3339
from app.infra.db import db
from app.pages.model import Page, PageContent
from app.pages.usable import usable
from app.projects.model import Project

SEARCHED: Final = 5000
TAKEN: Final = 300
"""Pages whose whole text is taken along; of more pages the best matching are chosen by title and address."""

_FACTS: Final = (
    "summary", "blog_theme", "key_features", "target_audience_summary", "pain_points", "product_usage",
    "founders",
)  # fmt: skip

_Candidate = Row[int, str, str | None, str | None, bool]


def collect_snapshot(
    project_id: int, subject: str, language: str, page_ids: Sequence[int] = ()
) -> SourceSnapshot:
    """Return the snapshot for a post about ``subject``; ``page_ids`` narrow the sources when given."""
    project = db.session.get_one(Project, project_id)
    chosen = _choose(project_id, subject, page_ids)
    facts = {name: getattr(project, name) for name in _FACTS if getattr(project, name)}
    posts = db.session.execute(
        select(BlogPost.id, BlogPost.title, BlogPost.primary_keyword, BlogPost.slug)
        .where(BlogPost.project_id == project_id)
        .order_by(BlogPost.id.desc())
        .limit(SEARCHED)
    ).all()
    return SourceSnapshot(
        project_name=project.name,
        project_url=project.url,
        project_facts=facts,
        language=language,
        pages=tuple(_source_page(row) for row in _with_blocks(chosen)),
        taken_slugs=frozenset(post.slug for post in posts),
        existing_posts=tuple(ExistingPost(p.id, p.title, p.primary_keyword) for p in posts),
    )


def count_sources(project_id: int) -> int:
    """Return how many of the project's pages have been read and may be written from."""
    read = (
        select(func.count())
        .select_from(Page)
        .join(PageContent, PageContent.page_id == Page.id)
        .where(Page.project_id == project_id, usable())
    )
    return db.session.scalar(read) or 0


def _choose(project_id: int, subject: str, page_ids: Sequence[int]) -> list[int]:
    conditions = [Page.project_id == project_id, usable()]
    if page_ids:
        conditions.append(Page.id.in_(page_ids))
    rows: Sequence[_Candidate] = db.session.execute(
        select(Page.id, Page.url, Page.title, Page.description, Page.always_use)
        .join(PageContent, PageContent.page_id == Page.id)
        .where(*conditions)
        .order_by(Page.id)
        .limit(SEARCHED)
    ).all()
    if len(rows) <= TAKEN:
        return [row.id for row in rows]
    terms = set(re.findall(r"\w{3,}", subject.lower()))
    best = sorted(rows, key=lambda row: (-_match(row, terms), row.id))[:TAKEN]
    return sorted(row.id for row in best)


def _match(row: _Candidate, terms: set[str]) -> int:
    text = f"{row.title or ''} {row.description or ''} {row.url}".lower()
    return (100 if row.always_use else 0) + sum(term in text for term in terms)


def _with_blocks(page_ids: Sequence[int]) -> Sequence[Row[Page, PageContent]]:
    return db.session.execute(
        select(Page, PageContent)
        .join(PageContent, PageContent.page_id == Page.id)
        .where(Page.id.in_(page_ids))
        .order_by(Page.id)
    ).all()


def _source_page(row: Row[Page, PageContent]) -> SourcePage:
    page, content = row
    return SourcePage(
        page_id=page.id,
        url=page.url,
        title=page.title,
        description=page.description,
        content_hash=content.content_hash,
        fetched_at=rfc3339(page.fetched_at),
        always_use=page.always_use,
        blocks=tuple(
            SourceBlock(b["id"], b["kind"], b["text"], tuple(b["heading_path"]), b.get("lists", ""))
            for b in content.blocks
        ),
    )
