"""Confirmations of quarantined removals, on both databases."""

from __future__ import annotations

import pytest
from flask import Flask

from app.failures import ServiceFailure
from app.infra.db import db
from app.pages import service
from app.pages.sync import quarantine
from app.pages.sync.sync_history import count_changes, list_syncs
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import pages_of, project_at
from tests.support.syncing import changed, fresh, listing, many, stale, synced
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("db_app")

LOST = {f"page-{number}" for number in range(5, 20)}


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def quarantined(project: Project, site: SiteServer) -> int:
    """The sync that quarantined the removal of 15 of 20 pages."""
    synced(project, site, many(site, 20))
    row = synced(project, site, many(site, 5))
    assert row.state == "quarantined"
    return row.id


def confirmed(project: Project, sync_id: int) -> int:
    confirmation = quarantine.confirm_removals(project, sync_id)
    assert confirmation is not None
    return confirmation.stale


def test_a_confirmation_marks_the_quarantined_pages_stale_and_is_in_the_history(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    before = pages_of(project.id)
    confirmation = quarantine.confirm_removals(project, quarantined)
    assert confirmation is not None
    assert (confirmation.state, confirmation.job_id) == ("confirmed", None)
    assert (confirmation.stale, confirmation.missing) == (15, 15)
    assert (stale(project), set(changed(confirmation, "stale"))) == (LOST, LOST)
    after = pages_of(project.id)
    assert {url: page.id for url, page in after.items()} == {url: page.id for url, page in before.items()}
    page = after[f"{site.url}/page-7"]
    assert (page.in_sitemap, page.stale_since) == (False, confirmation.at)
    assert [row.state for row in list_syncs(project, 1, 10)[0]] == ["confirmed", "quarantined", "ok"]


def test_the_next_sync_after_a_confirmation_changes_nothing(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    confirmed(project, quarantined)
    row = synced(project, site)
    assert (row.state, row.stale, row.missing, row.unchanged) == ("ok", 0, 0, 5)
    assert quarantine.open_quarantine(project.id) is None


def test_a_page_that_comes_back_after_a_confirmation_is_fresh_again(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    confirmed(project, quarantined)
    assert synced(project, site, many(site, 8)).returned == 3


def test_a_quarantine_is_confirmed_once(project: Project, quarantined: int) -> None:
    assert confirmed(project, quarantined) == 15
    assert quarantine.confirm_removals(project, quarantined) is None
    assert list_syncs(project, 1, 10)[1] == 3


def test_a_double_click_confirms_once(db_app: Flask, project: Project, quarantined: int) -> None:
    project_id = project.id
    db.session.rollback()

    def one() -> bool:
        confirmation = quarantine.confirm_removals(db.session.get_one(Project, project_id), quarantined)
        db.session.remove()
        return confirmation is not None

    assert sorted(together(db_app, one, 4)) == [False, False, False, True]


def test_pages_that_a_later_partial_sync_listed_are_not_gone(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    assert synced(project, site, many(site, 9)[:-10]).state == "partial"
    assert confirmed(project, quarantined) == 11
    assert fresh(project) == {f"page-{number}" for number in range(9)}
    row = next(row for row in list_syncs(project, 1, 10)[0] if row.id == quarantined)
    counts = count_changes(row)
    assert (counts["missing"], counts["found"]) == (11, 4)


def test_a_quarantine_closes_when_a_partial_sync_lists_all_its_pages(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    assert synced(project, site, many(site, 21)[:-10]).state == "partial"
    assert quarantine.open_quarantine(project.id) is None
    assert quarantine.confirm_removals(project, quarantined) is None
    assert stale(project) == set()


def test_a_quarantine_that_a_later_sync_closed_cannot_be_confirmed(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    synced(project, site, many(site, 20))
    assert quarantine.confirm_removals(project, quarantined) is None
    assert stale(project) == set()


def test_a_later_quarantine_replaces_an_earlier_one(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    later = synced(project, site, listing(site, *(f"page-{number}" for number in range(5, 9))))
    assert (later.state, later.stale, later.missing) == ("quarantined", 11, 5)
    assert quarantine.confirm_removals(project, quarantined) is None
    assert confirmed(project, later.id) == 5


def test_a_quarantine_stays_open_after_a_failed_sync(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    with pytest.raises(ServiceFailure):
        synced(project, site, "")
    assert confirmed(project, quarantined) == 15


def test_pages_added_since_are_not_touched_by_a_confirmation(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    service.add_page(project, {"url": f"{site.url}/mine"})
    confirmed(project, quarantined)
    assert "mine" in fresh(project)


def test_the_quarantine_of_somebody_elses_project_is_not_found(
    project: Project, site: SiteServer, quarantined: int
) -> None:
    bobs = project_at(site.url, email="bob@example.com")
    with pytest.raises(ServiceFailure, match="NOT_FOUND"):
        quarantine.confirm_removals(bobs, quarantined)
    assert stale(project) == set()


def test_a_page_that_returned_in_a_quarantined_sync_is_judged_by_itself_when_it_goes(
    project: Project, site: SiteServer
) -> None:
    names = [f"page-{number}" for number in range(60)]
    synced(project, site, listing(site, *names, "back"))
    synced(project, site, listing(site, *names))
    row = synced(project, site, listing(site, *names[:29], "back"))
    assert (row.state, row.returned, row.missing) == ("quarantined", 1, 31)
    row = synced(project, site, listing(site, *names[:5]))
    assert (row.state, row.stale, row.missing) == ("quarantined", 31, 25)
    assert "back" in fresh(project)
