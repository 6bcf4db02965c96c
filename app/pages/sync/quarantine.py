"""Quarantined removals: which one is open, and how a person confirms it.

A sync that finds a mass removal marks no page stale. It records the missing pages, and the removals wait for
a complete sync ten minutes later, or for a person.
"""

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import BindParameter, Select, and_, bindparam, exists, or_, select, update
from sqlalchemy.orm import aliased

from app.infra.clock import utc_now
from app.infra.db import changed_rows, db, table_of
from app.pages.model import Page, SitemapSync, SitemapSyncChange
from app.pages.page_counts import note_stale
from app.pages.sync.page_changes import lock_project, mark_stale, quarantined_by
from app.pages.sync.staging import known_pages, listed
from app.pages.sync.sync_history import get_sync
from app.projects.model import Project

CONCLUSIVE: Final = ("ok", "quarantined", "confirmed")
"""The states of syncs that decided about missing pages; partial and failed syncs decide nothing."""

# The tables rather than the models, and no list of states: each request for a project asks.
_SYNCS: Final = table_of(SitemapSync).c
_CHANGES: Final = table_of(SitemapSyncChange).c
_IS_CONCLUSIVE: Final = or_(*(_SYNCS.state == state for state in CONCLUSIVE))
_IS_OPEN: Final = (
    _SYNCS.state == "quarantined",
    exists().where(_CHANGES.sync_id == _SYNCS.id, _CHANGES.kind == "missing"),
)
"""Whether a project's last conclusive sync has pages that wait for a decision."""


def _last_of(project_id: Any) -> Select[int]:
    of_project = _SYNCS.project_id == project_id, _IS_CONCLUSIVE
    return select(_SYNCS.id).where(*of_project).order_by(_SYNCS.id.desc()).limit(1)


def last_conclusive_sync(project_id: int) -> SitemapSync | None:
    """Return the last sync that decided about missing pages: a complete one, or a person's confirmation."""
    return db.session.scalar(select(SitemapSync).where(SitemapSync.id.in_(_last_ids([project_id]))))


def quarantine_of(project_id: int | BindParameter[int]) -> Select[SitemapSync]:
    """Return the selection of the sync whose quarantined removals still wait for confirmation."""
    return select(SitemapSync).where(_SYNCS.id == _last_of(project_id).scalar_subquery(), *_IS_OPEN)


_QUARANTINE: Final = quarantine_of(bindparam("project_id"))
_QUARANTINE_ID: Final = _QUARANTINE.with_only_columns(_SYNCS.id)


def open_quarantine(project_id: int) -> SitemapSync | None:
    """Return the sync whose quarantined removals still wait for confirmation."""
    return db.session.scalar(_QUARANTINE, {"project_id": project_id})


def has_open_quarantine(project_id: int) -> bool:
    """Return whether quarantined removals of a project still wait for confirmation."""
    return db.session.scalar(_QUARANTINE_ID, {"project_id": project_id}) is not None


def open_quarantines(project_ids: Iterable[int]) -> dict[int, SitemapSync]:
    """Return the sync with an open quarantine by project, for those of the projects that have one.

    A quarantine is closed once a later sync has listed each of its pages again.
    """
    syncs = select(SitemapSync).where(SitemapSync.id.in_(_last_ids(project_ids)), *_IS_OPEN)
    return {sync.project_id: sync for sync in db.session.scalars(syncs)}


def is_quarantined_again(sync: SitemapSync, quarantine: SitemapSync | None) -> bool:
    """Return whether the open quarantine has pages that an earlier sync had quarantined."""
    if quarantine is None or sync.state != "quarantined" or sync.id == quarantine.id:
        return False
    then, now = SitemapSyncChange, aliased(SitemapSyncChange)
    same = exists().where(
        then.sync_id == sync.id,
        then.kind == "missing",
        now.sync_id == quarantine.id,
        now.kind == "missing",
        now.page_id == then.page_id,
    )
    return bool(db.session.scalar(select(same)))


def remove_listed(quarantine: SitemapSync) -> None:
    """Remove the pages that the staged sitemap lists from a quarantine; the caller commits."""
    changed_rows(
        update(SitemapSyncChange)
        .where(
            SitemapSyncChange.sync_id == quarantine.id,
            SitemapSyncChange.kind == "missing",
            SitemapSyncChange.page_id.in_(
                select(Page.id).where(Page.project_id == quarantine.project_id, listed())
            ),
        )
        .values(kind="found")
    )


def confirm_removals(project: Project, sync_id: int) -> SitemapSync | None:
    """Mark the pages in a sync's quarantine stale because a person confirmed that they are gone; commits.

    Return the history row of the confirmation, None if the quarantine is closed. Raises NOT_FOUND.
    """
    get_sync(project, sync_id)
    lock_project(project.id)
    quarantine = open_quarantine(project.id)
    if quarantine is None or quarantine.id != sync_id:
        db.session.rollback()
        return None
    at = utc_now()
    confirmation = SitemapSync(
        project_id=project.id,
        sitemap_url=quarantine.sitemap_url,
        state="confirmed",
        complete=True,
        found=quarantine.found,
        missing=quarantine.missing,
        problems=[],
        at=at,
    )
    db.session.add(confirmation)
    db.session.flush()
    which = and_(known_pages(project.id), quarantined_by(quarantine.id))
    confirmation.stale = mark_stale(project, confirmation.id, which, at)
    note_stale(project.id, confirmation.stale)
    # The pages that stay are those that the quarantined sync found.
    project.last_synced_at = quarantine.at
    project.coverage_due_at = at
    db.session.commit()
    return confirmation


def _last_ids(project_ids: Iterable[int]) -> list[int]:
    # A query of its own: as a subquery, PostgreSQL would read the changes of all customers.
    last = select(_last_of(Project.id).correlate(Project).scalar_subquery()).select_from(Project)
    found = db.session.scalars(last.where(Project.id.in_(list(project_ids))))
    return [sync_id for sync_id in found if sync_id is not None]
