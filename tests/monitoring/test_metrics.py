"""What GET /metrics tells Prometheus, and whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from app.infra import presence
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.request_counts import RequestCounts
from app.pages.model import SitemapSync
from app.projects.model import Project
from app.publishing.model import Publication, PublishCall, PublishTarget, ScheduledPublication
from devtools.local import ROOT
from tests.monitoring.conftest import AUTHORIZATION, TOKEN, Metrics, add_job, metrics_of
from tests.support.publishing import post_of

Scrape = Callable[[], Metrics]
USAGE = {"calls": 7, "prompt_tokens": 9000, "completion_tokens": 800, "cost_usd": 0.25}


def test_jobs_that_wait_and_run_are_counted_with_their_ages(project: Project, scrape: Scrape) -> None:
    now = utc_now()
    add_job(project, "queued")
    add_job(project, "queued", available_at=now + timedelta(minutes=5))
    add_job(
        project, "running", "SYNC_SITEMAP", started_at=now - timedelta(seconds=90),
        lease_until=now - timedelta(seconds=40),
    )  # fmt: skip
    found = scrape()
    assert found["seo_jobs_queued", "GENERATE_BLOG_POST"] == 2
    assert found["seo_jobs_queued_oldest_seconds", "GENERATE_BLOG_POST"] == pytest.approx(600, abs=30)
    assert found["seo_jobs_queued", "PUBLISH_BLOG_POST"] == 0
    assert found["seo_jobs_running", "SYNC_SITEMAP"] == 1
    assert found["seo_jobs_running_oldest_seconds", "SYNC_SITEMAP"] == pytest.approx(90, abs=30)
    assert found[("seo_job_lease_over_seconds",)] == pytest.approx(40, abs=30)


def test_jobs_that_ended_this_hour_are_counted_with_their_cost(project: Project, scrape: Scrape) -> None:
    now = utc_now()
    lost = {"code": "WORKER_LOST"}
    add_job(project, "succeeded", completed_at=now, seconds=42.0, result={"usage": USAGE}, failure=lost)
    add_job(project, "succeeded", completed_at=now, seconds=400.0, result={"usage": None})
    add_job(project, "failed", "SYNC_SITEMAP", completed_at=now, seconds=1.0, failure=lost)
    add_job(project, "canceled", completed_at=now)
    add_job(project, "failed", completed_at=now - timedelta(hours=1), failure=lost)
    found = scrape()
    assert found["seo_jobs_ended_total", "GENERATE_BLOG_POST", "succeeded"] == 2
    assert found["seo_jobs_ended_total", "GENERATE_BLOG_POST", "failed"] == 0
    assert found["seo_job_failures_total", "WORKER_LOST"] == 1
    assert found["seo_job_failures_total", "PROVIDER_FAILED"] == 0
    assert found["seo_provider_calls_total", "GENERATE_BLOG_POST"] == 7
    assert found["seo_provider_cost_usd_total", "GENERATE_BLOG_POST"] == 0.25
    assert found["seo_job_duration_seconds_bucket", "GENERATE_BLOG_POST", "60"] == 1
    assert found["seo_job_duration_seconds_count", "GENERATE_BLOG_POST"] == 2
    assert found["seo_job_duration_seconds_sum", "GENERATE_BLOG_POST"] == 442


def test_syncs_and_what_is_late_are_reported(project: Project, scrape: Scrape) -> None:
    sync = {"project_id": project.id, "sitemap_url": "https://example.com/sitemap.xml", "problems": []}
    db.session.add(SitemapSync(**sync, state="ok", complete=True, found=30, bytes=5000, duration_ms=2500))
    db.session.add(SitemapSync(**sync, state="failed", complete=False, duration_ms=500))
    project.next_sync_at = utc_now() - timedelta(minutes=20)
    db.session.commit()
    found = scrape()
    assert found["seo_syncs_total", "ok"] == found["seo_syncs_total", "failed"] == 1
    assert found[("seo_sync_urls_total",)] == 30
    assert found[("seo_sync_bytes_total",)] == 5000
    assert found["seo_sync_duration_seconds_bucket", "ok", "5"] == 1
    assert found["seo_sync_duration_seconds_sum", "ok"] == 2.5
    assert found[("seo_sync_late_seconds",)] == pytest.approx(1200, abs=30)


def test_calls_to_targets_and_publications_without_a_result_are_reported(
    project: Project, scrape: Scrape
) -> None:
    target = PublishTarget(project_id=project.id, name="Hook", kind="webhook", settings={})
    db.session.add(target)
    post, ago = post_of(project), utc_now() - timedelta(minutes=30)
    call = {"target_id": target.id, "publication_id": "pub_1", "action": "create", "milliseconds": 1500}
    db.session.add(PublishCall(**call, outcome="live"))
    db.session.add(PublishCall(**call, outcome="absent", code="TARGET_UNREACHABLE"))
    place = {"blog_post_id": post.id, "target_id": target.id}
    db.session.add(
        Publication(**place, publication_id="pub_1", state="unknown", content_sha256="", updated_at=ago)
    )
    db.session.add(ScheduledPublication(**place, project_id=project.id, publish_at=ago, next_try_at=ago))
    db.session.commit()
    found = scrape()
    assert found["seo_publish_calls_total", "webhook", "ok"] == 1
    assert found["seo_publish_calls_total", "webhook", "failed"] == 1
    assert found["seo_publish_call_seconds_total", "webhook"] == 3
    assert found["seo_publications_open", "unknown"] == 1
    assert found["seo_publication_open_seconds", "unknown"] == pytest.approx(1800, abs=30)
    assert found[("seo_publication_late_seconds",)] == pytest.approx(1800, abs=30)


def test_the_requests_of_all_web_processes_are_added_up(app: Flask, scrape: Scrape) -> None:
    app.test_client().get("/health/live")
    app.test_client().get("/an/invented/path")
    other = RequestCounts(app)
    other._is_reporting = True  # its thread would report later
    other.count("GET", "/health/live", 503, 0.3)
    with app.app_context():
        other.add_up()
    found = scrape()
    assert found["seo_requests_total", "GET", "/health/live", "2xx"] == 1
    assert found["seo_requests_total", "GET", "/health/live", "5xx"] == 1
    assert found["seo_requests_total", "GET", "(none)", "4xx"] == 1
    assert found["seo_responses_total", "5xx"] == 1
    assert found["seo_request_duration_seconds_count", "GET", "/health/live"] == 2
    assert found["seo_request_duration_seconds_bucket", "GET", "/health/live", "0.25"] == 1


def test_processes_are_alive_for_as_long_as_they_say(app: Flask, scrape: Scrape) -> None:
    with app.app_context():
        presence.report(presence.SCHEDULER, "one")
        presence.report(presence.WORKER, "two", valid_for=-1)
        presence.report(presence.WORKER, "three")
        presence.withdraw("three")
    found = scrape()
    assert found["seo_processes", "scheduler"] == 1
    assert found["seo_processes", "worker"] == 0
    assert found["seo_database_connections_max", "scheduler", "one"] == 8
    assert found[("seo_redis_up",)] == found[("seo_database_up",)] == found[("seo_database_writable",)] == 1


@pytest.mark.parametrize("given", ["", f"Bearer {TOKEN[:-1]}", "Bearer ß"])
def test_without_the_token_there_are_no_metrics(app: Flask, given: str) -> None:
    assert app.test_client().get("/metrics", headers={"Authorization": given}).status_code == 404


class TestWithoutTheSetting:
    """No token is set."""

    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {}

    def test_there_are_no_metrics(self, app: Flask) -> None:
        for headers in ({}, {"Authorization": "Bearer "}, AUTHORIZATION):
            assert app.test_client().get("/metrics", headers=headers).status_code == 404
        assert "request_counts" not in app.extensions


def test_the_documented_metrics_are_those_that_are_reported(app: Flask) -> None:
    app.extensions["sampler"]._last = None
    text = app.test_client().get("/metrics", headers=AUTHORIZATION).text
    told = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
    documented = re.findall(r"^\| `(seo_\w+)`", (ROOT / "docs" / "monitoring.md").read_text(), re.MULTILINE)
    assert metrics_of(text)
    assert sorted(documented) == sorted(told)
