"""How the web process answers while the worker syncs a project of 1,000,000 pages."""

from __future__ import annotations

import json
import time
import urllib.request
import uuid

import psycopg

from app.accounts.keys import create_key
from app.accounts.model import Account
from app.infra.db import db
from app.projects.model import Project
from bench.customer import inside
from bench.sitemap_site import PROJECT, SitemapSite
from bench.stage import Stage
from tests.support.processes import Service
from tests.support.sites import project_at

PAUSE = 0.05
QUIET_REQUESTS = 40


def waits(stage: Stage, site: SitemapSite, size: str) -> dict[str, list[float]]:
    """Seconds of each GET of the project's pages: in a first sync, in the same again, and in between."""
    site.write(size)
    allowed = {"FETCH_ALLOW": site.address, "REQUESTS_PER_MINUTE": "1000000", "LOG_LEVEL": "WARNING"}
    database = stage.database()
    service = Service(stage.folder, database, {**allowed, "LEASE_SECONDS": "30"})
    try:
        with inside(service.env):
            project_id, key = _customer(site.sitemap(size))
        service.start("web", "worker")
        address = f"{service.url}/public-api/projects/{project_id}"
        _one_get(address, key)  # the first request of a process loads its templates and statements
        first = _during_a_sync(service.url, address, key)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE pages")  # as autovacuum does within minutes
        quiet = [_one_get(address, key) for _ in range(QUIET_REQUESTS)]
        same = _during_a_sync(service.url, address, key)
    finally:
        service.close()
    return {"a first sync": first, "no sync": quiet, "the same again": same}


def _customer(sitemap: str) -> tuple[int, str]:
    project: Project = project_at(PROJECT, sitemap)
    account = db.session.get_one(Account, project.account_id)
    return project.id, create_key(account, "bench")[1]


def _during_a_sync(url: str, address: str, key: str) -> list[float]:
    body = json.dumps({"operation": "SYNC_SITEMAP"}).encode()
    headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
    job = _asked(f"{address}/executions", key, body, headers)["job"]["id"]
    seen = []
    next_look = time.monotonic()
    while True:
        began = time.monotonic()
        seen.append(_one_get(address, key))
        if began > next_look:
            status = _asked(f"{url}/public-api/executions/{job}", key)["job"]["status"]
            if status not in ("queued", "running"):
                assert status == "succeeded", status
                return seen
            next_look = began + 1
        time.sleep(max(0.0, PAUSE - (time.monotonic() - began)))


def _one_get(address: str, key: str) -> float:
    began = time.perf_counter()
    _asked(f"{address}/pages", key)
    return time.perf_counter() - began


def _asked(url: str, key: str, body: bytes | None = None, headers: dict[str, str] | None = None):  # type: ignore[no-untyped-def]
    request = urllib.request.Request(url, body, {"X-API-Key": key, **(headers or {})})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)
