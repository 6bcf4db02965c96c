"""Pages whose text the caller supplied: they are never fetched, whatever would have them read.

A page that was never read has neither a time of reading nor a text; a supplied one has a text alone.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, case, literal, null, select, update

from app.infra.db import UtcDateTime, changed_rows, db
from app.pages.model import Page

NEVER_READ: Final = and_(Page.fetched_at.is_(None), Page.word_count.is_(None))
_SUPPLIED: Final = and_(Page.fetched_at.is_(None), Page.word_count.is_not(None))


def supply(page_id: int, **text: Any) -> bool:
    """Set the columns that a given text fills; return False, doing nothing, if the page was read or has one.

    A worker that is fetching the page finds that it was supplied meanwhile. Nothing is committed.
    """
    settled = {"fetch_error": null(), "read_due_at": null(), "read_attempts": 0}
    taken = update(Page).where(Page.id == page_id, NEVER_READ).values({**text, **settled})
    return bool(changed_rows(taken.execution_options(synchronize_session=False)))


def due_again(at: datetime) -> ColumnElement[datetime | None]:
    """Return when a page is to be read that should be read ``at`` a time: never, if it was supplied."""
    return case((~_SUPPLIED, literal(at, UtcDateTime())))


def to_be_read(page_id: int) -> Page | None:
    """Return a page as the database has it, locked; None for one that is gone or was supplied."""
    page = select(Page).where(Page.id == page_id, ~_SUPPLIED).with_for_update()
    return db.session.scalar(page.execution_options(populate_existing=True))
