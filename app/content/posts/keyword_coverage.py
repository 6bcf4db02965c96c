"""Keeps what is counted across posts and pages up to date: the coverage of keywords, and outdated posts."""

from collections.abc import Iterator

from sqlalchemy import select

from app.content.model import BlogPost
from app.content.posts.page_links import refresh_page_states
from app.infra.db import db, in_order
from app.keywords.counting import PostTexts, projects_due, refresh_coverage


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
    """Yield what the count needs of the project's posts; no transaction is open meanwhile."""
    columns = (BlogPost.title, BlogPost.primary_keyword, BlogPost.keywords, BlogPost.published_url)
    for rows in in_order(select(*columns).where(BlogPost.project_id == project_id), BlogPost.id):
        db.session.commit()
        for *texts, post_id in rows:
            yield PostTexts(post_id, *texts)
