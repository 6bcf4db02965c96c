"""Keeps what is counted across posts and pages up to date: the coverage of keywords, and outdated posts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import select

from app.content.model import BlogPost
from app.content.posts.page_links import refresh_page_states
from app.infra.db import db
from app.keywords.counting import PostTexts, projects_due, refresh_coverage

_AT_ONCE: Final = 1000


def refresh_due_coverage(limit: int) -> int:
    """Recount the pages and posts of keywords, and the posts with outdated links or sources.

    At most ``limit`` due projects are counted. Returns how many were.
    """
    due = projects_due(limit)
    for project_id in due:
        refresh_page_states(project_id)
        refresh_coverage(project_id, _posts(project_id))
    return len(due)


def _posts(project_id: int) -> Iterator[PostTexts]:
    """Yield what the count needs of the project's posts, a thousand at a time."""
    last = 0
    while True:
        columns = (BlogPost.id, BlogPost.title, BlogPost.primary_keyword, BlogPost.keywords)
        rows = db.session.execute(
            select(*columns, BlogPost.published_url)
            .where(BlogPost.project_id == project_id, BlogPost.id > last)
            .order_by(BlogPost.id)
            .limit(_AT_ONCE)
        ).all()
        db.session.commit()
        for row in rows:
            yield PostTexts(*row)
        if len(rows) < _AT_ONCE:
            return
        last = rows[-1].id
