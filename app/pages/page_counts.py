"""Page counts in the project's row, so that no list of pages has to count a million rows.

Code that adds pages, or changes whether they are stale, updates the counts here in the same transaction,
after the pages. So the project's row is always locked last, and only for a moment. The caller commits; only
a recount commits itself.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import case, func, literal, or_, select, update

from app.infra.db import UtcDateTime, changed_rows, db, release
from app.pages.model import Page
from app.projects.model import Project


class PageCounts(NamedTuple):
    """How many pages a project has, how many of them are stale, and when the newest was added."""

    pages: int
    stale: int
    newest_at: datetime | None


class Recount(NamedTuple):
    """The counts that a project's row had, and those of its pages, which it has now."""

    project_id: int
    stored: PageCounts
    counted: PageCounts

    @property
    def was_wrong(self) -> bool:
        """Whether a count had to be corrected."""
        return self.stored != self.counted


def note_added(project_id: int, number: int, created_at: datetime) -> None:
    """Add fresh pages that were created at ``created_at`` to the counts."""
    at, newest = literal(created_at, UtcDateTime()), Project.newest_page_at
    later = case((or_(newest.is_(None), newest < at), at), else_=newest)
    _change(project_id, page_count=Project.page_count + number, newest_page_at=later)


def note_stale(project_id: int, number: int) -> None:
    """Add pages that turned stale to the counts; a negative number means pages that turned fresh."""
    _change(project_id, stale_page_count=Project.stale_page_count + number)


def recount(project_id: int) -> Recount | None:
    """Count a project's pages and correct its row; return None if there is no such project. Commits."""
    columns = (Project.page_count, Project.stale_page_count, Project.newest_page_at)
    # Transactions that add pages lock this row last, so pages that are not counted here are added afterwards.
    # Inserting a page needs only the row's key, so transactions wait only at that last step.
    row = db.session.execute(
        select(*columns).where(Project.id == project_id).with_for_update(key_share=True)
    ).one_or_none()
    if row is None:
        db.session.rollback()
        return None
    found = Recount(project_id, PageCounts(*row), _counted(project_id))
    if found.was_wrong:
        values = zip(columns, found.counted, strict=True)
        changed_rows(
            update(Project)
            .where(Project.id == project_id)
            .values({**dict(values), Project.updated_at: Project.updated_at})
        )
    db.session.commit()
    release()
    return found


def recount_all() -> Iterator[Recount]:
    last = 0
    while (project_id := _next_project(last)) is not None:
        last = project_id
        if (found := recount(project_id)) is not None:
            yield found


def _change(project_id: int, **values: object) -> None:
    changed_rows(
        update(Project)
        .where(Project.id == project_id)
        # The project itself did not change, so neither does its time of change.
        .values(**values, updated_at=Project.updated_at)
    )


def _counted(project_id: int) -> PageCounts:
    counts = (func.count(), func.count().filter(Page.is_stale), func.max(Page.created_at))
    return PageCounts(*db.session.execute(select(*counts).where(Page.project_id == project_id)).one())


def _next_project(last: int) -> int | None:
    found = db.session.scalar(select(func.min(Project.id)).where(Project.id > last))
    release()
    return found
