"""Syncs that are canceled, or whose sitemap somebody changes or removes, before they end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from app.executions import service
from app.executions.queries import reload
from app.pages.sync.sync_history import list_syncs
from app.projects.service import update_project
from tests.support.servers import Reply, Request, Route, SiteServer
from tests.support.sites import pages_of, project_at, urlset
from tests.support.sync_jobs import current, failed_with, ran, seconds_until_next, submitted, sync_of
from tests.support.working import run_job

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project_id(db_app: Flask, site: SiteServer) -> int:
    site.serve("/sitemap.xml", urlset([f"{site.url}/a", f"{site.url}/b"]))
    return project_at(site.url, f"{site.url}/sitemap.xml").id


def test_a_canceled_sync_changes_nothing(db_app: Flask, project_id: int, site: SiteServer) -> None:
    job_id = submitted(project_id)
    cancel = _within(db_app, lambda: service.cancel(reload(job_id)))
    site.routes["/sitemap.xml"] = _doing(cancel, urlset([f"{site.url}/a"]))
    run_job(job_id)
    assert reload(job_id).status == "canceled"
    assert (pages_of(project_id), list_syncs(current(project_id), 1, 10)[1]) == ({}, 0)


def test_a_sitemap_that_was_set_while_another_was_read_stays_due_and_the_pages_stay_as_they_were(
    db_app: Flask, project_id: int, site: SiteServer
) -> None:
    other = f"{site.url}/other.xml"

    def edit() -> None:
        update_project(current(project_id), {"sitemap_url": other})

    site.routes["/sitemap.xml"] = _doing(_within(db_app, edit), urlset([f"{site.url}/a"]))
    job = ran(project_id)
    assert failed_with(job) == "SITEMAP_CHANGED"
    assert (current(project_id).sitemap_url, pages_of(project_id)) == (other, {})
    assert seconds_until_next(project_id) <= 0
    assert sync_of(job).failure == job.failure


def test_a_sitemap_that_was_removed_before_its_sync_began_is_not_looked_for(project_id: int) -> None:
    job_id = submitted(project_id)
    update_project(current(project_id), {"sitemap_url": None})
    run_job(job_id)
    assert failed_with(reload(job_id)) == "SITEMAP_MISSING"
    project = current(project_id)
    assert (project.sitemap_url, project.next_sync_at, project.sync_status) == (None, None, "never")
    assert pages_of(project_id) == {}


@pytest.mark.parametrize("status", [200, 500])
def test_a_sitemap_that_was_removed_while_it_was_read_stays_removed(
    db_app: Flask, project_id: int, site: SiteServer, status: int
) -> None:
    def edit() -> None:
        update_project(current(project_id), {"sitemap_url": None})

    site.routes["/sitemap.xml"] = _doing(_within(db_app, edit), urlset([f"{site.url}/a"]), status)
    ran(project_id)
    project = current(project_id)
    assert (project.sitemap_url, project.next_sync_at) == (None, None)
    assert pages_of(project_id) == {}


def _within(app: Flask, act: Callable[[], object]) -> Callable[[], None]:
    def acting() -> None:
        with app.app_context():
            act()

    return acting


def _doing(act: Callable[[], None], body: str, status: int = 200) -> Route:
    """A route that does something before it answers."""

    def answer(_request: Request) -> Reply:
        act()
        return Reply(status, {}, body.encode())

    return answer
