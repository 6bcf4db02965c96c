"""Child sitemaps that are gone: for a while they may come back, then they count as empty."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, func, select

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import GoneSitemap
from app.pages.sitemaps.gone_sitemaps import count_gone
from app.projects.model import Project
from tests.support.servers import SiteServer
from tests.support.sites import index, project_at
from tests.support.syncing import fresh, listing, stale, synced

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project(project: Project, site: SiteServer) -> Project:
    """Alice's project, whose index lists two children that were both read."""
    site.serve("/one.xml", listing(site, "a", "b", "c"))
    site.serve("/two.xml", listing(site, "d"))
    synced(project, site, index([f"{site.url}/one.xml", f"{site.url}/two.xml"]))
    return project


def wait(hours: float) -> None:
    """Let the absences that were counted so far be older."""
    for child in db.session.scalars(select(GoneSitemap)):
        child.since -= timedelta(hours=hours)
    db.session.commit()


def answers(site: SiteServer, *statuses: int, project: Project, hours_between: float) -> list[str]:
    """Sync once for each status of the second child; returns the states."""
    states = []
    for number, status in enumerate(statuses):
        if number:
            wait(hours_between)
        site.serve("/two.xml", listing(site, "d") if status == 200 else "", status=status)
        states.append(synced(project, site).state)
    return states


@pytest.mark.parametrize("status", [404, 410])
def test_a_child_that_is_gone_in_three_syncs_over_two_days_is_empty(
    project: Project, site: SiteServer, status: int
) -> None:
    assert answers(site, *[status] * 2, project=project, hours_between=24) == ["partial"] * 2
    assert stale(project) == set()
    wait(24)
    row = synced(project, site)
    assert (row.state, row.complete, stale(project)) == ("ok", True, {"d"})
    assert [(problem["code"], problem["where"]) for problem in row.problems] == [
        ("COUNTS_AS_EMPTY", f"{site.url}/two.xml")
    ]
    assert synced(project, site).state == "ok"


def test_many_syncs_within_two_days_are_not_enough(project: Project, site: SiteServer) -> None:
    assert answers(site, *[404] * 5, project=project, hours_between=11) == ["partial"] * 5
    assert stale(project) == set()


def test_two_syncs_are_not_enough_however_long_it_takes(project: Project, site: SiteServer) -> None:
    assert answers(site, 404, 404, project=project, hours_between=1000) == ["partial"] * 2


def test_a_child_that_answered_meanwhile_is_counted_from_zero_again(
    project: Project, site: SiteServer
) -> None:
    states = answers(site, 404, 404, 200, 404, 404, 404, project=project, hours_between=24)
    assert states == ["partial", "partial", "ok", "partial", "partial", "ok"]


def test_another_failure_neither_counts_nor_resets_the_count(project: Project, site: SiteServer) -> None:
    states = answers(site, 404, 500, 503, 404, 404, project=project, hours_between=24)
    assert states == ["partial"] * 4 + ["ok"]


def test_a_child_that_fails_in_another_way_is_not_empty_however_long_it_was_gone(
    project: Project, site: SiteServer
) -> None:
    assert answers(site, 404, 404, 500, project=project, hours_between=48) == ["partial"] * 3
    assert stale(project) == set()


def test_a_child_that_was_not_listed_for_a_while_is_counted_from_zero_again(
    project: Project, site: SiteServer
) -> None:
    answers(site, 404, 404, project=project, hours_between=48)
    both = index([f"{site.url}/one.xml", f"{site.url}/two.xml"])
    assert synced(project, site, index([f"{site.url}/one.xml"])).state == "ok"
    assert synced(project, site, both).state == "partial"


def test_the_pages_of_an_empty_child_may_be_quarantined_like_any_others(
    project: Project, site: SiteServer
) -> None:
    site.serve("/two.xml", listing(site, *(f"page-{number}" for number in range(30))))
    synced(project, site)
    assert answers(site, 404, 404, 404, project=project, hours_between=24)[-1] == "quarantined"
    assert {"a", "page-0"} <= fresh(project)


def test_children_of_another_project_are_counted_separately(project: Project, site: SiteServer) -> None:
    answers(site, 404, 404, project=project, hours_between=48)
    bobs = project_at(site.url, email="bob@example.com")
    assert synced(bobs, site).state == "partial"
    assert synced(project, site).state == "ok"
    wait(24)
    assert answers(site, 404, 404, project=bobs, hours_between=24) == ["partial", "ok"]


def test_many_gone_children_are_counted_by_a_few_statements(project: Project) -> None:
    project_id, at = project.id, utc_now()
    gone = [f"https://example.com/{number}.xml" for number in range(1200)]
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    count_gone(project_id, gone[:1000], [], complete=False, at=at)
    event.listen(db.engine, "before_cursor_execute", note)
    count_gone(project_id, gone[400:], gone[:100], complete=False, at=at)
    event.remove(db.engine, "before_cursor_execute", note)
    assert len(statements) < 10
    counted = select(GoneSitemap.syncs, func.count()).group_by(GoneSitemap.syncs).order_by(GoneSitemap.syncs)
    assert [tuple(row) for row in db.session.execute(counted)] == [(1, 300 + 200), (2, 600)]
    count_gone(project_id, gone[:1], [], complete=True, at=at)
    assert [tuple(row) for row in db.session.execute(counted)] == [(1, 1)]
