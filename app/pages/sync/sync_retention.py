"""What is kept of syncs, and for how long: their rows and what they changed, for ``JOB_RETENTION_DAYS``.

A project's last settling sync stays however old it is: the next one is judged by it, and a loss that it held
may be open still.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, or_, select, tuple_
from sqlalchemy.orm import aliased

from app.infra.clock import utc_now
from app.infra.db import changed_rows, db
from app.infra.settings import current_settings
from app.pages.model import SitemapSync, SitemapSyncChange
from app.pages.sync.quarantine import SETTLING

BATCH: Final = 200
CHANGES: Final = 20_000
"""So many of the pages that syncs changed go in one batch, which may be fewer than one sync has."""

ROUNDS: Final = 10
"""Batches in one run; the rest waits for the next run."""


def prune() -> int:
    """Remove the syncs whose time is over, a commit for each batch; return how many went.

    Harmless when it runs twice, or at once in two processes.
    """
    gone = 0
    for _ in range(ROUNDS):
        ids = _taken()
        if not ids:
            break
        gone += _removed(ids)
        db.session.commit()
    db.session.rollback()
    return gone


def _taken() -> list[int]:
    """Lock a batch of syncs; what another process works on is left to it."""
    over = utc_now() - timedelta(days=current_settings().job_retention_days)
    statement = (
        select(SitemapSync.id)
        .where(SitemapSync.at < over, or_(SitemapSync.state.not_in(SETTLING), _is_followed()))
        .order_by(SitemapSync.at)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    return list(db.session.scalars(statement))


def _is_followed() -> ColumnElement[bool]:
    """Return the condition that a later sync of the same project has settled.

    Asked as: whose is the next settling one in the index of projects? Asked whether there is one, PostgreSQL
    may look for it through the syncs of all.
    """
    later = aliased(SitemapSync)
    place = (later.project_id, later.id)
    following = (
        select(later.project_id)
        .where(tuple_(*place) > tuple_(SitemapSync.project_id, SitemapSync.id), later.state.in_(SETTLING))
        .order_by(*place)
        .limit(1)
    )
    return following.scalar_subquery() == SitemapSync.project_id


def _removed(sync_ids: Sequence[int]) -> int:
    """Remove what the syncs changed and, when none of that is left, the syncs; return how many of these."""
    told = SitemapSyncChange
    theirs = told.sync_id.in_(sync_ids)
    some = select(told.sync_id, told.page_id).where(theirs).limit(CHANGES)
    if changed_rows(delete(told).where(theirs, tuple_(told.sync_id, told.page_id).in_(some))) == CHANGES:
        return 0
    return changed_rows(delete(SitemapSync).where(SitemapSync.id.in_(sync_ids)))
