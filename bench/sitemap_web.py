"""What others notice while a worker syncs 1,000,000 pages: those who read the list, and other customers."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
import uuid

import psycopg

from app.accounts.keys import create_key
from app.accounts.model import Account
from app.infra.db import db
from app.projects.model import Project
from bench.customer import inside, sign_up
from bench.sitemap_site import PROJECT, SitemapSite
from bench.stage import Stage
from tests.support.processes import Service
from tests.support.sites import project_at

PAUSE = 0.05
QUIET_REQUESTS = 40
NEIGHBOURS_EVERY = 0.3


def waits(stage: Stage, site: SitemapSite, size: str) -> dict[str, list[float]]:
    """Seconds of each GET of the project's pages: in a first sync, in the same again, and in between.

    And of each sync and generation of other customers, from the request to the end, with two workers.
    """
    for each in (size, "few"):
        site.write(each)
    allowed = {"FETCH_ALLOW": site.address, "REQUESTS_PER_MINUTE": "1000000", "LOG_LEVEL": "WARNING"}
    database = stage.database()
    service = Service(stage.folder, database, {**allowed, "LEASE_SECONDS": "30"})
    try:
        with inside(service.env):
            large = _customer(site.sitemap(size), "large@example.com")
            small = _customer(site.sitemap("few"), "small@example.com")
            writer = sign_up()
        service.start("web", "worker", "worker")
        project = _Project(service.url, *large)
        project.pages()  # the first request of a process loads its templates and statements
        neighbours = _Neighbours(_Project(service.url, *small), _Project(service.url, *writer))
        with neighbours:
            first = _during_a_sync(project)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE pages")  # as autovacuum does within minutes
        quiet = [project.pages() for _ in range(QUIET_REQUESTS)]
        same = _during_a_sync(project)
    finally:
        service.close()
    lists = {"a first sync": first, "no sync": quiet, "the same again": same}
    return {**lists, **neighbours.seen}


class _Project:
    """A customer's project, asked over HTTP."""

    def __init__(self, url: str, project_id: int, key: str) -> None:
        self._url = f"{url}/public-api"
        self._project = f"{self._url}/projects/{project_id}"
        self._key = key

    def pages(self) -> float:
        """Read the first pages of the list; return the seconds it took."""
        began = time.perf_counter()
        _asked(f"{self._project}/pages", self._key)
        return time.perf_counter() - began

    def begin(self, operation: str) -> int:
        """Submit an execution; return the job's id."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
        body = json.dumps({"operation": operation}).encode()
        job: int = _asked(f"{self._project}/executions", self._key, body, headers)["job"]["id"]
        return job

    def is_done(self, job: int) -> bool:
        """Whether the job succeeded by now; it must not end otherwise."""
        status = _asked(f"{self._url}/executions/{job}", self._key)["job"]["status"]
        assert status in ("queued", "running", "succeeded"), status
        return bool(status == "succeeded")


class _Neighbours:
    """Other customers, one of whom syncs a small sitemap while the other generates posts, in turns."""

    def __init__(self, small: _Project, writer: _Project) -> None:
        self._turns = {"SYNC_SITEMAP": small, "GENERATE_BLOG_POST": writer}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work)
        self.seen: dict[str, list[float]] = {f"{operation} of another": [] for operation in self._turns}

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._over.is_set():
            for operation, project in self._turns.items():
                began = time.perf_counter()
                job = project.begin(operation)
                while not project.is_done(job):
                    time.sleep(PAUSE / 2)
                self.seen[f"{operation} of another"].append(time.perf_counter() - began)
                self._over.wait(NEIGHBOURS_EVERY)


def _customer(sitemap: str, email: str) -> tuple[int, str]:
    project: Project = project_at(PROJECT, sitemap, email=email)
    account = db.session.get_one(Account, project.account_id)
    return project.id, create_key(account, "bench")[1]


def _during_a_sync(project: _Project) -> list[float]:
    job = project.begin("SYNC_SITEMAP")
    seen = []
    next_look = time.monotonic()
    while True:
        began = time.monotonic()
        seen.append(project.pages())
        if began > next_look:
            if project.is_done(job):
                return seen
            next_look = began + 1
        time.sleep(max(0.0, PAUSE - (time.monotonic() - began)))


def _asked(url: str, key: str, body: bytes | None = None, headers: dict[str, str] | None = None):  # type: ignore[no-untyped-def]
    request = urllib.request.Request(url, body, {"X-API-Key": key, **(headers or {})})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)
