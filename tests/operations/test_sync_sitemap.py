"""SYNC_SITEMAP jobs as a worker runs them, against a real site and on both databases."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from app.executions import schedule, service
from app.executions.claims import claim_job
from app.executions.failing import MAX_ATTEMPTS
from app.executions.queries import history_of, reload
from app.executions.reaper import worker_lost
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.operations.performing.sync_sitemap import RETRY_UNREACHABLE
from app.pages.sync.sync_history import list_syncs
from app.projects.service import update_project
from tests.support.servers import Reply, Route, SiteServer
from tests.support.sites import html, index, pages_of, project_at, urlset
from tests.support.sync_jobs import current, failed_with, ran, seconds_until_next, submitted, sync_of
from tests.support.working import run_job

pytestmark = pytest.mark.usefixtures("db_app")

INTERVAL = 3600


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address, "SYNC_INTERVAL": str(INTERVAL), "SYNC_DEADLINE": "20"}


@pytest.fixture
def project_id(db_app: Flask, site: SiteServer) -> int:
    site.serve("/sitemap.xml", urlset([f"{site.url}/a", f"{site.url}/b"]))
    return project_at(site.url, f"{site.url}/sitemap.xml").id


def change(project_id: int, **values: Any) -> None:
    project = current(project_id)
    for name, value in values.items():
        setattr(project, name, value)
    db.session.commit()


def test_a_sync_updates_the_pages_and_reports_what_it_did(project_id: int, site: SiteServer) -> None:
    job = ran(project_id)
    assert (job.status, job.failure) == ("succeeded", None)
    assert job.result == {
        "sync_id": sync_of(job).id, "sitemap_url": f"{site.url}/sitemap.xml", "complete": True,
        "quarantined": False, "state": "ok", "changed": True, "children": 0, "not_modified": 0,
        "found": 2, "new": 2, "returned": 0, "stale": 0, "unchanged": 0, "missing": 0, "invalid": 0,
        "duplicates": 0, "foreign": 0, "problems": [],
        "urls": {
            "new": [f"{site.url}/a", f"{site.url}/b"], "returned": [], "stale": [], "missing": [],
        },
    }  # fmt: skip
    assert list(pages_of(project_id)) == [f"{site.url}/a", f"{site.url}/b"]
    stages = [row.details["stage"] for row in history_of([job.id])[job.id] if row.event == "JOB_PROGRESS"]
    assert stages == ["fetch_sitemap", "apply_changes"]
    assert current(project_id).sync_status == "ok"


def test_the_next_sync_is_set_about_an_interval_ahead(project_id: int) -> None:
    ran(project_id)
    assert 0.9 * INTERVAL - 60 < seconds_until_next(project_id) <= 1.1 * INTERVAL


def test_a_removed_url_turns_stale_with_the_next_sync(project_id: int, site: SiteServer) -> None:
    ran(project_id)
    site.serve("/sitemap.xml", urlset([f"{site.url}/a"]))
    job = ran(project_id)
    assert job.result is not None
    assert (job.result["stale"], job.result["unchanged"]) == (1, 1)
    assert pages_of(project_id)[f"{site.url}/b"].is_stale


def test_a_sync_with_quarantined_removals_succeeds_with_a_warning(project_id: int, site: SiteServer) -> None:
    ran(project_id)
    site.serve("/sitemap.xml", urlset([]))
    job = ran(project_id)
    assert job.result is not None
    assert (job.status, job.result["quarantined"], job.result["missing"]) == ("succeeded", True, 2)
    assert [problem["code"] for problem in job.result["problems"]] == ["QUARANTINED"]
    assert not any(page.is_stale for page in pages_of(project_id).values())


def test_a_partial_sync_succeeds_and_names_the_part_that_failed(project_id: int, site: SiteServer) -> None:
    ran(project_id)
    site.serve("/one.xml", urlset([f"{site.url}/a", f"{site.url}/c"]))
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml", f"{site.url}/missing.xml"]))
    job = ran(project_id)
    assert job.result is not None
    assert (job.status, job.result["complete"], job.result["new"]) == ("succeeded", False, 1)
    assert f"{site.url}/missing.xml" in {problem["where"] for problem in job.result["problems"]}
    assert not any(page.is_stale for page in pages_of(project_id).values())
    assert current(project_id).sync_status == "partial"


@pytest.mark.parametrize(
    "answer",
    [Reply(404), Reply(410), Reply(500), Reply(hang_up=True)],
    ids=["404", "410", "500", "hang-up"],
)
def test_an_unreachable_sitemap_fails_and_leaves_the_pages(
    project_id: int, site: SiteServer, answer: Route
) -> None:
    ran(project_id)
    before = {url: page.updated_at for url, page in pages_of(project_id).items()}
    site.routes["/sitemap.xml"] = answer
    job = ran(project_id)
    assert failed_with(job) == "SITEMAP_UNREACHABLE"
    assert job.attempt == 1
    after = pages_of(project_id)
    assert {url: page.updated_at for url, page in after.items()} == before
    assert not any(page.is_stale for page in after.values())
    row = sync_of(job)
    assert (row.state, row.complete, row.failure) == ("failed", False, job.failure)
    project = current(project_id)
    assert (project.sync_status, project.last_sync_error) == ("failed", job.failure)
    assert 0 < seconds_until_next(project_id) <= RETRY_UNREACHABLE.total_seconds()


def test_a_refused_connection_is_an_unreachable_sitemap(project_id: int, site: SiteServer) -> None:
    site.close()
    assert failed_with(ran(project_id)) == "SITEMAP_UNREACHABLE"


def test_a_web_page_is_an_invalid_sitemap(project_id: int, site: SiteServer) -> None:
    ran(project_id)
    site.serve("/sitemap.xml", html("Welcome", "Nothing to see here."))
    job = ran(project_id)
    assert failed_with(job) == "SITEMAP_INVALID"
    assert job.failure is not None
    assert job.failure["details"]["problems"]
    assert not any(page.is_stale for page in pages_of(project_id).values())
    assert seconds_until_next(project_id) > 0.9 * INTERVAL - 60


def test_a_sync_after_a_failed_one_clears_the_error(project_id: int, site: SiteServer) -> None:
    site.serve("/sitemap.xml", status=500)
    ran(project_id)
    site.serve("/sitemap.xml", urlset([f"{site.url}/a"]))
    assert ran(project_id).status == "succeeded"
    project = current(project_id)
    assert (project.sync_status, project.last_sync_error) == ("ok", None)


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/sitemap.xml", "http://10.0.0.1/sitemap.xml"])
def test_a_private_address_is_not_allowed(project_id: int, address: str) -> None:
    change(project_id, sitemap_url=address)
    assert failed_with(ran(project_id)) == "URL_NOT_ALLOWED"


@pytest.mark.parametrize("due", [utc_now(), None], ids=["not searched yet", "removed by a person"])
def test_nobody_may_sync_a_project_without_a_sitemap(project_id: int, due: datetime | None) -> None:
    change(project_id, sitemap_url=None, next_sync_at=due)
    with pytest.raises(ServiceFailure, match="SITEMAP_MISSING"):
        submitted(project_id)


def test_the_schedule_finds_the_sitemap_that_robots_txt_names(project_id: int, site: SiteServer) -> None:
    address = site.serve("/maps/all.xml", urlset([f"{site.url}/c"]))
    site.serve("/robots.txt", "Sitemap: /maps/all.xml\n")
    change(project_id, sitemap_url=None)
    assert ran(project_id, scheduled=True).status == "succeeded"
    assert current(project_id).sitemap_url == address
    assert list(pages_of(project_id)) == [f"{site.url}/c"]
    assert seconds_until_next(project_id) > 0


def test_all_sitemaps_that_robots_txt_names_are_read(project_id: int, site: SiteServer) -> None:
    site.serve("/robots.txt", "Sitemap: /sitemap.xml\nSitemap: /news.xml\n")
    site.serve("/news.xml", urlset([f"{site.url}/news"]))
    change(project_id, sitemap_url=None)
    job = ran(project_id, scheduled=True)
    assert job.result is not None
    assert current(project_id).sitemap_url == f"{site.url}/robots.txt"
    assert (job.result["state"], job.result["children"], job.result["problems"]) == ("ok", 2, [])
    assert f"{site.url}/news" in pages_of(project_id)
    assert len(pages_of(project_id)) > 1


def test_the_schedule_finds_a_sitemap_in_its_usual_place(project_id: int, site: SiteServer) -> None:
    change(project_id, sitemap_url=None)
    job = ran(project_id, scheduled=True)
    assert job.result is not None
    assert job.result["sitemap_url"] == current(project_id).sitemap_url == f"{site.url}/sitemap.xml"


def test_a_site_without_a_sitemap_is_not_searched_again(project_id: int, site: SiteServer) -> None:
    site.routes.clear()
    change(project_id, sitemap_url=None)
    assert failed_with(ran(project_id, scheduled=True)) == "SITEMAP_MISSING"
    project = current(project_id)
    assert (project.sitemap_url, project.next_sync_at) == (None, None)
    assert list_syncs(current(project_id), 1, 10)[1] == 1


def test_a_site_that_does_not_answer_is_searched_again(project_id: int, site: SiteServer) -> None:
    change(project_id, sitemap_url=None)
    site.close()
    assert failed_with(ran(project_id, scheduled=True)) == "SITEMAP_UNREACHABLE"
    assert 0 < seconds_until_next(project_id) <= RETRY_UNREACHABLE.total_seconds()


def test_a_search_in_vain_is_repeated_when_somebody_asks(project_id: int, site: SiteServer) -> None:
    sitemap = site.routes.pop("/sitemap.xml")
    change(project_id, sitemap_url=None)
    ran(project_id, scheduled=True)
    assert failed_with(ran(project_id)) == "SITEMAP_MISSING"
    assert current(project_id).next_sync_at is None
    site.serve("/robots.txt", status=503)
    assert failed_with(ran(project_id)) == "SITEMAP_UNREACHABLE"
    assert 0 < seconds_until_next(project_id) <= RETRY_UNREACHABLE.total_seconds()
    del site.routes["/robots.txt"]
    site.routes["/sitemap.xml"] = sitemap
    assert ran(project_id).status == "succeeded"
    assert current(project_id).sitemap_url == f"{site.url}/sitemap.xml"


@pytest.mark.parametrize("status", [404, 503])
def test_a_sitemap_that_is_removed_while_an_asked_search_waits_is_not_looked_for(
    project_id: int, site: SiteServer, status: int
) -> None:
    found = site.routes["/sitemap.xml"]
    site.serve("/sitemap.xml", status=status)
    change(project_id, sitemap_url=None)
    ran(project_id, scheduled=True)
    job_id = submitted(project_id)
    update_project(current(project_id), {"sitemap_url": f"{site.url}/other.xml"})
    update_project(current(project_id), {"sitemap_url": None})
    site.routes["/sitemap.xml"] = found
    run_job(job_id)
    assert current(project_id).sitemap_url is None


def test_a_canceled_search_is_retried(project_id: int, site: SiteServer) -> None:
    change(project_id, sitemap_url=None)
    job = reload(submitted(project_id, scheduled=True))
    service.cancel(job)
    again = service.retry(job, "again", requested_by="Alice").job.id
    run_job(again)
    assert reload(again).status == "succeeded"
    assert current(project_id).sitemap_url == f"{site.url}/sitemap.xml"


def test_what_is_due_becomes_one_job_and_a_queued_sync_is_joined(project_id: int) -> None:
    change(project_id, next_sync_at=utc_now() - timedelta(seconds=1))
    assert (schedule.submit_due_syncs(), schedule.submit_due_syncs()) == (1, 0)
    first = submitted(project_id)
    assert submitted(project_id) == first
    run_job(first)
    assert submitted(project_id) != first


def test_a_sync_joins_no_running_one_and_waits_for_its_end(project_id: int) -> None:
    first = submitted(project_id)
    assert claim_job(first) is not None
    second = submitted(project_id)
    assert second != first
    run_job(second)
    assert reload(second).status == "queued"


def test_a_sync_that_is_ended_by_the_reaper_leaves_its_row(project_id: int) -> None:
    job_id = submitted(project_id)
    taken = claim_job(job_id)
    assert taken is not None
    assert worker_lost(job_id, taken.fence, MAX_ATTEMPTS)
    job = reload(job_id)
    assert failed_with(job) == "WORKER_LOST"
    row = sync_of(job)
    assert (row.state, row.failure, row.found) == ("failed", job.failure, 0)
    project = current(project_id)
    assert (project.sync_status, project.last_sync_error) == ("failed", job.failure)


def test_a_found_sitemap_that_cannot_be_read_is_named(project_id: int, site: SiteServer) -> None:
    site.serve("/robots.txt", "Sitemap: /maps/all.xml\n")
    site.serve("/maps/all.xml", "<urlset><url><loc>")
    change(project_id, sitemap_url=None)
    job = ran(project_id, scheduled=True)
    assert sync_of(job).sitemap_url == f"{site.url}/maps/all.xml"
