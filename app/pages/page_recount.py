"""Counts pages anew, where what stands beside a project may be wrong: pages written past the services."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select, update

from app.infra.db import db, release
from app.pages.model import Page
from app.projects.model import Project


class PageCounts(NamedTuple):
    """How many pages a project has, how many of them are stale, and when the newest was added."""

    pages: int
    stale: int
    newest_at: datetime | None


class Recount(NamedTuple):
    """What stood beside a project, and what its pages say, which stands there now."""

    project_id: int
    kept: PageCounts
    counted: PageCounts

    @property
    def was_wrong(self) -> bool:
        """Whether something had to be mended."""
        return self.kept != self.counted


def recount(project_id: int) -> Recount | None:
    """Count a project's pages and mend what stands beside it; None when there is no such project. Commits."""
    columns = (Project.page_count, Project.stale_page_count, Project.newest_page_at)
    # Who adds pages locks this row last: what is not counted here is added to what is counted. Inserting a
    # page needs the row's key only, so nobody waits but for that last step.
    row = db.session.execute(
        select(*columns).where(Project.id == project_id).with_for_update(key_share=True)
    ).one_or_none()
    if row is None:
        db.session.rollback()
        return None
    found = Recount(project_id, PageCounts(*row), _counted(project_id))
    if found.was_wrong:
        values = zip(columns, found.counted, strict=True)
        db.session.execute(
            update(Project)
            .where(Project.id == project_id)
            .values({**dict(values), Project.updated_at: Project.updated_at})
            .execution_options(synchronize_session=False)
        )
    db.session.commit()
    release()
    return found


def recount_all() -> Iterator[Recount]:
    """Recount every project, each in a transaction of its own."""
    last = 0
    while (project_id := _next_project(last)) is not None:
        last = project_id
        if (found := recount(project_id)) is not None:
            yield found


def _counted(project_id: int) -> PageCounts:
    counts = (func.count(), func.count().filter(Page.is_stale), func.max(Page.created_at))
    return PageCounts(*db.session.execute(select(*counts).where(Page.project_id == project_id)).one())


def _next_project(last: int) -> int | None:
    found = db.session.scalar(select(func.min(Project.id)).where(Project.id > last))
    release()
    return found
