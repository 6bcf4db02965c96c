"""The titles of posts, for lists that name them."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select

from app.content.model import BlogPost
from app.infra.db import db


def titles_of(project_ids: Collection[int], post_ids: Collection[int]) -> dict[int, str]:
    """Return the titles of those posts that belong to one of the projects, by their ids."""
    if not post_ids:
        return {}
    rows = db.session.execute(
        select(BlogPost.id, BlogPost.title).where(
            BlogPost.id.in_(post_ids), BlogPost.project_id.in_(project_ids)
        )
    )
    return {row.id: row.title for row in rows}
