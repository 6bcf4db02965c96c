"""Which addresses posts link to and are made from, and whether those pages are still as they were.

A post's rows are stored with its text. Pages change without their posts: ``refresh_page_states`` then counts
the stale links and changed sources of a project's posts again.
"""

from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import ColumnElement, Select, Update, and_, delete, func, insert, or_, select, true, update

from app.content.model import BlogPost, BlogPostPage
from app.content.rendering.blocks import link_addresses, parse
from app.infra.db import db, reading
from app.infra.urls import key_of, page_address
from app.pages.model import Page, PageContent
from app.pages.usable import usable

SAME_PAGE: Final = and_(Page.project_id == BlogPostPage.project_id, Page.url_key == BlogPostPage.url_key)
"""Joins what posts link to and are made from with the pages."""

_AT_ONCE: Final = 200


def note_pages(post: BlogPost, links: Iterable[str] | None = None) -> None:
    """Store what a flushed post links to and is made from; the caller commits.

    ``links`` are the addresses in its text; None looks for them.
    """
    db.session.execute(delete(BlogPostPage).where(BlogPostPage.blog_post_id == post.id))
    rows = _rows_of(post, link_addresses(parse(post.content)) if links is None else links)
    if rows:
        db.session.execute(insert(BlogPostPage), rows)
    stale, changed = _states(post.project_id, [post.id]).get(post.id, (0, 0))
    db.session.execute(_state_update(post.id, stale, changed))


def refresh_page_states(project_id: int) -> None:
    """Count the stale links and changed sources of a project's posts again; commits several times.

    Posts without stored links, such as those of an earlier version, get them first.
    """
    while _note_missing(project_id):
        pass
    columns = (BlogPost.id, BlogPost.version, BlogPost.stale_links, BlogPost.changed_sources)
    with reading():
        stored = db.session.execute(select(*columns).where(BlogPost.project_id == project_id)).all()
        found = _states(project_id)
        db.session.commit()
    for post_id, version, stale, changed in stored:
        now = found.get(post_id, (0, 0))
        if now != (stale, changed):
            # The links of an edited post were counted with its edit.
            db.session.execute(_state_update(post_id, *now).where(BlogPost.version == version))
    db.session.commit()


def count_posts_of(project_id: int, url_keys: Collection[bytes]) -> dict[bytes, int]:
    """Return how many posts link to, or are made from, the pages with these keys."""
    if not url_keys:
        return {}
    rows = db.session.execute(
        select(BlogPostPage.url_key, func.count().label("posts"))
        .where(BlogPostPage.project_id == project_id, BlogPostPage.url_key.in_(url_keys))
        .group_by(BlogPostPage.url_key)
    )
    return {row.url_key: row.posts for row in rows}


def _note_missing(project_id: int) -> bool:
    """Store the links of some posts that have none stored; return whether there may be more."""
    missing = (BlogPost.project_id == project_id, BlogPost.stale_links.is_(None))
    with reading():
        ids = db.session.scalars(
            select(BlogPost.id).where(*missing).order_by(BlogPost.id).limit(_AT_ONCE)
        ).all()
        db.session.commit()
    if ids:
        for post in db.session.scalars(select(BlogPost).where(BlogPost.id.in_(ids), *missing)).all():
            note_pages(post)
        db.session.commit()
    return len(ids) == _AT_ONCE


def _rows_of(post: BlogPost, links: Iterable[str]) -> list[dict[str, object]]:
    linked = {key for url in links if (key := key_of(page_address(url)))}
    sources = {
        key: post.source_hashes.get(str(source["page_id"]))
        for source in post.sources
        if (key := key_of(source["url"]))
    }
    return [
        {
            "blog_post_id": post.id,
            "url_key": key,
            "project_id": post.project_id,
            "is_linked": key in linked,
            "source_hash": sources.get(key),
        }
        for key in linked | sources.keys()
    ]


def _states(project_id: int, post_ids: Collection[int] | None = None) -> dict[int, tuple[int, int]]:
    """Return (stale links, changed sources) of the posts that have any."""
    is_stale = and_(BlogPostPage.is_linked, Page.is_stale)
    rows = db.session.execute(
        _joined(project_id, post_ids).add_columns(
            func.count().filter(is_stale), func.count().filter(_has_changed())
        )
    )
    return {post_id: (stale, changed) for post_id, stale, changed in rows if stale or changed}


def _joined(project_id: int, post_ids: Collection[int] | None) -> Select[int]:
    statement = (
        select(BlogPostPage.blog_post_id)
        .outerjoin(Page, SAME_PAGE)
        .outerjoin(PageContent, PageContent.page_id == Page.id)
        .where(BlogPostPage.project_id == project_id)
        .group_by(BlogPostPage.blog_post_id)
    )
    return statement if post_ids is None else statement.where(BlogPostPage.blog_post_id.in_(post_ids))


def _has_changed() -> ColumnElement[bool]:
    return and_(
        BlogPostPage.source_hash.is_not(None),
        or_(
            PageContent.content_hash.is_(None),
            PageContent.content_hash != BlogPostPage.source_hash,
            usable().is_not(true()),
        ),
    )


def _state_update(post_id: int, stale: int, changed: int) -> Update:
    return (
        update(BlogPost)
        .where(BlogPost.id == post_id)
        # The post itself does not change.
        .values(stale_links=stale, changed_sources=changed, updated_at=BlogPost.updated_at)
        .execution_options(synchronize_session=False)
    )
