"""Collects what a post may be made from: the project's live pages as they were read, frozen at one moment."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import ColumnElement, and_, func, or_, select

from app.content.artefacts import ExistingPost, SourcePage, SourceSnapshot
from app.content.evidence.furniture import FURNITURE_KINDS, repeated_texts
from app.content.model import BlogPost
from app.infra.clock import utc_now
from app.infra.db import db, reading
from app.language.words import fold
from app.pages.extraction.blocks import Block
from app.pages.model import Page, PageContent
from app.pages.usable import usable
from app.projects.model import Project

_MOST_POSTS: Final = 5000
_MOST_ARTICLES: Final = 3
_COMPARED: Final = 20
"""With fewer pages than this, others of the site are read to find the texts that all of its pages repeat."""

_KEPT: Final = FURNITURE_KINDS | {"heading"}
"""What may repeat: headings are names, and posts look for the button of the site."""

FACTS: Final = (
    *("summary", "blog_theme", "key_features", "target_audience_summary", "pain_points", "product_usage"),
    "founders",
)


def snapshot_of_pages(
    project_id: int,
    language: str,
    page_ids: Sequence[int],
    posts: Sequence[tuple[ExistingPost, str]] | None = None,
) -> SourceSnapshot:
    """Return the snapshot of these pages; ``posts`` as in ``existing_posts``, read if left out."""
    posts = existing_posts(project_id) if posts is None else posts
    with reading():
        project = db.session.get_one(Project, project_id)
        return SourceSnapshot(
            project_name=project.name,
            project_url=project.url,
            project_facts={name: getattr(project, name) for name in FACTS if getattr(project, name)},
            language=language,
            pages=_own_texts(project_id, _read_pages(Page.id.in_(page_ids))),
            taken_slugs=frozenset(slug for _post, slug in posts),
            existing_posts=tuple(post for post, _slug in posts),
            day=utc_now().date().isoformat(),
        )


def existing_posts(project_id: int) -> list[tuple[ExistingPost, str]]:
    """Return the newest posts of a project, each with its slug."""
    with reading():
        rows = db.session.execute(
            select(BlogPost.id, BlogPost.title, BlogPost.primary_keyword, BlogPost.slug)
            .where(BlogPost.project_id == project_id)
            .order_by(BlogPost.created_at.desc(), BlogPost.id.desc())
            .limit(_MOST_POSTS)
        ).all()
    return [(ExistingPost(row.id, row.title, row.primary_keyword), row.slug) for row in rows]


def newest_articles(project_id: int, but: int | None = None) -> Sequence[str]:
    """Return the texts of the newest articles by a model, except the post ``but``."""
    newest = (
        select(BlogPost.content)
        .where(BlogPost.project_id == project_id, BlogPost.engine == "llm", BlogPost.id != but)
        .order_by(BlogPost.created_at.desc(), BlogPost.id.desc())
        .limit(_MOST_ARTICLES)
    )
    with reading():
        return db.session.scalars(newest).all()


def count_sources(project_id: int) -> int:
    """Return how many of the project's pages have been read and may be written from."""
    read = (
        select(func.count())
        .select_from(Page)
        .join(PageContent, PageContent.page_id == Page.id)
        .where(Page.project_id == project_id, usable())
    )
    return db.session.scalar(read) or 0


def _read_pages(*where: ColumnElement[bool], limit: int | None = None) -> list[SourcePage]:
    """Return the pages with a text that meet the conditions, the oldest first."""
    rows = db.session.execute(
        select(Page, PageContent)
        .join(PageContent, PageContent.page_id == Page.id)
        .where(*where)
        .order_by(Page.id)
        .limit(limit)
    )
    return [_source_page(page, content) for page, content in rows]


def _own_texts(project_id: int, pages: list[SourcePage]) -> tuple[SourcePage, ...]:
    """Return a few pages without the texts that they share with others of the site: banners, notes, footers.

    Of more pages, what repeats itself is seen on the pages themselves.
    """
    missing = _COMPARED - len(pages)
    if not pages or missing <= 0:
        return tuple(pages)
    page_ids = [page.page_id for page in pages]
    own = select(Page.text_key).where(Page.id.in_(page_ids), Page.text_key.is_not(None))
    is_other = and_(Page.id.not_in(page_ids), or_(Page.text_key.is_(None), Page.text_key.not_in(own)))
    others = _read_pages(Page.project_id == project_id, is_other, usable(), limit=missing)
    if not others:
        return tuple(pages)
    repeated = repeated_texts([*pages, *others])
    return tuple(
        replace(page, blocks=tuple(b for b in page.blocks if b.kind in _KEPT or fold(b.text) not in repeated))
        for page in pages
    )


def _source_page(page: Page, content: PageContent) -> SourcePage:
    return SourcePage(
        page_id=page.id,
        url=page.url,
        title=page.title,
        description=page.description,
        always_use=page.always_use,
        blocks=tuple(Block.from_json(each) for each in content.blocks),
    )
