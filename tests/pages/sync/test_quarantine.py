"""Readings that are not whole, and sudden losses: what marks no page stale, on both databases."""

from __future__ import annotations

import re

import pytest

from app.infra.db import db
from app.pages.sync.apply import result_of
from app.pages.sync.quarantine import confirm_removals, open_quarantine
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import feed, index
from tests.support.syncing import changed, counts, failed, fresh, listing, many, stale, synced

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


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


def test_a_feed_never_marks_stale(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site, "a", "b"))
    row = synced(project, site, feed([f"{site.url}/b", f"{site.url}/news"]))
    assert (row.complete, row.new, stale(project)) == (False, 1, set())


def test_an_empty_sitemap_is_quarantined_until_the_next_sync_confirms_it(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a", "b"))
    row = synced(project, site, listing(site))
    assert (row.state, row.complete, row.missing, stale(project)) == ("quarantined", True, 2, set())
    assert result_of(row)["quarantined"] is True
    assert [problem["code"] for problem in row.problems] == ["QUARANTINED"]
    row = synced(project, site)
    assert (row.state, row.stale, stale(project)) == ("ok", 2, {"a", "b"})


def test_a_mass_removal_is_quarantined_until_the_pages_are_listed_again(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    assert synced(project, site, many(site, 9)).state == "quarantined"
    assert counts(synced(project, site, many(site, 20))) == (20, 0, 0, 0, 20)
    assert synced(project, site, many(site, 9)).state == "quarantined"
    assert stale(project) == set()


def test_another_removal_confirms_only_the_pages_that_both_syncs_miss(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    row = synced(project, site, listing(site, *(f"page-{number}" for number in range(9))))
    assert (row.state, len(changed(row, "missing"))) == ("quarantined", 11)
    row = synced(project, site, listing(site, *(f"page-{number}" for number in range(9, 17))))
    assert (row.state, stale(project)) == ("quarantined", {"page-17", "page-18", "page-19"})


def test_quarantined_removals_take_effect_also_when_new_pages_come_with_them(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    moved = [f"moved-{number}" for number in range(20)]
    assert synced(project, site, listing(site, *moved)).state == "quarantined"
    assert synced(project, site, listing(site, *moved, "one-more")).stale == 20
    assert fresh(project) == {*moved, "one-more"}


def test_partial_and_failed_syncs_neither_confirm_nor_close_a_quarantine(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    assert synced(project, site, many(site, 9)).state == "quarantined"
    assert synced(project, site, many(site, 9)[:-30]).state == "partial"
    failed(project, site)
    assert stale(project) == set()
    assert synced(project, site, many(site, 9)).stale == 11


def test_a_page_that_a_partial_sync_between_lists_is_judged_again(project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 40))
    assert synced(project, site, many(site, 15)).state == "quarantined"
    assert synced(project, site, many(site, 36)[:-10]).state == "partial"
    row = synced(project, site, many(site, 15))
    assert (row.state, row.stale, row.missing) == ("quarantined", 4, 21)
    assert synced(project, site).stale == 21


def test_half_of_the_pages_may_go_at_once(project: Project, site: SiteServer) -> None:
    synced(project, site, many(site, 20))
    assert synced(project, site, many(site, 10)).stale == 10


def test_a_removal_that_grows_with_each_sync_takes_effect_and_waits_no_longer(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    assert synced(project, site, many(site, 9)).state == "quarantined"
    for left, gone in ((8, 12), (7, 1), (6, 1)):
        row = synced(project, site, many(site, left))
        assert (row.state, row.stale) == ("ok", gone)
    assert fresh(project) == {f"page-{number}" for number in range(6)}


def test_of_two_removals_that_overlap_the_first_takes_effect_and_the_rest_waits(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 60))
    assert synced(project, site, many(site, 29)).state == "quarantined"
    row = synced(project, site, many(site, 5))
    assert (row.state, row.stale, row.missing, len(changed(row, "missing"))) == ("quarantined", 31, 24, 24)
    assert fresh(project) == {f"page-{number}" for number in range(29)}
    assert counts(synced(project, site)) == (5, 0, 0, 24, 5)


def test_another_sitemap_does_not_confirm_the_quarantine_of_the_last_one(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    quarantined = synced(project, site, many(site, 9))
    quarantined.sitemap_url = f"{site.url}/other.xml"
    db.session.commit()
    row = synced(project, site, many(site, 9))
    assert (row.state, row.missing, stale(project)) == ("quarantined", 11, set())


def test_another_sitemap_does_not_confirm_that_the_last_one_is_empty(
    project: Project, site: SiteServer
) -> None:
    empty = synced(project, site, listing(site))
    empty.sitemap_url = f"{site.url}/other.xml"
    db.session.commit()
    assert synced(project, site, listing(site)).state == "quarantined"


def test_an_entry_whose_bytes_are_damaged_marks_no_page_stale(project: Project, site: SiteServer) -> None:
    body = listing(site, *(f"page-{number}-x" for number in range(25)))
    synced(project, site, body)
    row = synced(project, site, re.sub(rb"(page-\d)-x", b"\\1-\xe9", body.encode()))
    assert (row.state, row.complete, row.invalid, row.stale) == ("partial", False, 10, 0)
    assert stale(project) == set()


def test_a_first_sitemap_that_is_empty_is_quarantined_until_the_next_sync_confirms_it(
    project: Project, site: SiteServer
) -> None:
    row = synced(project, site, listing(site))
    assert (row.state, row.complete, row.found, row.missing) == ("quarantined", True, 0, 0)
    assert [problem["code"] for problem in row.problems] == ["QUARANTINED"]
    assert open_quarantine(project.id) is None
    assert [synced(project, site).state for _ in range(2)] == ["ok", "ok"]
    row = synced(project, site, listing(site, "a"))
    assert (row.state, row.new) == ("ok", 1)


def test_a_failed_sync_between_does_not_undo_that_a_sitemap_is_empty(
    project: Project, site: SiteServer
) -> None:
    assert synced(project, site, listing(site)).state == "quarantined"
    failed(project, site)
    assert synced(project, site, listing(site)).state == "ok"


def test_a_sitemap_whose_emptiness_was_confirmed_is_not_quarantined_again(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a"))
    states = [synced(project, site, listing(site)).state for _ in range(3)]
    assert states == ["quarantined", "ok", "ok"]
    assert stale(project) == {"a"}
    synced(project, site, listing(site, "a"))
    quarantined = synced(project, site, listing(site))
    assert confirm_removals(project, quarantined.id) is not None
    assert synced(project, site).state == "ok"


def test_a_complete_feed_is_reported_once_and_not_as_unreadable(project: Project, site: SiteServer) -> None:
    row = synced(project, site, feed([f"{site.url}/a"]))
    assert (row.state, [problem["code"] for problem in row.problems]) == ("partial", ["FEED"])
    row = synced(project, site, feed([f"{site.url}/a", f"{site.url}/b"])[:-60])
    assert {problem["code"] for problem in row.problems} == {"FEED", "PARTIAL", "TRUNCATED"}


def test_a_sync_confirms_removals_only_ten_minutes_after_they_were_first_found(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    synced(project, site, many(site, 9))
    for minutes in (0, 4, 5):
        row = synced(project, site, minutes_later=minutes)
        assert (row.state, row.stale, row.missing) == ("quarantined", 0, 11)
    assert synced(project, site, minutes_later=1.1).stale == 11


def test_the_ten_minutes_begin_again_for_a_page_that_was_listed_meanwhile(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    synced(project, site, many(site, 8))
    assert synced(project, site, many(site, 9), minutes_later=5).state == "quarantined"
    assert synced(project, site, many(site, 8), minutes_later=1).state == "quarantined"
    row = synced(project, site, minutes_later=5)
    assert (row.stale, row.missing, changed(row, "missing")) == (11, 1, ["page-8"])


def test_a_few_pages_that_are_still_missing_soon_after_a_mass_removal_stay_in_quarantine(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, many(site, 20))
    synced(project, site, many(site, 9))
    row = synced(project, site, many(site, 19), minutes_later=2)
    assert (row.state, row.stale, changed(row, "missing")) == ("quarantined", 0, ["page-19"])


def test_an_empty_first_sitemap_is_not_confirmed_at_once(project: Project, site: SiteServer) -> None:
    synced(project, site, listing(site))
    assert synced(project, site, minutes_later=1).state == "quarantined"
