"""How many pages each project has, kept beside the project so that no list counts a million rows.

Whoever adds a page, or changes whether one is stale, notes it here in the same transaction, after the pages:
the project's row is then locked for a moment, and always locked last. Nothing is committed here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import case, literal, or_, select, update

from app.infra.db import UtcDateTime, db
from app.projects.model import Project


def note_added(project_id: int, number: int, created_at: datetime) -> None:
    """Count pages that were added at ``created_at``; they are fresh."""
    at, newest = literal(created_at, UtcDateTime()), Project.newest_page_at
    later = case((or_(newest.is_(None), newest < at), at), else_=newest)
    _change(project_id, page_count=Project.page_count + number, newest_page_at=later)


def note_stale(project_id: int, number: int) -> None:
    """Count pages that turned stale; a negative number is of those that turned fresh."""
    _change(project_id, stale_page_count=Project.stale_page_count + number)


def count_pages(project_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Return (fresh, stale) for each project."""
    counts = dict.fromkeys(project_ids, (0, 0))
    rows = db.session.execute(
        select(Project.id, Project.page_count - Project.stale_page_count, Project.stale_page_count).where(
            Project.id.in_(list(counts))
        )
    )
    return counts | {project_id: (fresh, stale) for project_id, fresh, stale in rows}


def _change(project_id: int, **values: object) -> None:
    db.session.execute(
        update(Project)
        .where(Project.id == project_id)
        # The project itself did not change.
        .values(**values, updated_at=Project.updated_at)
        .execution_options(synchronize_session=False)
    )
