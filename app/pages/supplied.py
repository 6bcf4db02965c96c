"""Pages whose text a caller supplied: they are never fetched, whatever makes them due.

A page that was never read has no time of reading and no text. A supplied one has a text only.
"""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, case, literal, null, select, update

from app.infra.db import UtcDateTime, changed_rows, db
from app.pages.model import Page

NEVER_READ: Final = and_(Page.fetched_at.is_(None), Page.word_count.is_(None))
_SUPPLIED: Final = and_(Page.fetched_at.is_(None), Page.word_count.is_not(None))


def supply(page_id: int, **text: Any) -> bool:
    """Store the columns of a supplied text; return False and do nothing if the page was read or has a text.

    A worker that is fetching the page sees that it was supplied meanwhile. The caller commits.
    """
    cleared = {"fetch_error": null(), "read_due_at": null(), "read_attempts": 0}
    return bool(changed_rows(update(Page).where(Page.id == page_id, NEVER_READ).values({**text, **cleared})))


def due_again(at: datetime) -> ColumnElement[datetime | None]:
    """Return ``at`` as the time when a page is due, NULL for a supplied page."""
    return case((~_SUPPLIED, literal(at, UtcDateTime())))


def to_be_read(page_id: int) -> Page | None:
    """Return a page as the database has it, locked; None if it was deleted or supplied."""
    page = select(Page).where(Page.id == page_id, ~_SUPPLIED).with_for_update()
    return db.session.scalar(page.execution_options(populate_existing=True))
