"""How far the pages of a project were read, and which were read last."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ScalarSelect, func, select

from app.infra.db import db
from app.pages.model import Page
from app.pages.supplied import NEVER_READ
from app.projects.model import Project

_LATEST: Final = 3
_ENOUGH: Final = 20
_NEW: Final = (0, 2)
"""The ranks in the reading queue of pages that were never read or have changed since."""


@dataclass(frozen=True)
class ReadingProgress:
    """How many fresh pages a project has, and how many of them were tried."""

    pages: int
    done: int

    @property
    def is_over(self) -> bool:
        """Whether no page waits for its first reading."""
        return self.done >= self.pages

    @property
    def is_enough(self) -> bool:
        """Whether so much was read that a first post can be chosen and written."""
        return self.pages > 0 and self.done >= min(self.pages, _ENOUGH)


def reading_progress(project: Project) -> ReadingProgress:
    return progress_with(project, db.session.scalar(select(count_of_waiting(project))) or 0)


def progress_with(project: Project, waiting: int) -> ReadingProgress:
    """Return the progress when so many pages wait for their first reading."""
    return ReadingProgress(project.fresh_page_count, max(0, project.fresh_page_count - waiting))


def count_of_waiting(project: Project) -> ScalarSelect[int]:
    """Select how many fresh pages wait for their first reading."""
    # By an index: a page that was never read is in the queue.
    queued = (Page.project_id == project.id, Page.read_rank.in_(_NEW), Page.read_due_at.is_not(None))
    never = (*queued, ~Page.is_stale, NEVER_READ, Page.fetch_error.is_(None))
    return select(func.count()).select_from(Page).where(*never).scalar_subquery()


def latest_read(project: Project) -> Sequence[Page]:
    """Return the last pages that were read: the newest are read last."""
    with_text = (Page.project_id == project.id, Page.word_count.is_not(None), ~Page.always_use)
    return db.session.scalars(
        select(Page).where(*with_text, Page.fetched_at.is_not(None)).order_by(Page.id.desc()).limit(_LATEST)
    ).all()
