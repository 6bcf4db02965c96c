"""Syncs that are killed with SIGKILL at a random moment, and what the pages look like afterwards."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from itertools import cycle
from multiprocessing.connection import Connection
from random import Random

from flask import current_app
from sqlalchemy import text

from app.config import load_settings
from app.factory import create_app
from app.infra.db import db, release
from app.infra.settings import current_settings
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sync.apply import apply_sitemap
from app.projects.model import Project
from tests.support.environment import settings_environment
from tests.support.servers import SiteServer
from tests.support.sites import project_at, urlset
from tests.support.waiting import eventually

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])

Pages = list[tuple[object, ...]]


class KilledSyncs:
    """A project whose sitemap changes each time; ``outcomes`` counts what became of its killed syncs.

    Needs the application's context; the killed processes use the same database.
    """

    def __init__(self, site: SiteServer, pages: int, seed: int) -> None:
        self.outcomes: Counter[str] = Counter()
        self._overrides = {
            "DATABASE_URL": current_app.config["SQLALCHEMY_DATABASE_URI"],
            "FETCH_ALLOW": site.address,
        }
        self._site, self._size = site, pages
        self._random = Random(seed)
        self._halves = cycle(("apply", "fetch"))
        self._project = project_at(site.url, f"{site.url}/sitemap.xml", f"{pages}@example.com").id
        self._listed: set[str] = set()
        self._change()
        self._seconds = self._whole_sync()

    def kill_one(self) -> None:
        """Kill a sync in one of its two halves and check the pages; let one finish and check again."""
        before, syncs = self._pages(), self._syncs()
        known = {str(row[1]) for row in before if not row[3]}
        self._change()
        half = next(self._halves)
        self._kill(half, self._random.uniform(0, 1.1) * self._seconds[half])
        if self._syncs() == syncs:
            assert self._pages() == before, f"killed in {half}: no trace of a sync, but other pages"
            self.outcomes[f"{half}: as before"] += 1
        else:
            self._check_after(before, known)
            self.outcomes[f"{half}: as after"] += 1
        self._whole_sync()
        self._check_after(before, known)

    def _check_after(self, before: Pages, known: set[str]) -> None:
        """Every listed page is fresh, every other known page is stale, and each has kept its id."""
        rows = self._pages()
        assert {str(row[1]) for row in rows if not row[3]} == self._listed
        assert {str(row[1]) for row in rows if row[3]} >= known - self._listed
        assert {row[:2] for row in before} <= {row[:2] for row in rows}
        assert len({row[1] for row in rows}) == len(rows)

    def _change(self) -> None:
        """Serve a sitemap of three in four of all names, others each time: some leave, some come back."""
        names = [name for name in range(self._size) if self._random.random() < 0.75]
        self._listed = {f"{self._site.url}/page-{name}" for name in names}
        self._site.serve("/sitemap.xml", urlset(sorted(self._listed), lastmod="2026-05-01"))

    def _kill(self, half: str, seconds: float) -> None:
        process, reports = self._start()
        while reports.recv() != half:
            pass
        process.join(seconds)
        process.kill()
        process.join()
        reports.close()
        self._wait_for_the_database()

    def _whole_sync(self) -> dict[str, float]:
        """Let a sync finish; return the seconds that each half took."""
        process, reports = self._start()
        moments = {reports.recv(): time.monotonic() for _ in range(3)}
        process.join()
        reports.close()
        assert process.exitcode == 0
        self._wait_for_the_database()
        return {"fetch": moments["apply"] - moments["fetch"], "apply": moments["done"] - moments["apply"]}

    def _start(self) -> tuple[multiprocessing.process.BaseProcess, Connection]:
        release()
        ours, theirs = _PROCESSES.Pipe(duplex=False)
        process = _PROCESSES.Process(target=_sync, args=(self._overrides, self._project, theirs), daemon=True)
        process.start()
        theirs.close()
        return process, ours

    def _wait_for_the_database(self) -> None:
        """PostgreSQL may still be at work for a client that is gone."""
        if db.engine.dialect.name == "postgresql":
            others = text(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND backend_type = 'client backend' AND state <> 'idle'"
            )
            eventually(
                lambda: self._scalar(others) == 0, "the killed client's transaction is over", seconds=60
            )

    def _pages(self) -> Pages:
        """Every page row in full: id, URL, key and whether it is stale first."""
        release()
        rows = db.session.execute(
            text("SELECT id, url, url_key, is_stale, * FROM pages WHERE project_id = :id ORDER BY id"),
            {"id": self._project},
        )
        return [tuple(row) for row in rows]

    def _syncs(self) -> int:
        return self._scalar(text(f"SELECT count(*) FROM sitemap_syncs WHERE project_id = {self._project}"))

    def _scalar(self, statement: object) -> int:
        release()
        return int(db.session.execute(statement).scalar_one())  # type: ignore[call-overload]


def _sync(overrides: dict[str, str], project_id: int, report: Connection) -> None:
    """What the killed process does: the two halves of SYNC_SITEMAP, each reported as it begins."""
    with create_app(load_settings(settings_environment(**overrides))).app_context():
        project = db.session.get_one(Project, project_id)
        home, sitemap = project.url, str(project.sitemap_url)
        release()
        report.send("fetch")
        buffer = fetch_sitemap(
            current_settings(), home, sitemap, seconds=60,
            should_stop=lambda: False, on_progress=lambda _urls, _children: None,
        )  # fmt: skip
        report.send("apply")
        apply_sitemap(project_id, None, buffer, 0.0)
        db.session.commit()
        report.send("done")
