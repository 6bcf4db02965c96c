"""Syncs of a served sitemap into the pages of a project, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages import service
from app.pages.sync.apply import apply_sitemap
from app.pages.sync.sync_history import list_syncs
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import index, pages_of, project_at, urlset
from tests.support.syncing import changed, counts, fresh, listing, read, row_versions, stale, synced

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


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


def test_two_projects_of_one_site_do_not_touch_each_others_pages(project: Project, site: SiteServer) -> None:
    other = project_at(site.url, f"{site.url}/sitemap.xml", "bob@example.com")
    synced(other, site, listing(site, "a", "b", "c", lastmod="2024-05-01"))
    synced(other, site, listing(site, "a", "c"))
    theirs = row_versions(other)
    row = synced(project, site, listing(site, "a", "b", "d", lastmod="2024-06-01"))
    assert counts(row) == (3, 3, 0, 0, 0)
    row = synced(project, site, listing(site, "a", "b", lastmod="2024-07-01"))
    assert counts(row) == (2, 0, 0, 1, 2)
    row = synced(project, site, listing(site, "a", "b", "c", "d", lastmod="2024-07-01"))
    assert counts(row) == (4, 1, 1, 0, 2)
    assert row_versions(other) == theirs


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
        assert page.read_due_at is None
    assert (page.is_stale, page.in_sitemap) == (False, True)


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


@pytest.mark.parametrize("never", ["0001-01-01", "1969-12-31", "2062-01-01", "9999-12-31T23:59:59-12:00"])
def test_an_impossible_date_is_ignored_and_reported_and_hides_no_later_change(
    project: Project, site: SiteServer, never: str
) -> None:
    row = synced(project, site, listing(site, "a", lastmod=never))
    assert pages_of(project.id)[f"{site.url}/a"].lastmod is None
    assert [problem["code"] for problem in row.problems] == ["INVALID_DATES"]
    synced(project, site, listing(site, "a", lastmod="2024-05-02"))
    assert pages_of(project.id)[f"{site.url}/a"].lastmod == datetime(2024, 5, 2, tzinfo=UTC)


def test_a_sitemap_of_several_gigabytes_can_be_synced(project: Project, site: SiteServer) -> None:
    site.serve("/sitemap.xml", listing(site, "a"))
    buffer = read(project, site)
    buffer.report.bytes = 5_000_000_000
    apply_sitemap(project.id, None, buffer, 0.5)
    db.session.commit()
    assert [each.bytes for each in list_syncs(project, 1, 10)[0]] == [5_000_000_000]


def test_a_page_that_moves_between_children_is_neither_stale_nor_new(
    project: Project, site: SiteServer
) -> None:
    site.serve("/one.xml", listing(site, "a", "b"))
    site.serve("/two.xml", listing(site, "c"))
    synced(project, site, index([f"{site.url}/one.xml", f"{site.url}/two.xml"]))
    site.serve("/one.xml", listing(site, "a"))
    site.serve("/two.xml", listing(site, "b", "c"))
    assert counts(synced(project, site)) == (3, 0, 0, 0, 3)


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
    synced(project, site, listing(site, "a", "b")[:-30])
    db.session.refresh(project)
    assert (project.sync_status, project.last_synced_at) == ("partial", row.at)


def test_keywords_are_counted_again_when_pages_left_or_came_back_only(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a", "b"))
    synced(project, site, listing(site, "a", "b", lastmod="2026-01-01"))
    assert project.coverage_due_at is None
    synced(project, site, listing(site, "a"))
    left = project.coverage_due_at
    assert left is not None
    synced(project, site, listing(site, "a", "b"))
    assert project.coverage_due_at > left
