"""The queue of pages to read: their order, their leases, and when each is due again.

A page's ``read_due_at`` is its place within its rank and, while a worker reads it, the end of its lease. The
queries read the index ix_pages_read_queue rank by rank, so that they cost the same however many pages wait.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Row, Select, func, or_, select, update
from sqlalchemy.orm import Mapped

from app.accounts.model import Account
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db, release
from app.infra.http.headers import Validators
from app.infra.urls import origin_of
from app.pages.crawling.pace import backoffs_of
from app.pages.model import Page, PageContent
from app.pages.supplied import NEVER_READ, due_again, to_be_read
from app.projects.model import Project

LEASE: Final = timedelta(minutes=5)
LOOK_AHEAD: Final = 200
"""How many pages of a rank one query reads to find some whose site does not back off."""
LOOKS: Final = 50
"""How many such queries one round makes. It postpones pages whose site backs off; the next round goes on."""
ATTEMPTS: Final = 3
"""Attempts that follow soon. A page that failed all of them waits for READ_AGAIN."""

LOOKED_AT: Final = 1000
"""How many projects one call looks at for due pages: the cost must not grow with the number of projects."""
LOOK_EVERY: Final = 5
"""Seconds."""

JUST_READ: Final = timedelta(minutes=1)
READ_AGAIN: Final = timedelta(days=7)
MAX_RETRY_AFTER: Final = timedelta(days=7)
_FIRST_WAIT: Final = timedelta(minutes=10)
_RANKS: Final = (0, 1, 2, 3)


@dataclass(frozen=True)
class Due:
    """A page to be read. ``known``: the validators for a conditional request."""

    id: int
    url: str
    known: Validators | None


def take(project_id: int, limit: int, among: Sequence[int] = ()) -> Sequence[Due]:
    """Lease up to ``limit`` due pages and return them in the order in which to read them.

    Preferred pages come first, then new and changed ones, then those that are only checked again. Pages of
    sites that back off are postponed and take no place from others. With ``among``, only pages with these
    ids are taken.
    """
    now = utc_now()
    pages: list[Row[int, str]] = []
    for rank in _RANKS:
        if len(pages) == limit:
            break
        queued = _queued(project_id, rank, now)
        if among:
            queued = queued.where(Page.id.in_(among))
        pages += _taken(queued, limit - len(pages))
    ids = [page.id for page in pages]
    if ids:
        set_due(ids, now + LEASE)
    known = _validators(ids)
    db.session.commit()
    release()
    return [Due(page.id, page.url, known.get(page.id)) for page in pages]


def _taken(queued: Select[int, str], limit: int) -> list[Row[int, str]]:
    queued, size = queued.with_for_update(skip_locked=True), limit
    for _ in range(LOOKS):
        pages = db.session.execute(queued.limit(size)).all()
        backoffs = backoffs_of(origin_of(page.url) for page in pages)
        for origin, until in backoffs.items():
            set_due([page.id for page in pages if origin_of(page.url) == origin], until)
        readable = [page for page in pages if origin_of(page.url) not in backoffs]
        if len(pages) < size or len(readable) >= limit:
            break
        size = max(limit, LOOK_AHEAD)
    return readable[:limit]


def begin(page_id: int) -> datetime | None:
    """Count an attempt before it is made, so that a page that kills its worker is postponed as well.

    Return until when the page is postponed, which shows whether something else makes it due meanwhile.
    Return None for a page that is no longer to be read.
    """
    page, until = to_be_read(page_id), None
    if page is not None:
        page.read_attempts += 1
        until = page.read_due_at = next_try(page.read_attempts, soon=True, retry_after=None)
    db.session.commit()
    release()
    return until


def uncount(page_id: int) -> None:
    """Undo the count of an attempt that was not made."""
    page = db.session.get(Page, page_id, populate_existing=True)
    if page is not None:
        page.read_attempts = max(0, page.read_attempts - 1)
    db.session.commit()


def give_back(page_ids: Sequence[int]) -> None:
    """End the lease of pages: they are due at once; commits."""
    if not page_ids:
        return
    set_due(page_ids, utc_now())
    db.session.commit()


def make_due(project_id: int, page_ids: Collection[int]) -> Sequence[int]:
    """Make those of these pages due now that are to be read again; return their ids. Commits.

    Left out are stale pages, those that were read within the last minute, and those whose text was supplied.
    """
    is_old = or_(NEVER_READ, Page.fetched_at < utc_now() - JUST_READ)
    wanted = (Page.project_id == project_id, Page.id.in_(page_ids), ~Page.is_stale, is_old)
    due = db.session.scalars(select(Page.id).where(*wanted).order_by(Page.id)).all()
    if due:
        set_due(due, utc_now())
        db.session.commit()
    return due


def set_due(page_ids: Sequence[int], at: datetime) -> None:
    """Set when pages are due; the caller commits.

    Pages that a sync is changing are skipped, because the sync may wait for one of the others. They are due
    again when their lease ends.
    """
    free = select(Page.id).where(Page.id.in_(page_ids)).with_for_update(skip_locked=True)
    changed_rows(
        update(Page)
        .where(Page.id.in_(db.session.scalars(free).all()))
        .values(read_due_at=due_again(at), updated_at=Page.updated_at)
    )


def next_try(attempts: int, *, soon: bool, retry_after: float | None) -> datetime:
    """Return when to try a page again after so many failures in a row.

    ``soon``: another try soon may help. ``retry_after``: the seconds that the server asked for, at most
    MAX_RETRY_AFTER of which count.
    """
    wait = _FIRST_WAIT * 6 ** (attempts - 1) if soon and attempts < ATTEMPTS else READ_AGAIN
    asked = min(timedelta(seconds=retry_after or 0), MAX_RETRY_AFTER)
    return utc_now() + max(wait, asked)


def projects_with_due_pages(limit: int) -> Sequence[int]:
    """Return up to ``limit`` projects with pages to read now, among LOOKED_AT of them.

    Which projects it looks at follows the clock, so that calls every LOOK_EVERY seconds get to all. Among
    those it starts at random, so that each has its turn if there are more than ``limit``.
    """
    now = utc_now()
    # For an EXISTS, PostgreSQL may read the due pages of all projects at once.
    firsts = (_queued(Project.id, rank, now).with_only_columns(Page.id).limit(1) for rank in _RANKS)
    has_due = or_(*(first.scalar_subquery().is_not(None) for first in firsts))
    owner = select(Account.active).where(Account.id == Project.account_id).scalar_subquery()
    due = select(Project.id).where(owner, has_due).order_by(Project.id)
    newest = db.session.scalar(select(func.max(Project.id))) or 0
    first = LOOKED_AT * (int(now.timestamp() // LOOK_EVERY) % (newest // LOOKED_AT + 1))
    last = min(first + LOOKED_AT - 1, newest)
    start = random.randint(first, max(first, last))  # noqa: S311
    found: list[int] = []
    for part in (Project.id.between(start, last), Project.id.between(first, start - 1)):
        found += db.session.scalars(due.where(part).limit(limit - len(found)))
    db.session.commit()
    return found


def _queued(project_id: int | Mapped[int], rank: int, now: datetime) -> Select[int, str]:
    return (
        select(Page.id, Page.url)
        .where(Page.project_id == project_id, Page.read_rank == rank, Page.read_due_at <= now, ~Page.is_stale)
        .order_by(Page.read_due_at, Page.id)
    )


def _validators(page_ids: Sequence[int]) -> dict[int, Validators]:
    has_some = or_(PageContent.etag.is_not(None), PageContent.last_modified.is_not(None))
    rows = db.session.execute(
        select(PageContent.page_id, PageContent.etag, PageContent.last_modified).where(
            PageContent.page_id.in_(page_ids), has_some
        )
    )
    return {row.page_id: Validators(row.etag, row.last_modified) for row in rows}
