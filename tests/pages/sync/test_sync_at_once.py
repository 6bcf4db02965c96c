"""Syncs as transactions: rolled back, at the same moment as others, beside other projects, and large."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

import pytest
from flask import Flask
from sqlalchemy import select, text

from app.infra.db import db
from app.pages import service
from app.pages.model import Page
from app.pages.sitemaps.url_buffer import Row, UrlBuffer
from app.pages.sync.apply import apply_sitemap
from app.pages.sync.sync_history import list_syncs
from app.projects.model import Project
from tests.support.locks import somebody_waits
from tests.support.servers import SiteServer
from tests.support.sites import pages_of
from tests.support.syncing import counts, fresh, listing, many, read, row_versions, stale, synced
from tests.support.together import together
from tests.support.waiting import eventually

T = TypeVar("T")

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def test_a_sync_that_is_rolled_back_leaves_everything_as_it_was(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b"))
    before, syncs = row_versions(project), list_syncs(project, 1, 10)[1]
    site.serve("/sitemap.xml", listing(site, "b", "c"))
    buffer = read(project, site)
    row = apply_sitemap(project.id, None, buffer, 0.0)
    assert counts(row) == (2, 1, 0, 1, 1)
    db.session.rollback()
    assert row_versions(project) == before
    assert list_syncs(project, 1, 10)[1] == syncs
    # The same reading can be applied after all, in a transaction of its own.
    apply_sitemap(project.id, None, buffer, 0.0)
    db.session.commit()
    assert (stale(project), fresh(project)) == ({"a"}, {"b", "c"})


def test_syncs_at_the_same_moment_take_turns(db_app: Flask, project: Project, site: SiteServer) -> None:
    site.serve("/sitemap.xml", many(site, 50))
    project_id = project.id

    def one() -> tuple[int, int, int, int, int]:
        found = counts(synced(db.session.get_one(Project, project_id), site))
        db.session.remove()
        return found

    found = together(db_app, one, 4)
    assert sorted(found) == [(50, 0, 0, 0, 50)] * 3 + [(50, 50, 0, 0, 0)]
    assert len(pages_of(project_id)) == 50


def test_a_page_added_by_hand_while_a_sync_applies_is_one_page(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    site.serve("/sitemap.xml", listing(site, "a", "b"))
    project_id = project.id
    turns = iter(("sync", "hand"))

    def one() -> int:
        mine = db.session.get_one(Project, project_id)
        if next(turns) == "sync":
            synced(mine, site)
        else:
            service.add_page(mine, {"url": f"{site.url}/a"})
        db.session.remove()
        return 1

    together(db_app, one, 2)
    assert sorted(pages_of(project_id)) == [f"{site.url}/a", f"{site.url}/b"]


class _Slow(UrlBuffer):
    """Lists nothing before ``go`` is set, and sets ``asked`` when it is read."""

    def __init__(self, project_url: str, sitemap_url: str) -> None:
        super().__init__(project_url, sitemap_url)
        self.asked, self.go = Event(), Event()

    def blocks(self) -> Iterator[str]:
        return self._waited_for(super().blocks())

    def rows(self) -> Iterator[Row]:
        return self._waited_for(super().rows())

    def _waited_for(self, lines: Iterator[T]) -> Iterator[T]:
        self.asked.set()
        assert self.go.wait(20)
        yield from lines


class _Broken(UrlBuffer):
    """Loses its file after the first line."""

    def blocks(self) -> Iterator[str]:
        yield next(super().blocks())
        raise OSError("the file is gone")

    def rows(self) -> Iterator[Row]:
        yield next(super().rows())
        raise OSError("the file is gone")


def applied(app: Flask, project_id: int, buffer: UrlBuffer) -> tuple[int, int, int, int, int]:
    """Apply what was read, as another process would, and return what came of it."""
    with app.app_context():
        row = apply_sitemap(project_id, None, buffer, 0.0)
        db.session.commit()
        return counts(row)


def test_others_write_while_a_sync_stages_what_it_read(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    site.serve("/sitemap.xml", listing(site, "a", "b"))
    buffer = _Slow(site.url, f"{site.url}/sitemap.xml")
    read(project, site, into=buffer)
    project_id = project.id
    db.session.commit()

    with ThreadPoolExecutor(1) as pool:
        syncing = pool.submit(applied, db_app, project_id, buffer)
        assert buffer.asked.wait(20)
        try:
            service.add_page(project, {"url": f"{site.url}/a"})
        finally:
            buffer.go.set()
        # What was written meanwhile counts.
        assert syncing.result(20) == (2, 1, 0, 0, 1)
    assert sorted(pages_of(project_id)) == [f"{site.url}/a", f"{site.url}/b"]


def test_a_sync_that_fails_as_it_stages_leaves_nothing_behind(project: Project, site: SiteServer) -> None:
    site.serve("/sitemap.xml", listing(site, "a"))
    broken = _Broken(site.url, f"{site.url}/sitemap.xml")
    read(project, site, into=broken)
    project_id = project.id
    db.session.commit()
    with pytest.raises(OSError, match="gone"):
        apply_sitemap(project_id, None, broken, 0.0)
    db.session.rollback()
    assert pages_of(project_id) == {}
    assert counts(synced(project, site)) == (1, 1, 0, 0, 0)


@pytest.mark.parametrize("database_kind", [pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_a_page_that_another_transaction_is_just_adding_does_not_fail_the_sync(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    site.serve("/sitemap.xml", listing(site, "a", "b"))
    buffer = read(project, site)
    listed = {url: key for key, url, _ in buffer.rows()}
    columns = (
        "project_id, url, url_key, source, in_sitemap, always_use, is_stale, noindex, read_attempts,"
        " first_seen_at, created_at, updated_at"
    )
    with db.engine.connect() as other:
        other.execute(
            text(
                f"INSERT INTO pages ({columns}) VALUES (:project, :url, :key, 'MANUAL', false, false, false,"
                " false, 0, now(), now(), now())"
            ),
            {"project": project.id, "url": f"{site.url}/a", "key": listed[f"{site.url}/a"]},
        )
        project_id = project.id
        db.session.commit()

        blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(applied, db_app, project_id, buffer)
            eventually(lambda: db.session.scalar(blocked), "the sync waits for the other transaction")
            other.commit()
            assert waiting.result(20) == (2, 1, 0, 0, 1)
    page = pages_of(project_id)[f"{site.url}/a"]
    assert (page.source, page.in_sitemap) == ("MANUAL", True)


@pytest.mark.parametrize("database_kind", [pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_a_sync_waits_until_another_is_applied_and_compares_with_what_it_left(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    site.serve("/sitemap.xml", listing(site, "a", "b"))
    first = read(project, site)
    site.serve("/sitemap.xml", listing(site, "b", "c"))
    second, project_id = read(project, site), project.id
    db.session.commit()
    apply_sitemap(project_id, None, first, 0.0)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(applied, db_app, project_id, second)
        eventually(somebody_waits, "the second waits for the first")
        db.session.commit()
        assert waiting.result(20) == (2, 1, 0, 1, 1)
    assert (stale(project), fresh(project)) == ({"a"}, {"b", "c"})


def test_a_large_sitemap_is_applied_in_seconds(project: Project, site: SiteServer) -> None:
    assert counts(synced(project, site, many(site, 20_000))) == (20_000, 20_000, 0, 0, 0)
    before = row_versions(project)
    assert counts(synced(project, site)) == (20_000, 0, 0, 0, 20_000)
    assert row_versions(project) == before
    assert db.session.scalar(select(Page.id).where(Page.is_stale).limit(1)) is None
