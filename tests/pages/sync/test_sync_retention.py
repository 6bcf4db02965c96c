"""What is kept of old syncs, on both databases: what the next sync and a person still need."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import func, insert, literal, select, text, update

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import Page, SitemapSync, SitemapSyncChange
from app.pages.sync import quarantine, sync_retention
from app.projects.model import Project
from tests.support.plans import plans
from tests.support.servers import SiteServer
from tests.support.sites import project_at
from tests.support.syncing import failed, listing, many, stale, synced
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def aged(days: float = 401) -> None:
    """All syncs that there are, as if they had been so long ago."""
    db.session.execute(update(SitemapSync).values(at=utc_now() - timedelta(days=days)))
    db.session.commit()


def kept(project: Project) -> list[str]:
    """The states of the project's syncs, the oldest first."""
    db.session.rollback()
    mine = select(SitemapSync.state).where(SitemapSync.project_id == project.id)
    return list(db.session.scalars(mine.order_by(SitemapSync.id)))


def changes() -> int:
    return db.session.scalar(select(func.count()).select_from(SitemapSyncChange)) or 0


def test_expired_syncs_are_removed_and_the_pages_stay(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b", "c"))
    synced(project, site, listing(site, "a"))
    failed(project, site)
    aged()
    synced(project, site, listing(site, "a"))
    assert sync_retention.prune() == 3
    assert (kept(project), changes(), stale(project)) == (["ok"], 0, {"b", "c"})


def test_syncs_that_have_not_expired_stay(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b", "c"))
    synced(project, site, listing(site, "a"))
    synced(project, site, listing(site, "a"))
    aged(399)
    assert sync_retention.prune() == 0
    assert (len(kept(project)), changes()) == (3, 2)


def test_an_old_quarantine_that_is_open_stays_with_its_missing_pages(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    quarantined = synced(project, site, many(site, 5))
    failed(project, site)
    aged()
    assert sync_retention.prune() == 2
    assert kept(project) == ["quarantined"]
    word = quarantine.confirm_removals(project, quarantined.id)
    assert word is not None
    assert word.stale == 15


def test_the_last_conclusive_sync_of_each_project_stays(project: Project, site: SiteServer) -> None:
    bobs = project_at(site.url, email="bob@example.com")
    for mine in (project, bobs):
        synced(mine, site, listing(site, "a"))
        synced(mine, site, listing(site, "a", "b"))
        failed(mine, site)
    aged()
    assert sync_retention.prune() == 4
    assert (kept(project), kept(bobs)) == (["ok"], ["ok"])
    assert sync_retention.prune() == 0


def test_a_sync_that_changed_more_pages_than_go_at_once_goes_in_several_runs(
    project: Project, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_retention, "CHANGES", 4)
    monkeypatch.setattr(sync_retention, "ROUNDS", 1)
    synced(project, site, many(site, 19))
    synced(project, site, many(site, 10))
    aged()
    synced(project, site)
    found = []
    while changes():
        found.append((sync_retention.prune(), changes()))
    assert found == [(0, 5), (0, 1), (2, 0)]


def test_a_run_is_bounded_and_the_next_goes_on(
    project: Project, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_retention, "BATCH", 2)
    monkeypatch.setattr(sync_retention, "ROUNDS", 2)
    for _ in range(6):
        synced(project, site, listing(site, "a"))
    aged()
    assert [sync_retention.prune(), sync_retention.prune(), sync_retention.prune()] == [4, 1, 0]


def test_two_at_once_remove_each_sync_once(
    app: Flask, project: Project, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_retention, "BATCH", 2)
    for number in range(9):
        synced(project, site, listing(site, "a", *(["b"] if number % 2 else [])))
    aged()
    found = together(app, sync_retention.prune, 4)
    assert (sum(found), kept(project), changes()) == (8, ["ok"], 1)


@pytest.mark.thorough
def test_expired_syncs_are_found_without_reading_all(project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 10_000))
    synced(project, site, many(site, 5100))
    aged()
    bobs = project_at(site.url, email="bob@example.com")
    row = {"sitemap_url": site.url, "state": "ok", "complete": True, "problems": [], "at": utc_now()}
    rows = [{"project_id": each.id, **row} for each in (project, bobs)]
    db.session.execute(insert(SitemapSync), rows * 5000)
    newest = select(SitemapSync.id).order_by(SitemapSync.id.desc()).limit(3)
    for sync_id in db.session.scalars(newest).all():
        pages = select(Page.id, literal("returned"), literal(sync_id))
        db.session.execute(insert(SitemapSyncChange).from_select(["page_id", "kind", "sync_id"], pages))
    db.session.commit()
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
    found = plans(sync_retention.prune, lambda statement: "sitemap_sync" in statement)
    assert "ix_sitemap_syncs_at" in found[0]
    assert "ix_sitemap_syncs_project_newest" in found[0]
    assert len(found) == 4
    for plan in found:
        for costly in ("Seq Scan on sitemap_s", "SCAN sitemap_s"):
            assert costly not in plan, plan
