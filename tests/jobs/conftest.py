"""Workers and schedulers as real processes, beside an application of the test's own on their database."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TypeVar

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.config import load_settings
from app.executions.states import TERMINAL
from app.factory import create_app
from app.infra.db import db
from app.pages.model import Page, SitemapSync
from tests.executions.conftest import SYNC, Garden, job_of
from tests.support.process_tree import children, send_signal
from tests.support.processes import RunService, Service
from tests.support.publishing import alice_project
from tests.support.servers import Reply, SiteServer
from tests.support.waiting import PATIENCE, eventually

T = TypeVar("T")

KILLED_AFTER = 30
"""Seconds after SIGTERM when platforms kill a worker."""

SHORT_LEASE = {"LEASE_SECONDS": "3"}
"""For a test that waits for the end of a lease: a worker that the machine keeps waiting may lose its own."""

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>{url}/one</loc></url><url><loc>{url}/two</loc></url></urlset>"
)


@dataclass
class LiveService:
    """The service that runs, and Alice's project with a sitemap that answers when ``answer`` is set."""

    service: Service
    app: Flask
    site: SiteServer
    garden: Garden
    answer: threading.Event = field(default_factory=threading.Event)

    def reached(self, times: int = 1) -> None:
        """Wait until a worker has asked for the sitemap so often."""
        self.eventually(
            lambda: len(self.site.requests_for("/sitemap.xml")) >= times, "the sitemap is asked for"
        )

    def running_sync(self) -> int:
        """The id of a sync that a worker runs, and which waits for its sitemap."""
        job_id = self.garden.queued(SYNC)
        self.reached()
        assert job_of(job_id).status == "running"
        return job_id

    def ended(self, *job_ids: int) -> list[str]:
        """Wait until jobs have ended; returns their status."""

        def all_ended() -> list[str]:
            found = [job_of(job_id).status for job_id in job_ids]
            return found if all(status in TERMINAL for status in found) else []

        return self.eventually(all_ended, f"jobs {job_ids} have ended")

    def eventually(self, condition: Callable[[], T], what: str, seconds: float = PATIENCE) -> T:
        """As ``eventually``, with the processes' words when it does not come."""
        try:
            return eventually(condition, what, seconds, pause=0.05)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.service.logs()}") from None

    def worker(self) -> int:
        """The process id of the worker that runs a job."""
        return self.eventually(lambda: next(iter(self._busy()), 0), "a worker has a child process")

    def child(self) -> int:
        """The process id of the child process."""
        return children(self.worker())[0]

    def _busy(self) -> list[int]:
        return [run.process.pid for run in self.service.running("worker") if children(run.process.pid)]

    def written(self) -> tuple[int, int]:
        """How many syncs were recorded, and how many pages there are."""
        db.session.rollback()
        counts = [db.session.scalar(select(func.count()).select_from(model)) for model in (SitemapSync, Page)]
        db.session.rollback()
        return counts[0] or 0, counts[1] or 0

    def signal_everyone(self, number: signal.Signals) -> None:
        """Send a signal to the worker and its child, as platforms do."""
        worker = self.worker()
        send_signal(number, *children(worker), worker)


StartService = Callable[..., LiveService]


@pytest.fixture
def start_service(run_service: RunService, site: SiteServer) -> Iterator[StartService]:
    """Call it as ``start_service("worker", "scheduler", kind="sqlite")``."""
    with ExitStack() as stack:

        def opened(*names: str, kind: str = "sqlite", **overrides: str) -> LiveService:
            settings = {
                "FETCH_ALLOW": site.address,
                "LEASE_SECONDS": "600",
                "SYNC_INTERVAL": "86400",
                **overrides,
            }
            service = run_service(*(names or ("worker", "scheduler")), kind=kind, **settings)
            app = create_app(load_settings(service.env))
            stack.enter_context(app.app_context())
            stack.callback(db.session.remove)
            project = alice_project()
            live = LiveService(service, app, site, Garden(project.account_id, project.id))
            stack.callback(live.answer.set)
            body = SITEMAP.format(url=site.url).encode()
            site.routes["/sitemap.xml"] = Reply(200, {"Content-Type": "text/xml"}, body, hold=live.answer)
            url = f"{site.url}/"
            live.garden.set_project(url=url, sitemap_url=f"{url}sitemap.xml")
            return live

        yield opened
