"""The pages that wait to be read: in which order, until when they are leased, when they come again.

A page's ``read_due_at`` is both its place among those of its rank and, while it is being read, its lease.
Each question is answered from the index ix_pages_read_queue, rank by rank, however many pages wait.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Row, Select, func, or_, select, update
from sqlalchemy.orm import Mapped

from app.infra.clock import utc_now
from app.infra.db import db, release
from app.infra.http.headers import Validators
from app.infra.urls import origin_of
from app.pages.crawling.backoff import rests_of
from app.pages.model import Page, PageContent
from app.pages.supplied import due_again, to_be_read
from app.projects.model import Project

LEASE: Final = timedelta(minutes=5)
LOOK_AHEAD: Final = 200
"""How many pages of a rank are looked at together to find some of a site that does not rest."""
LOOKS: Final = 50
"""How often that is done in one round; what it found resting is put off, and the next round looks further."""
ATTEMPTS: Final = 3
"""Tries that follow each other soon; a page that failed them waits until it is its turn to be read again."""

READ_AGAIN: Final = timedelta(days=7)
LONGEST_PATIENCE: Final = timedelta(days=7)
_FIRST_WAIT: Final = timedelta(minutes=10)
_RANKS: Final = (0, 1, 2, 3)


@dataclass(frozen=True)
class Due:
    """A page to be read; ``known`` asks only for its changes."""

    id: int
    url: str
    known: Validators | None


def take(project_id: int, limit: int, among: Sequence[int] = ()) -> Sequence[Due]:
    """Lease up to ``limit`` due pages and return them in the order in which they are to be read.

    Preferred pages come first, then new and changed ones, then those that are only looked at again. Pages of
    sites that rest are put off as they turn up and take no place from others. ``among`` are the ids of the
    only pages to look at; without them it is all.
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
    """Return up to ``limit`` of the queued pages, locked, without those whose site rests."""
    queued, size = queued.with_for_update(skip_locked=True), limit
    for _ in range(LOOKS):
        pages = db.session.execute(queued.limit(size)).all()
        rests = rests_of(origin_of(page.url) for page in pages)
        for origin, until in rests.items():
            set_due([page.id for page in pages if origin_of(page.url) == origin], until)
        awake = [page for page in pages if origin_of(page.url) not in rests]
        if len(pages) < size or len(awake) >= limit:
            break
        size = max(limit, LOOK_AHEAD)
    return awake[:limit]


def begin(page_id: int) -> datetime | None:
    """Count the attempt before it is made, so that a page that kills its reader is put off as well.

    Return until when it is put off: whoever makes the page due meanwhile says another time. None for a page
    that is not to be read any more.
    """
    page, until = to_be_read(page_id), None
    if page is not None:
        page.read_attempts += 1
        until = page.read_due_at = next_try(page.read_attempts, soon=True, ask_again_in=None)
    db.session.commit()
    release()
    return until


def uncount(page_id: int) -> None:
    """Take back an attempt that was begun but not made."""
    page = db.session.get(Page, page_id, populate_existing=True)
    if page is not None:
        page.read_attempts = max(0, page.read_attempts - 1)
    db.session.commit()


def give_back(page_ids: Sequence[int]) -> None:
    """Make leased pages due again at once."""
    if not page_ids:
        return
    set_due(page_ids, utc_now())
    db.session.commit()


def set_due(page_ids: Sequence[int], at: datetime) -> None:
    """Say when pages are to be read; nothing is committed.

    Pages that a sync is changing just then are left alone, since it may wait for one of the others: they are
    due again when their lease is over.
    """
    free = select(Page.id).where(Page.id.in_(page_ids)).with_for_update(skip_locked=True)
    db.session.execute(
        update(Page)
        .where(Page.id.in_(db.session.scalars(free).all()))
        .values(read_due_at=due_again(at), updated_at=Page.updated_at)
        .execution_options(synchronize_session=False)
    )


def next_try(attempts: int, *, soon: bool, ask_again_in: float | None) -> datetime:
    """Return when a page is tried again after so many failures in a row.

    ``soon``: trying again may help. A server's own wish, in seconds, is honoured up to LONGEST_PATIENCE.
    """
    wait = _FIRST_WAIT * 6 ** (attempts - 1) if soon and attempts < ATTEMPTS else READ_AGAIN
    wished = min(timedelta(seconds=ask_again_in or 0), LONGEST_PATIENCE)
    return utc_now() + max(wait, wished)


def projects_with_due_pages(limit: int) -> Sequence[int]:
    """Return up to ``limit`` projects that have pages to read now, counted from a random one on.

    So each has its turn when there are more.
    """
    now = utc_now()
    # Not EXISTS, which PostgreSQL may answer by reading the due pages of all projects at once.
    firsts = (_queued(Project.id, rank, now).with_only_columns(Page.id).limit(1) for rank in _RANKS)
    has_due = or_(*(first.scalar_subquery().is_not(None) for first in firsts))
    due = select(Project.id).where(has_due).order_by(Project.id)
    last = db.session.scalar(select(func.max(Project.id))) or 0
    start = random.randint(0, last)  # noqa: S311
    found: list[int] = []
    for part in (Project.id >= start, Project.id < start):
        found += db.session.scalars(due.where(part).limit(limit - len(found)))
    db.session.commit()
    return found


def _queued(project_id: int | Mapped[int], rank: int, now: datetime) -> Select[int, str]:
    """Return the query for a project's due pages of one rank, the longest waiting first."""
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
