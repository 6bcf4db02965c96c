"""Removes syncs that are older than ``JOB_RETENTION_DAYS``, with the rows of what they changed.

A project's last conclusive sync stays however old it is: the next sync is compared with it, and its
quarantine may still be open.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, or_, select, tuple_
from sqlalchemy.orm import aliased

from app.infra.clock import utc_now
from app.infra.db import changed_rows, db
from app.infra.settings import current_settings
from app.pages.model import SitemapSync, SitemapSyncChange
from app.pages.sync.quarantine import CONCLUSIVE

BATCH: Final = 200
CHANGES: Final = 20_000
"""Rows of changes removed in one batch. One sync may have more."""

ROUNDS: Final = 10
"""Batches in one run; the next run continues."""


def prune() -> int:
    """Remove expired syncs, with a commit for each batch; return how many were removed.

    Running it twice, or in two processes at once, does no harm.
    """
    removed = 0
    for _ in range(ROUNDS):
        ids = _locked()
        if not ids:
            break
        removed += _removed(ids)
        db.session.commit()
    db.session.rollback()
    return removed


def _locked() -> list[int]:
    oldest = utc_now() - timedelta(days=current_settings().job_retention_days)
    statement = (
        select(SitemapSync.id)
        .where(SitemapSync.at < oldest, or_(SitemapSync.state.not_in(CONCLUSIVE), _is_followed()))
        .order_by(SitemapSync.at)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    return list(db.session.scalars(statement))


def _is_followed() -> ColumnElement[bool]:
    """Return the condition that the same project has a later conclusive sync.

    It asks whose the next conclusive sync in the index of projects is. For an EXISTS, PostgreSQL may scan the
    syncs of all projects.
    """
    later = aliased(SitemapSync)
    place = (later.project_id, later.id)
    following = (
        select(later.project_id)
        .where(tuple_(*place) > tuple_(SitemapSync.project_id, SitemapSync.id), later.state.in_(CONCLUSIVE))
        .order_by(*place)
        .limit(1)
    )
    return following.scalar_subquery() == SitemapSync.project_id


def _removed(sync_ids: Sequence[int]) -> int:
    """Remove changes of the syncs and, when none are left, the syncs; return how many syncs were removed."""
    change = SitemapSyncChange
    theirs = change.sync_id.in_(sync_ids)
    some = select(change.sync_id, change.page_id).where(theirs).limit(CHANGES)
    if (
        changed_rows(delete(change).where(theirs, tuple_(change.sync_id, change.page_id).in_(some)))
        == CHANGES
    ):
        return 0
    return changed_rows(delete(SitemapSync).where(SitemapSync.id.in_(sync_ids)))
