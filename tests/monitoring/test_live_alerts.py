"""A service in trouble, and a real Prometheus that raises every alert of docs/monitoring."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from redis import Redis
from sqlalchemy import select

from app.accounts.keys import create_key
from app.accounts.model import Account
from app.config import load_settings
from app.factory import create_app
from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import SitemapSync
from app.projects.model import Project
from app.publishing.model import Publication, PublishCall, PublishTarget, ScheduledPublication
from devtools.postgres import find_binaries
from devtools.prometheus import find_prometheus
from tests.chaos.system import Postgresql
from tests.monitoring.alert_cases import CASES
from tests.monitoring.conftest import TOKEN, add_job
from tests.monitoring.live_prometheus import Prometheus
from tests.support.databases import migrate
from tests.support.needs import need
from tests.support.processes import Service
from tests.support.publishing import alice_project, post_of

pytestmark = [
    pytest.mark.thorough, pytest.mark.journey, pytest.mark.prometheus, pytest.mark.postgresql,
]  # fmt: skip

NO_SCHEDULER = (
    "SeoNoWorker", "SeoNoScheduler", "SeoJobsWait", "SeoJobWithoutWorker", "SeoJobRunsTooLong",
    "SeoSyncsLate",
    "SeoPublicationsLate", "SeoPublicationUnknown", "SeoConnectionsUsedUp",
)  # fmt: skip
FAILURES = (
    "SeoJobsFail", "SeoWorkersLost", "SeoProviderRefuses", "SeoProviderFails", "SeoCostsHigh", "SeoSyncsFail",
    "SeoPublishingFails",
)  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Postgresql]:
    need(find_binaries(), "PostgreSQL")
    made = Postgresql(tmp_path)
    migrate(made.url)
    yield made
    made.close()


@pytest.fixture
def service(database: Postgresql, tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path, database.url, {"METRICS_TOKEN": TOKEN, "REQUESTS_PER_MINUTE": "100000"})
    yield made
    made.close()


@pytest.fixture
def prometheus(service: Service, tmp_path: Path) -> Iterator[Prometheus]:
    made = Prometheus(need(find_prometheus(), "Prometheus"), tmp_path, service.port, TOKEN)
    yield made
    made.close()


def test_a_real_prometheus_raises_each_alert(
    database: Postgresql, service: Service, prometheus: Prometheus
) -> None:
    raised = prometheus.wait_for("SeoServiceDown")
    service.start("web")
    with create_app(load_settings(service.env)).app_context():
        project = alice_project()
        _key, key = create_key(db.session.scalars(select(Account)).one(), "ci")
        _leave_undone(project)
        _use_up_connections(service)
        raised |= prometheus.wait_for(*NO_SCHEDULER)
        _fail(project)
        raised |= prometheus.wait_for(*FAILURES)
        project_id = project.id
        db.session.remove()
        db.engine.dispose()
    _wait_for_jobs(service.url, project_id, key)
    raised |= prometheus.wait_for("SeoSlowRequests")
    service.redis.kill()
    raised |= prometheus.wait_for("SeoRedisDown")
    service.redis.start()
    _refuse_writes(database)
    raised |= prometheus.wait_for("SeoDatabaseReadOnly")
    database.shut_down()
    _ask_in_vain(service.url, key)
    raised |= prometheus.wait_for("SeoDatabaseDown", "SeoServerErrors")
    database.heal()
    assert raised == set(CASES)


def _leave_undone(project: Project) -> None:
    """What a scheduler and a worker should have done long ago."""
    now = utc_now()
    add_job(project, "queued", available_at=now - timedelta(minutes=20))
    add_job(
        project, "running", "SYNC_SITEMAP", started_at=now - timedelta(hours=2),
        lease_until=now - timedelta(minutes=5),
    )  # fmt: skip
    project.next_sync_at = now - timedelta(minutes=20)
    target = PublishTarget(project_id=project.id, name="Hook", kind="webhook", settings={})
    db.session.add(target)
    post, ago = post_of(project), now - timedelta(hours=2)
    place = {"blog_post_id": post.id, "target_id": target.id}
    db.session.add(
        Publication(**place, publication_id="pub_1", state="unknown", content_sha256="", updated_at=ago)
    )
    db.session.add(ScheduledPublication(**place, project_id=project.id, publish_at=ago, next_try_at=ago))
    db.session.commit()


def _use_up_connections(service: Service) -> None:
    said = {"kind": "web", "until": time.time() + 600, "in_use": 7, "at_most": 7}
    with Redis.from_url(service.redis.url) as connection:
        connection.hset("processes", "another machine", json.dumps(said))


def _fail(project: Project) -> None:
    """Jobs, syncs and calls that fail, and a job that was expensive."""
    now = utc_now()
    for code in ("WORKER_LOST", "PROVIDER_AUTH", *(["PROVIDER_TIMEOUT"] * 9)):
        add_job(project, "failed", completed_at=now, seconds=1.0, failure={"code": code})
    used = {"calls": 7, "prompt_tokens": 9000, "completion_tokens": 800, "cost_usd": 100.0}
    add_job(project, "succeeded", completed_at=now, seconds=42.0, result={"usage": used})
    target_id = db.session.scalars(select(PublishTarget.id)).one()
    call = {"target_id": target_id, "publication_id": "pub_1", "action": "create", "milliseconds": 1500}
    sync = {"project_id": project.id, "sitemap_url": "https://example.com/sitemap.xml", "problems": []}
    for _ in range(9):
        db.session.add(PublishCall(**call, outcome="absent", code="TARGET_UNREACHABLE"))
        db.session.add(SitemapSync(**sync, state="failed", complete=False, duration_ms=500))
    db.session.commit()


def _wait_for_jobs(url: str, project_id: int, key: str) -> None:
    """Requests that wait for jobs that nobody does."""
    path = f"{url}/public-api/projects/{project_id}/blog-posts/generate"
    headers = {"X-API-Key": key, "Content-Type": "application/json", "Prefer": "wait=4"}

    def wait(number: int) -> None:
        asked = urllib.request.Request(path, json.dumps({"topic": f"Notes {number}"}).encode(), headers)
        urllib.request.urlopen(asked, timeout=30).close()

    waiting = [threading.Thread(target=wait, args=(number,)) for number in range(8)]
    for thread in waiting:
        thread.start()
    for thread in waiting:
        thread.join()


def _refuse_writes(database: Postgresql) -> None:
    with psycopg.connect(database.url, autocommit=True) as admin:
        admin.execute("ALTER DATABASE chaos SET default_transaction_read_only = on")
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def _ask_in_vain(url: str, key: str) -> None:
    for _ in range(20):
        with pytest.raises(urllib.error.HTTPError, match="503"):
            urllib.request.urlopen(
                urllib.request.Request(f"{url}/public-api/account", headers={"X-API-Key": key})
            )
