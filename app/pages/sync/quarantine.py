"""Sudden losses that were held: which one is open, what was found again, and a person's word on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import and_, exists, select, update
from sqlalchemy.orm import aliased

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import Page, SitemapSync, SitemapSyncChange
from app.pages.page_counts import note_stale
from app.pages.sync.project_lock import lock_project
from app.pages.sync.staging import staged
from app.pages.sync.stale import known, mark_stale, told_missing
from app.pages.sync.sync_history import get_sync
from app.projects.model import Project

SETTLING: Final = ("ok", "held", "confirmed")
"""The states of syncs that had their say on what is missing."""

_LAST: Final = (
    select(SitemapSync.id)
    .where(SitemapSync.project_id == Project.id, SitemapSync.state.in_(SETTLING))
    .order_by(SitemapSync.id.desc())
    .limit(1)
    .correlate(Project)
    .scalar_subquery()
)
"""The id of a project's last settling sync."""


def last_settling(project_id: int) -> SitemapSync | None:
    """Return the last sync that had its say on what is missing: a complete one, or a person's word.

    Partial and failed ones are passed over: they neither confirm a loss nor undo it.
    """
    return db.session.scalar(select(SitemapSync).where(SitemapSync.id.in_(_last_ids([project_id]))))


def open_hold(project_id: int) -> SitemapSync | None:
    """Return the sync whose loss still waits for the next complete one, or for a person's word."""
    return open_holds([project_id]).get(project_id)


def open_holds(project_ids: Iterable[int]) -> dict[int, SitemapSync]:
    """Return by project the sync whose loss is open, for those of the projects that have one.

    A loss is over when nothing of it is left: its pages were found again, or there were none from the first.
    """
    is_left = exists().where(SitemapSyncChange.sync_id == SitemapSync.id, SitemapSyncChange.kind == "missing")
    last = SitemapSync.id.in_(_last_ids(project_ids))
    holds = select(SitemapSync).where(last, SitemapSync.state == "held", is_left)
    return {hold.project_id: hold for hold in db.session.scalars(holds)}


def is_held_again(sync: SitemapSync, hold: SitemapSync | None) -> bool:
    """Return whether pages that a sync held back are those of the loss that is open now."""
    if hold is None or sync.state != "held" or sync.id == hold.id:
        return False
    then, now = SitemapSyncChange, aliased(SitemapSyncChange)
    same = exists().where(
        then.sync_id == sync.id, then.kind == "missing",
        now.sync_id == hold.id, now.kind == "missing", now.page_id == then.page_id,
    )  # fmt: skip
    return bool(db.session.scalar(select(same)))


def note_found(hold: SitemapSync) -> None:
    """Take the pages that the staged sitemap lists out of a held loss; the caller commits."""
    db.session.execute(
        update(SitemapSyncChange)
        .where(
            SitemapSyncChange.sync_id == hold.id,
            SitemapSyncChange.kind == "missing",
            SitemapSyncChange.page_id.in_(
                select(Page.id).where(Page.project_id == hold.project_id, staged())
            ),
        )
        .values(kind="found")
        .execution_options(synchronize_session=False)
    )


def confirm_loss(project: Project, sync_id: int) -> SitemapSync | None:
    """Believe a held loss by a person's word: mark its pages stale, but for those that were found again.

    Returns the row that tells of it in the history; None when the loss was settled already. Raises NOT_FOUND.
    """
    get_sync(project, sync_id)
    lock_project(project.id)
    hold = open_hold(project.id)
    if hold is None or hold.id != sync_id:
        db.session.rollback()
        return None
    at = utc_now()
    word = SitemapSync(
        project_id=project.id, sitemap_url=hold.sitemap_url, state="confirmed", complete=True,
        found=hold.found, missing=hold.missing, problems=[], at=at,
    )  # fmt: skip
    db.session.add(word)
    db.session.flush()
    word.stale = mark_stale(project, word.id, and_(known(project.id), told_missing(hold.id)), at)
    note_stale(project.id, word.stale)
    # The pages that are left are those of the held reading.
    project.last_synced_at = hold.at
    project.coverage_due_at = at
    db.session.commit()
    return word


def _last_ids(project_ids: Iterable[int]) -> list[int]:
    # Asked by itself: within the statement that follows, PostgreSQL reads the changes of all customers.
    last = select(_LAST).select_from(Project)
    found = db.session.scalars(last.where(Project.id.in_(list(project_ids))))
    return [sync_id for sync_id in found if sync_id is not None]
