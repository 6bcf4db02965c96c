"""Counts the posts that target each keyword, and keeps all coverage up to date."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import select

from app.content.model import BlogPost
from app.infra.db import db
from app.keywords.counting import projects_due, refresh_coverage, set_post_coverage


def refresh_due_coverage(limit: int) -> int:
    """Recount pages and posts of at most ``limit`` projects for which it is due; return how many."""
    due = projects_due(limit)
    for project_id in due:
        set_post_coverage(project_id, _posts_by_keyword(project_id))
        refresh_coverage(project_id)
    return len(due)


def _posts_by_keyword(project_id: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    rows = db.session.scalars(select(BlogPost.keywords).where(BlogPost.project_id == project_id))
    for keywords in rows:
        counts.update({str(keyword).lower() for keyword in keywords})
    db.session.commit()
    return counts
