"""The counts beside a project: as its pages are after whatever happens, and lists while a sync is open."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from random import Random

import pytest
from flask import Flask
from sqlalchemy import func, insert, select, text

from app.infra.db import db, reading
from app.infra.urls import url_key
from app.pages import service
from app.pages.model import Page
from app.pages.service import PageFilter
from app.pages.sync import quarantine
from app.pages.sync.apply import apply_sitemap
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import feed, page_counts, project_at
from tests.support.syncing import listing, many, read, synced
from tests.support.together import together
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("db_app")

EVERYTHING = PageFilter()
NAMES = [f"page-{number}" for number in range(40)]


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def stored(project_id: int) -> tuple[int, int, datetime | None]:
    """The counts in the project's row."""
    db.session.rollback()
    columns = (Project.page_count, Project.stale_page_count, Project.newest_page_at)
    return tuple(db.session.execute(select(*columns).where(Project.id == project_id)).one())  # type: ignore[return-value]


def counted(project_id: int) -> tuple[int, int, datetime | None]:
    """The same, counted in the pages."""
    columns = (func.count(), func.count().filter(Page.is_stale), func.max(Page.created_at))
    db.session.rollback()
    return tuple(db.session.execute(select(*columns).where(Page.project_id == project_id)).one())  # type: ignore[return-value]


@pytest.mark.parametrize("seed", range(4))
def test_the_counts_are_those_of_the_pages_after_any_sequence(
    project: Project, site: SiteServer, seed: int
) -> None:
    random = Random(seed)
    bobs = project_at(site.url, email="bob@example.com")
    for _ in range(12):
        names = random.sample(NAMES, random.choice((0, 1, 5, 30, 38)))
        body, urls = listing(site, *names), [f"{site.url}/{name}" for name in names]
        match random.choice(("whole", "whole", "twice", "feed", "hand", "word")):
            case "whole":
                synced(project, site, body)
            case "twice":  # a sudden loss counts when it is read again
                synced(project, site, body), synced(project, site)
            case "feed" if names:
                synced(project, site, feed(urls))
            case "hand":
                for url in urls[:5]:
                    service.add_page(project, {"url": url})
            case _:
                quarantined = quarantine.open_quarantine(project.id)
                if quarantined is not None:
                    quarantine.confirm_removals(project, quarantined.id)
        assert stored(project.id) == counted(project.id)
        pages, stale, _newest = stored(project.id)
        assert (page_counts(project.id), page_counts(bobs.id)) == ((pages - stale, stale), (0, 0))
        for state, total in ((None, pages), (True, stale), (False, pages - stale)):
            rows, counted_total = service.list_pages(project, PageFilter(stale=state), 1, 100)
            assert (len(rows), counted_total) == (total, total)


def test_confirmed_removals_are_counted_as_stale(project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 30))
    quarantined = synced(project, site, many(site, 3))
    assert (quarantined.state, stored(project.id)[:2]) == ("quarantined", (30, 0))
    quarantine.confirm_removals(project, quarantined.id)
    assert stored(project.id) == counted(project.id)
    assert stored(project.id)[:2] == (30, 27)


def test_a_sync_that_changes_nothing_leaves_the_counts_and_a_rollback_too(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 5))
    before = stored(project.id)
    synced(project, site)
    assert stored(project.id) == before
    site.serve("/sitemap.xml", many(site, 9))
    apply_sitemap(project.id, None, read(project, site), 0.0)
    db.session.rollback()
    assert stored(project.id) == before == counted(project.id)


def test_pages_added_by_hand_while_syncs_apply_are_counted_once(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    project_id = project.id
    synced(project, site, listing(site, *NAMES[:10]))
    for round_ in range(3):
        # Each round lists some again that went stale, leaves others out, and has new ones.
        site.serve("/sitemap.xml", listing(site, *NAMES[round_ : 10 + 5 * round_ : 1 + round_ % 2]))
        turns = iter(("sync", "hand", "sync", "hand"))

        def one(turns: Iterator[str] = turns) -> None:
            mine = db.session.get_one(Project, project_id)
            if next(turns) == "sync":
                synced(mine, site)
            else:
                for name in NAMES[:20]:
                    service.add_page(mine, {"url": f"{site.url}/{name}"})
            db.session.remove()

        together(db_app, one, 4)
        assert stored(project_id) == counted(project_id)


@pytest.mark.parametrize("database_kind", [pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_a_stale_page_that_a_sync_and_a_person_revive_is_counted_fresh_once(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a", "b"))
    synced(project, site, listing(site, "b"))
    project_id, url = project.id, f"{site.url}/a"
    assert stored(project_id)[:2] == (2, 1)

    def by_hand() -> None:
        with db_app.app_context():
            service.add_page(db.session.get_one(Project, project_id), {"url": url})

    site.serve("/sitemap.xml", listing(site, "a", "b"))
    assert apply_sitemap(project_id, None, read(project, site), 0.0).returned == 1
    with ThreadPoolExecutor(1) as pool:
        adding = pool.submit(by_hand)
        blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        eventually(lambda: db.session.scalar(blocked), "the person waits for the sync")
        db.session.commit()
        adding.result(20)
    assert stored(project_id) == counted(project_id)
    assert stored(project_id)[:2] == (2, 0)


def listed(app: Flask, project_id: int, where: PageFilter = EVERYTHING) -> tuple[list[str], int]:
    """The whole list by pages of 3, or of 1000, as somebody else sees it meanwhile."""

    def one() -> tuple[list[str], int]:
        found: list[str] = []
        with app.app_context(), reading():
            project = db.session.get_one(Project, project_id)
            total = service.list_pages(project, where, 1, 3)[1]
            size = 3 if total < 100 else 1000
            for number in range(1, total // size + 3):
                found += [page.url for page in service.list_pages(project, where, number, size)[0]]
        return [url.rpartition("/")[2] for url in found], total

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(one).result(20)


def test_a_list_is_right_and_complete_while_a_sync_has_thousands_uncommitted(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    project_id = project.id
    assert listed(db_app, project_id) == ([], 0)
    synced(project, site, listing(site, "a", "b", "c", "d"))
    synced(project, site, listing(site, "b", "c", "d"))
    service.add_page(project, {"url": f"{site.url}/hand"})
    site.serve("/sitemap.xml", listing(site, "a", "c", *(f"new-{number}" for number in range(3000))))
    row = apply_sitemap(project_id, None, read(project, site), 0.0)
    assert (row.new, row.returned, row.stale) == (3000, 1, 2)
    assert listed(db_app, project_id) == (["hand", "d", "c", "b", "a"], 5)
    assert listed(db_app, project_id, PageFilter(stale=True)) == (["a"], 1)
    assert listed(db_app, project_id, PageFilter(stale=False)) == (["hand", "d", "c", "b"], 4)
    assert listed(db_app, project_id, PageFilter(source="SITEMAP")) == (["d", "c", "b", "a"], 4)
    assert listed(db_app, project_id, PageFilter(q="hand")) == (["hand"], 1)
    db.session.commit()
    assert stored(project_id) == counted(project_id)
    assert len(set(listed(db_app, project_id)[0])) == 3005
    assert listed(db_app, project_id, PageFilter(stale=True)) == (["d", "b"], 2)


@pytest.mark.parametrize("database_kind", [pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_a_page_added_by_hand_in_the_midst_of_a_sync_is_listed_at_once(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    project_id, url = project.id, f"{site.url}/hand"
    with db.engine.connect() as other:
        rows = [
            {
                "project_id": project_id,
                "url": f"{url}-{number}",
                "url_key": url_key(f"{url}-{number}"),
                "source": "SITEMAP",
            }
            for number in range(3000)
        ]
        other.execute(insert(Page), rows)
        service.add_page(project, {"url": url})
        assert listed(db_app, project_id) == (["hand"], 1)
        assert stored(project_id) == counted(project_id)
