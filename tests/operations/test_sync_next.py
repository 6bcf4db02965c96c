"""When a project's sitemap is read next, and what a sync reports while it runs, on both databases."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask
from rq import Queue
from sqlalchemy import select

from app.executions.queries import history_of
from app.infra import queue
from app.infra.db import db
from app.operations.performing.sync_sitemap import RETRY_UNREACHABLE, SOONEST, next_in
from app.pages.model import GoneSitemap
from app.pages.sitemaps import opener
from app.pages.sync.sync_history import list_syncs
from app.projects.model import Project
from tests.support.servers import Reply, SiteServer
from tests.support.sites import index, pages_of, project_at, urlset
from tests.support.sync_jobs import ran, seconds_until_next
from tests.support.validating import serve_tagged

pytestmark = pytest.mark.usefixtures("db_app")

INTERVAL = 3600


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address, "SYNC_INTERVAL": str(INTERVAL), "SYNC_DEADLINE": "20"}


@pytest.fixture
def project_id(db_app: Flask, site: SiteServer) -> int:
    serve_tagged(site, "/sitemap.xml", urlset([f"{site.url}/a", f"{site.url}/b"]), '"1"')
    return project_at(site.url, f"{site.url}/sitemap.xml").id


def test_a_second_sync_of_the_same_sitemap_says_no_change(project_id: int) -> None:
    first = ran(project_id).result or {}
    assert (first["changed"], first["not_modified"], first["new"]) == (True, 0, 2)
    second = ran(project_id).result or {}
    assert (second["changed"], second["not_modified"], second["unchanged"]) == (False, 1, 2)
    assert first["state"] == second["state"] == "ok"


def test_an_unchanged_sitemap_is_read_again_an_interval_later(project_id: int) -> None:
    ran(project_id)
    ran(project_id)
    assert 0.9 * INTERVAL - 60 < seconds_until_next(project_id) <= 1.1 * INTERVAL


@pytest.mark.parametrize("seconds", [600, 2 * 86_400])
@pytest.mark.parametrize("status", [429, 503])
def test_a_site_that_wants_to_be_left_alone_is_asked_when_it_said(
    project_id: int, site: SiteServer, status: int, seconds: int
) -> None:
    ran(project_id)
    site.routes["/sitemap.xml"] = Reply(status, {"Retry-After": str(seconds)})
    job = ran(project_id)
    assert job.failure is not None
    assert (job.status, job.failure["code"], job.attempt) == ("failed", "SITEMAP_UNREACHABLE", 1)
    assert seconds - 60 < seconds_until_next(project_id) <= seconds
    assert not any(page.is_stale for page in pages_of(project_id).values())


def test_a_site_that_asks_for_seconds_only_is_left_alone_for_ten_minutes(
    project_id: int, site: SiteServer
) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": "30"})
    ran(project_id)
    assert SOONEST.total_seconds() - 60 < seconds_until_next(project_id) <= SOONEST.total_seconds()


def test_an_interval_below_ten_minutes_is_never_made_longer() -> None:
    minute = timedelta(minutes=1)
    assert next_in(0.0, minute) == minute
    assert next_in(0.0, timedelta(days=1)) == SOONEST


def test_a_child_that_wants_to_be_left_alone_sets_the_next_sync(project_id: int, site: SiteServer) -> None:
    site.serve("/one.xml", urlset([f"{site.url}/c"]))
    site.routes["/two.xml"] = Reply(503, {"Retry-After": "7200"})
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml", f"{site.url}/two.xml"]))
    job = ran(project_id)
    assert job.result is not None
    assert (job.status, job.result["state"], job.result["new"]) == ("succeeded", "partial", 1)
    assert 7200 - 60 < seconds_until_next(project_id) <= 7200


def test_a_short_wait_is_part_of_the_job(project_id: int, site: SiteServer) -> None:
    answers = [Reply(503, {"Retry-After": "1"}), Reply(200, {}, urlset([f"{site.url}/a"]).encode())]
    site.routes["/sitemap.xml"] = lambda _request: answers.pop(0)
    assert ran(project_id).status == "succeeded"
    assert seconds_until_next(project_id) > 0.9 * INTERVAL - 60


def test_the_history_of_a_job_names_the_host_it_waits_for(
    project_id: int, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opener, "REPORTED_WAIT", 1.0)
    answers = [Reply(503, {"Retry-After": "1"}), Reply(200, {}, urlset([f"{site.url}/a"]).encode())]
    site.routes["/sitemap.xml"] = lambda _request: answers.pop(0)
    job = ran(project_id)
    stages = [row.details for row in history_of([job.id])[job.id] if row.event == "JOB_PROGRESS"]
    assert {each["stage"] for each in stages[:3]} == {"fetch_sitemap"}
    begun, waiting, read = (each["message"] for each in stages[:3])
    assert (begun, read) == ("", "0 URLs read")
    assert re.fullmatch(r"Waiting for 127\.0\.0\.1, which is busy, until \d\d:\d\d:\d\d UTC", waiting)


def test_a_busy_site_that_names_no_time_is_asked_again_soon(project_id: int, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = Reply(503)
    ran(project_id)
    assert 0 < seconds_until_next(project_id) <= RETRY_UNREACHABLE.total_seconds()


@pytest.mark.parametrize("status", [404, 410])
def test_a_sitemap_that_is_gone_counts_as_empty_never(project_id: int, site: SiteServer, status: int) -> None:
    ran(project_id)
    site.serve("/sitemap.xml", status=status)
    for _ in range(4):
        job = ran(project_id)
        assert job.failure is not None
        assert job.failure["code"] == "SITEMAP_UNREACHABLE"
        for row in list_syncs(db.session.get_one(Project, project_id), 1, 10)[0]:
            row.at -= timedelta(days=2)
        db.session.commit()
    assert not any(page.is_stale for page in pages_of(project_id).values())


@pytest.mark.parametrize(("headers", "seconds"), [({"Retry-After": "7200"}, 7200), ({}, 1800)])
def test_a_site_that_is_too_busy_to_be_searched_is_searched_again(
    db_app: Flask, site: SiteServer, headers: dict[str, str], seconds: int
) -> None:
    project_id = project_at(site.url).id
    for place in ("/robots.txt", "/sitemap.xml", "/sitemap_index.xml"):
        site.serve(place, status=503, headers=headers)
    job = ran(project_id, scheduled=True)
    assert job.failure is not None
    assert (job.status, job.failure["code"]) == ("failed", "SITEMAP_UNREACHABLE")
    assert seconds - 60 < seconds_until_next(project_id) <= seconds
    site.serve("/sitemap.xml", urlset([f"{site.url}/a"]))
    assert ran(project_id, scheduled=True).status == "succeeded"


def test_a_sync_that_reads_no_page_reports_what_it_learned(project_id: int, site: SiteServer) -> None:
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml", f"{site.url}/two.xml"]))
    job = ran(project_id)
    assert job.failure is not None
    assert job.failure["code"] == "SITEMAP_INVALID"
    row = list_syncs(db.session.get_one(Project, project_id), 1, 1)[0][0]
    assert (row.state, row.children, row.found) == ("failed", 2, 0)
    assert row.bytes > 0
    assert row.duration_ms > 0
    assert [problem["code"] for problem in row.problems] == ["GONE", "GONE"]


def test_an_index_whose_children_are_all_gone_for_two_days_is_empty(
    project_id: int, site: SiteServer
) -> None:
    ran(project_id)
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml"]))
    for _ in range(2):
        assert ran(project_id).status == "failed"
        for child in db.session.scalars(select(GoneSitemap)):
            child.since -= timedelta(hours=24)
        db.session.commit()
    job = ran(project_id)
    assert job.result is not None
    assert (job.status, job.result["state"], job.result["missing"]) == ("succeeded", "quarantined", 2)


def test_the_pages_of_a_sync_are_read_as_soon_as_it_ends(project_id: int) -> None:
    waiting = Queue(queue.PAGES, connection=queue.redis_client())
    assert waiting.job_ids == []
    assert ran(project_id).status == "succeeded"
    assert waiting.job_ids == [f"read-pages-{project_id}"]
