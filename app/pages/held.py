"""Sudden losses that were held: which one is open, what was found again, and a person's word on it."""

from __future__ import annotations

from sqlalchemy import and_, exists, select, update

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import Page, SitemapSync, SitemapSyncChange
from app.pages.page_counts import note_stale
from app.pages.project_lock import lock_project
from app.pages.stage import staged
from app.pages.stale import known, mark_stale, told_missing
from app.pages.sync_history import get_sync
from app.projects.model import Project

_SETTLING = ("ok", "held", "confirmed")


def last_settling(project_id: int) -> SitemapSync | None:
    """Return the last sync that had its say on what is missing: a complete one, or a person's word.

    Partial and failed ones are passed over: they neither confirm a loss nor undo it.
    """
    return db.session.scalar(
        select(SitemapSync)
        .where(SitemapSync.project_id == project_id, SitemapSync.state.in_(_SETTLING))
        .order_by(SitemapSync.id.desc())
        .limit(1)
    )


def open_hold(project_id: int) -> SitemapSync | None:
    """Return the sync whose loss still waits for the next complete one, or for a person's word.

    None when nothing of it is left: its pages were found again, or the sitemap was empty from the first.
    """
    last = last_settling(project_id)
    if last is None or last.state != "held":
        return None
    of = SitemapSyncChange
    is_left = db.session.scalar(select(exists().where(of.sync_id == last.id, of.kind == "missing")))
    return last if is_left else None


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
