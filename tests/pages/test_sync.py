"""Syncs of a served sitemap into the pages of a project, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, text

from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.settings import current_settings
from app.pages import service, sync
from app.pages.model import Page, SitemapSync
from app.pages.sitemap_fetch import Spool, fetch_sitemap
from app.pages.sync_history import changes_of, list_syncs
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import feed, index, pages_of, project_at, urlset
from tests.support.together import together
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project(db_app: Flask, site: SiteServer) -> Project:
    return project_at(site.url, f"{site.url}/sitemap.xml")


def read(project: Project, site: SiteServer) -> Spool:
    """Read the sitemap as the operation does."""
    url = project.url
    db.session.rollback()
    return fetch_sitemap(
        current_settings(), url, f"{site.url}/sitemap.xml", seconds=30,
        should_stop=lambda: False, tell=lambda _urls, _children: None,
    )  # fmt: skip


def synced(project: Project, site: SiteServer, body: str | bytes | None = None) -> SitemapSync:
    """Serve ``body`` as the sitemap, if given, and sync it."""
    if body is not None:
        site.serve("/sitemap.xml", body)
    spool = read(project, site)
    row = sync.apply(project.id, None, spool, 0.5)
    db.session.commit()
    return row


def listing(site: SiteServer, *names: str, lastmod: str | None = None) -> str:
    return urlset([f"{site.url}/{name}" for name in names], lastmod)


def many(site: SiteServer, count: int) -> str:
    return listing(site, *(f"page-{number}" for number in range(count)))


def stale(project: Project) -> set[str]:
    return {url.rpartition("/")[2] for url, page in pages_of(project.id).items() if page.is_stale}


def fresh(project: Project) -> set[str]:
    return {url.rpartition("/")[2] for url, page in pages_of(project.id).items() if not page.is_stale}


def changed(row: SitemapSync, kind: str) -> list[str]:
    return [page.url.rpartition("/")[2] for page in changes_of(row, kind, 100)]


def counts(row: SitemapSync) -> tuple[int, int, int, int, int]:
    return row.found, row.new, row.returned, row.stale, row.unchanged


def row_versions(project: Project) -> list[Any]:
    """Every page row in full, and on PostgreSQL the transaction that last wrote it."""
    db.session.rollback()
    version = ", xmin::text" if db.engine.dialect.name == "postgresql" else ""
    statement = f"SELECT *{version} FROM pages WHERE project_id = {project.id} ORDER BY id"
    return [tuple(row) for row in db.session.execute(text(statement))]


def test_a_first_sync_adds_every_page_and_makes_it_due_for_reading(
    project: Project, site: SiteServer
) -> None:
    row = synced(project, site, listing(site, "a", "b", lastmod="2024-05-01"))
    assert (row.state, row.complete, counts(row)) == ("ok", True, (2, 2, 0, 0, 0))
    page = pages_of(project.id)[f"{site.url}/a"]
    assert (page.source, page.in_sitemap, page.is_stale) == ("SITEMAP", True, False)
    assert page.lastmod == datetime(2024, 5, 1, tzinfo=UTC)
    assert page.read_due_at is not None
    assert page.read_due_at <= utc_now()
    assert page.first_seen_at == page.last_seen_at == row.at


def test_the_same_sitemap_again_touches_no_page_row(project: Project, site: SiteServer) -> None:
    body = listing(site, "a", "b", "c", lastmod="2024-05-01T10:00:00.123456789+02:00")
    synced(project, site, body)
    before = row_versions(project)
    row = synced(project, site)
    assert row_versions(project) == before
    assert counts(row) == (3, 0, 0, 0, 3)
    assert [changed(row, kind) for kind in ("new", "returned", "stale")] == [[], [], []]


def test_a_page_that_disappears_turns_stale_and_is_kept(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b", "c"))
    before = pages_of(project.id)
    row = synced(project, site, listing(site, "a", "c"))
    assert (stale(project), fresh(project)) == ({"b"}, {"a", "c"})
    assert counts(row) == (2, 0, 0, 1, 2)
    page = pages_of(project.id)[f"{site.url}/b"]
    assert page.id == before[f"{site.url}/b"].id
    assert page.stale_since == row.at


def test_a_page_that_comes_back_is_fresh_under_its_old_id_and_read_again(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a", "b"))
    page = pages_of(project.id)[f"{site.url}/b"]
    page.read_due_at, page.fetched_at, page.read_attempts = None, utc_now(), 3
    db.session.commit()
    old_id = page.id
    synced(project, site, listing(site, "a"))
    assert stale(project) == {"b"}
    row = synced(project, site, listing(site, "a", "b"))
    page = pages_of(project.id)[f"{site.url}/b"]
    assert (page.id, page.is_stale, page.stale_since, page.in_sitemap) == (old_id, False, None, True)
    assert page.read_due_at == page.last_seen_at == row.at
    assert page.read_attempts == 0
    assert (counts(row), changed(row, "returned")) == ((2, 0, 1, 0, 1), ["b"])


def test_a_page_was_last_seen_by_the_last_sync_that_listed_it(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b"))
    last = synced(project, site).at
    synced(project, site, listing(site, "a"))
    assert pages_of(project.id)[f"{site.url}/b"].last_seen_at == last


def test_a_page_of_a_partial_sync_was_not_last_seen_before_it_was_first_seen(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a"))
    partial = synced(project, site, listing(site, "a", "b")[:-10])
    assert (partial.state, fresh(project)) == ("partial", {"a", "b"})
    synced(project, site, listing(site, "a"))
    page = pages_of(project.id)[f"{site.url}/b"]
    assert page.is_stale
    assert page.first_seen_at == page.last_seen_at == partial.at


def test_a_page_added_by_hand_stays_fresh_as_long_as_the_sitemap_never_named_it(
    project: Project, site: SiteServer
) -> None:
    service.add_page(project, {"url": f"{site.url}/mine", "content": "My own words."})
    for body in (listing(site, "a", "b"), listing(site, "a"), listing(site)):
        synced(project, site, body)
    assert "mine" in fresh(project)


def test_a_page_added_by_hand_and_then_listed_turns_stale_when_it_disappears(
    project: Project, site: SiteServer
) -> None:
    page_id = service.add_page(project, {"url": f"{site.url}/mine"})[0].id
    row = synced(project, site, listing(site, "a", "mine"))
    page = pages_of(project.id)[f"{site.url}/mine"]
    assert (page.id, page.source, page.in_sitemap) == (page_id, "MANUAL", True)
    assert counts(row) == (2, 1, 0, 0, 1)
    synced(project, site, listing(site, "a"))
    assert stale(project) == {"mine"}


def test_a_page_supplied_with_its_text_is_never_made_due_by_a_sitemap(
    project: Project, site: SiteServer
) -> None:
    service.add_page(project, {"url": f"{site.url}/mine", "content": "My own words."})
    for body in (listing(site, "mine", lastmod="2024-05-01"), listing(site, "a"), listing(site, "mine")):
        synced(project, site, body)
    page = pages_of(project.id)[f"{site.url}/mine"]
    assert (page.is_stale, page.in_sitemap, page.read_due_at) == (False, True, None)


def test_a_newer_lastmod_makes_a_page_due_and_an_older_one_does_not(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a", lastmod="2024-05-01"))
    pages_of(project.id)[f"{site.url}/a"].read_due_at = None
    db.session.commit()
    synced(project, site, listing(site, "a", lastmod="2024-04-30"))
    assert pages_of(project.id)[f"{site.url}/a"].read_due_at is None
    row = synced(project, site, listing(site, "a", lastmod="2024-05-02"))
    page = pages_of(project.id)[f"{site.url}/a"]
    assert page.read_due_at == row.at
    assert page.lastmod == datetime(2024, 5, 2, tzinfo=UTC)


@pytest.mark.parametrize("cut", [10, 45, 90])
def test_a_truncated_sitemap_marks_nothing_stale_but_adds_what_it_names(
    project: Project, site: SiteServer, cut: int
) -> None:
    synced(project, site, listing(site, "a", "b", "c"))
    row = synced(project, site, listing(site, "new", "a", "b", "c")[:-cut])
    assert (row.state, row.complete, stale(project)) == ("partial", False, set())
    assert "new" in fresh(project)
    assert {problem["code"] for problem in row.problems} >= {"PARTIAL", "TRUNCATED"}


def test_a_partial_sync_revives_what_it_names(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b"))
    synced(project, site, listing(site, "a"))
    row = synced(project, site, listing(site, "b", "a")[:-10])
    assert (row.state, row.returned, stale(project)) == ("partial", 1, set())


@pytest.mark.parametrize("status", [404, 410, 500])
def test_a_child_that_does_not_answer_marks_nothing_stale_and_is_named(
    project: Project, site: SiteServer, status: int
) -> None:
    children = [f"{site.url}/one.xml", f"{site.url}/two.xml"]
    site.serve("/one.xml", listing(site, "a"))
    site.serve("/two.xml", listing(site, "b"))
    synced(project, site, index(children))
    assert fresh(project) == {"a", "b"}
    site.serve("/two.xml", "gone", status=status)
    row = synced(project, site)
    assert (row.state, row.children, stale(project)) == ("partial", 2, set())
    assert any(problem["where"] == children[1] for problem in row.problems)


def test_a_page_that_moves_between_children_is_neither_stale_nor_new(
    project: Project, site: SiteServer
) -> None:
    site.serve("/one.xml", listing(site, "a", "b"))
    site.serve("/two.xml", listing(site, "c"))
    synced(project, site, index([f"{site.url}/one.xml", f"{site.url}/two.xml"]))
    site.serve("/one.xml", listing(site, "a"))
    site.serve("/two.xml", listing(site, "b", "c"))
    assert counts(synced(project, site)) == (3, 0, 0, 0, 3)


def test_a_feed_never_marks_stale(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b"))
    row = synced(project, site, feed([f"{site.url}/b", f"{site.url}/news"]))
    assert (row.complete, row.new, stale(project)) == (False, 1, set())


def test_an_empty_sitemap_is_held_and_counts_when_the_next_sync_says_the_same(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a", "b"))
    row = synced(project, site, listing(site))
    assert (row.state, row.complete, row.missing, stale(project)) == ("held", True, 2, set())
    assert sync.summary(row)["held"] is True
    assert [problem["code"] for problem in row.problems] == ["HELD"]
    row = synced(project, site)
    assert (row.state, row.stale, stale(project)) == ("ok", 2, {"a", "b"})


def test_a_sudden_loss_is_held_and_forgotten_when_the_pages_are_back(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    assert synced(project, site, many(site, 9)).state == "held"
    assert counts(synced(project, site, many(site, 20))) == (20, 0, 0, 0, 20)
    assert synced(project, site, many(site, 9)).state == "held"
    assert stale(project) == set()


def test_another_loss_of_the_same_size_confirms_nothing(project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 20))
    row = synced(project, site, listing(site, *(f"page-{number}" for number in range(9))))
    assert (row.state, len(changed(row, "missing"))) == ("held", 11)
    row = synced(project, site, listing(site, *(f"page-{number}" for number in range(9, 18))))
    assert (row.state, stale(project)) == ("held", set())


def test_a_held_loss_counts_also_when_new_pages_come_with_it(project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 20))
    moved = [f"moved-{number}" for number in range(20)]
    assert synced(project, site, listing(site, *moved)).state == "held"
    assert synced(project, site, listing(site, *moved, "one-more")).stale == 20
    assert fresh(project) == {*moved, "one-more"}


def test_a_failure_between_two_readings_does_not_confirm_a_loss(project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 20))
    assert synced(project, site, many(site, 9)).state == "held"
    assert synced(project, site, many(site, 9)[:-30]).state == "partial"
    assert synced(project, site, many(site, 9)).state == "held"
    assert synced(project, site, many(site, 9)).stale == 11


def test_half_of_the_pages_may_go_at_once(project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 20))
    assert synced(project, site, many(site, 10)).stale == 10


def test_spellings_of_one_address_are_one_page_and_counted(project: Project, site: SiteServer) -> None:
    row = synced(project, site, listing(site, "a", "a#top", "./a", "%61", "b"))
    assert (row.found, row.duplicates, fresh(project)) == (2, 3, {"a", "b"})


def test_pages_of_other_hosts_are_counted_and_left_out(project: Project, site: SiteServer) -> None:
    row = synced(project, site, urlset([f"{site.url}/a", "https://other.example/a", "http://127.0.0.1:1/a"]))
    assert (row.found, row.foreign, len(pages_of(project.id))) == (1, 2, 1)


def test_entries_that_are_no_address_are_counted_and_named(project: Project, site: SiteServer) -> None:
    row = synced(project, site, urlset([f"{site.url}/a", "mailto:alice@example.com", "http://[bad/"]))
    assert (row.state, row.found, row.invalid) == ("ok", 1, 2)
    assert {"INVALID_URL"} == {problem["code"] for problem in row.problems}


def test_the_row_of_a_sync_says_what_it_did(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b"))
    synced(project, site, listing(site, "a"))
    row = synced(project, site, listing(site, "b", "c"))
    assert counts(row) == (2, 1, 1, 1, 0)
    assert [changed(row, kind) for kind in ("new", "returned", "stale")] == [["c"], ["b"], ["a"]]
    assert row.bytes == len(listing(site, "b", "c"))
    assert (row.children, row.duration_ms, row.sitemap_url) == (0, 500, f"{site.url}/sitemap.xml")
    rows, total = list_syncs(project, 1, 2)
    assert ([found.id for found in rows], total) == ([row.id, row.id - 1], 3)


def test_a_project_knows_how_its_last_sync_went(project: Project, site: SiteServer) -> None:
    row = synced(project, site, listing(site, "a", "b"))
    db.session.refresh(project)
    assert (project.sync_status, project.last_synced_at) == ("ok", row.at)
    assert project.coverage_due_at is not None
    synced(project, site, listing(site, "a", "b")[:-30])
    db.session.refresh(project)
    assert (project.sync_status, project.last_synced_at) == ("partial", row.at)


def test_a_sync_that_is_rolled_back_leaves_everything_as_it_was(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b"))
    before, syncs = row_versions(project), list_syncs(project, 1, 10)[1]
    site.serve("/sitemap.xml", listing(site, "b", "c"))
    spool = read(project, site)
    row = sync.apply(project.id, None, spool, 0.0)
    assert counts(row) == (2, 1, 0, 1, 1)
    db.session.rollback()
    assert row_versions(project) == before
    assert list_syncs(project, 1, 10)[1] == syncs
    # The same reading can be applied after all, in a transaction of its own.
    sync.apply(project.id, None, spool, 0.0)
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


@pytest.mark.parametrize("database_kind", [pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_a_page_that_another_transaction_is_just_adding_does_not_fail_the_sync(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    site.serve("/sitemap.xml", listing(site, "a", "b"))
    spool = read(project, site)
    listed = {url: key for key, url, _ in spool}
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

        def one() -> tuple[int, int, int, int, int]:
            with db_app.app_context():
                row = sync.apply(project_id, None, spool, 0.0)
                db.session.commit()
                return counts(row)

        blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(one)
            eventually(lambda: db.session.scalar(blocked), "the sync waits for the other transaction")
            other.commit()
            assert waiting.result(20) == (2, 1, 0, 0, 1)
    page = pages_of(project_id)[f"{site.url}/a"]
    assert (page.source, page.in_sitemap) == ("MANUAL", True)


def test_another_project_with_the_same_addresses_is_left_alone(project: Project, site: SiteServer) -> None:
    bobs = project_at(site.url, email="bob@example.com")
    synced(project, site, listing(site, "a", "b"))
    synced(bobs, site)
    before = row_versions(bobs)
    synced(project, site, listing(site, "a"))
    assert row_versions(bobs) == before
    assert stale(project) == {"b"}


def test_a_large_sitemap_is_applied_in_seconds(project: Project, site: SiteServer) -> None:
    assert counts(synced(project, site, many(site, 20_000))) == (20_000, 20_000, 0, 0, 0)
    before = row_versions(project)
    assert counts(synced(project, site)) == (20_000, 0, 0, 0, 20_000)
    assert row_versions(project) == before
    assert db.session.scalar(select(Page.id).where(Page.is_stale).limit(1)) is None
