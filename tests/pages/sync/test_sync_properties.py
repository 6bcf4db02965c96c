"""Any sequence of sitemaps against a small model of what they should do to the pages.

Some syncs come at the same moment, and some lose the database before one of their statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from zlib import crc32

import pytest
from flask import Flask
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection
from sqlalchemy import event as database_event

from app.failures import ServiceFailure
from app.infra.db import db
from app.infra.settings import current_settings
from app.pages import service
from app.pages.model import SitemapSync
from app.pages.sitemaps.document_cache import StoredDocuments
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sitemaps.url_buffer import UrlBuffer
from app.pages.sync import quarantine
from app.pages.sync.apply import FailedReading, apply_sitemap, record_failure
from app.pages.sync.sync_history import changes_of, list_syncs
from app.projects.model import Project
from tests.support.quick import examples
from tests.support.servers import SiteServer
from tests.support.sites import feed, html, page_counts, pages_of, project_at, urlset
from tests.support.syncing import age_quarantines, row_versions
from tests.support.together import together
from tests.support.validating import serve_tagged

NAMES = 30
NUMBERS = count(1)

few = st.frozensets(st.integers(0, NAMES - 1), max_size=6)
listed = few | few.map(lambda without: frozenset(range(NAMES)) - without)
KINDS = (*2 * ("complete",), "again", "partial", "feed", "page", "hand", "confirmation", "at once", "lost")
steps = st.lists(st.tuples(st.sampled_from(KINDS), listed, st.integers(0, 25)), max_size=10)
"""What happens, to which pages, and before which statement a sync loses the database if it does."""

Steps = list[tuple[str, frozenset[int], int]]


@dataclass
class Model:
    """What the pages should be: by name, in the sitemap and stale.

    ``waiting`` are the removals that a complete sync, or a person, may confirm, a sync not yet those in
    ``recent``. ``quarantined``: the last sync was.
    ``is_empty``: the last one that read the sitemap to its end found it empty; ``was_empty``: some time ago.
    """

    pages: set[int] = field(default_factory=set)
    in_sitemap: set[int] = field(default_factory=set)
    stale: set[int] = field(default_factory=set)
    waiting: set[int] | None = None
    recent: set[int] = field(default_factory=set)
    quarantined: bool = False
    is_empty: bool = False
    was_empty: bool = False

    def pass_time(self) -> None:
        """Let the quarantine be old enough for a sync to confirm it."""
        self.recent = set()
        self.was_empty = self.is_empty

    def add_by_hand(self, names: frozenset[int]) -> None:
        self.pages |= names
        self.stale -= names

    def sync(self, names: frozenset[int], *, whole: bool) -> tuple[set[int], set[int], set[int]]:
        """Take over a reading; return the names that are new, returned and gone."""
        known = self.in_sitemap - self.stale
        missing = known - names
        new, returned, gone = set(names - self.pages), set(names & self.stale), set(missing)
        waiting = missing & (self.waiting or set()) & self.recent
        missing_again = missing & (self.waiting or set()) - self.recent
        rest, left = missing - missing_again, len(known - missing_again)
        sudden = bool(waiting) or (bool(rest) and (not names or (len(known) >= 20 and 2 * len(rest) > left)))
        self.quarantined = whole and (sudden or not (names or known or self.was_empty))
        if whole:
            gone = missing_again if self.quarantined else gone
            self.waiting = (rest or None) if self.quarantined else None
            self.recent = rest if self.quarantined else set()
            self.is_empty, self.was_empty = not names, False
        else:
            gone = set()
            self.waiting = (self.waiting or set()) - names or None
        self.pages |= names
        self.in_sitemap = (self.in_sitemap | names) - gone
        self.stale = (self.stale - names) | gone
        return new, returned, gone

    def confirm(self) -> int | None:
        """Take a person's confirmation that the loss is real; return how many pages turn stale by it."""
        gone = self.waiting
        if gone is None:
            return None
        self.waiting = None
        self.stale |= gone
        self.in_sitemap -= gone
        return len(gone)


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def trying(most: int, one_in: int = 4) -> settings:
    return settings(
        max_examples=examples(most, one_in), deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )  # fmt: skip


@pytest.mark.parametrize("database_kind", ["sqlite"])
@given(steps)
@trying(50, one_in=8)
def test_pages_are_always_as_the_sitemaps_said(db_app: Flask, site: SiteServer, sequence: Steps) -> None:
    follow(db_app, site, sequence)


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
@given(steps)
@trying(15)
def test_pages_are_as_the_sitemaps_said_on_postgresql_too(
    db_app: Flask, site: SiteServer, sequence: Steps
) -> None:
    follow(db_app, site, sequence)


def follow(app: Flask, site: SiteServer, sequence: Steps) -> None:
    """Take these steps, and compare the pages with the model after each."""
    project = project_at(site.url, email=f"{next(NUMBERS)}@example.com")
    model, ids, last = Model(), dict[int, int](), frozenset[int]()
    for kind, names, moment in sequence:
        age_quarantines(11)
        model.pass_time()
        if kind == "hand":
            add_by_hand(project, site, names)
            model.add_by_hand(names)
        elif kind == "confirmation":
            assert confirmed(project) == model.confirm()
            event("a person said so")
        elif kind == "page" or (kind == "partial" and not names):
            fail(project, site, html("Welcome", "No sitemap here.") if kind == "page" else cut(urlset([])))
        elif kind == "at once":
            for listed_names, sync_id in at_once(app, project, site, names, last):
                compare(sync_id, listed_names, model, whole=True)
        elif kind == "lost":
            sync_id = lost(project, site, names, moment)
            if sync_id is not None:
                compare(sync_id, names, model, whole=True)
        else:
            last = names = last if kind == "again" else names
            body = listing(site, names)
            kept = {"partial": cut(body), "feed": feed(urls(site, names))}.get(kind, body)
            compare(applied(project, read(project, site, kept)), names, model, whole=kept == body)
        found = {number(url): page for url, page in pages_of(project.id).items()}
        assert {name for name, page in found.items() if page.is_stale} == model.stale
        assert {name for name, page in found.items() if page.in_sitemap} == model.in_sitemap
        assert set(found) == model.pages
        fresh = len(model.pages - model.stale)
        assert page_counts(project.id) == (fresh, len(model.stale))
        now = {name: page.id for name, page in found.items()}
        assert ids.items() <= now.items()
        ids = now


def compare(sync_id: int, names: frozenset[int], model: Model, *, whole: bool) -> None:
    """Let the model take over what a sync read, and compare its row with what came of that."""
    expected = model.sync(names, whole=whole)
    db.session.rollback()
    row = db.session.get_one(SitemapSync, sync_id)
    event(f"{'whole' if whole else 'not whole'} was {row.state}")
    assert tuple(changed(row, each) for each in ("new", "returned", "stale")) == expected
    assert (row.new, row.returned, row.stale) == tuple(len(each) for each in expected)
    assert row.found == len(names) == row.new + row.returned + row.unchanged
    assert (row.state == "quarantined") == model.quarantined


def at_once(
    app: Flask, project: Project, site: SiteServer, *sitemaps: frozenset[int]
) -> list[tuple[frozenset[int], int]]:
    """Apply readings at the same moment; return each with its sync's id, in the order they had."""
    readings = [(names, read(project, site, listing(site, names))) for names in sitemaps]
    project_id, turns = project.id, iter(readings)

    def one() -> tuple[frozenset[int], int]:
        names, buffer = next(turns)
        row = apply_sitemap(project_id, None, buffer, 0.0)
        db.session.commit()
        return names, row.id

    return sorted(together(app, one, len(readings)), key=lambda done: done[1])


def lost(project: Project, site: SiteServer, names: frozenset[int], moment: int) -> int | None:
    """Sync, and lose the database at a moment: None, and everything is as it was, unless it came too late."""
    before, syncs = row_versions(project), list_syncs(project, 1, 100)[1]
    buffer = read(project, site, listing(site, names))
    try:
        with database_lost_at(moment):
            return applied(project, buffer)
    except ConnectionAbortedError:
        db.session.rollback()
    event(f"lost before statement {moment}")
    assert (row_versions(project), list_syncs(project, 1, 100)[1]) == (before, syncs)
    return None


@contextmanager
def database_lost_at(moment: int) -> Iterator[None]:
    """Close the connection, whose transaction is open, before so many more statements; a commit is one."""
    statements = count()

    def lose(connection: Connection, *_: Any) -> None:
        if next(statements) == moment:
            connection.invalidate()
            raise ConnectionAbortedError

    names = ("before_cursor_execute", "commit")
    for name in names:
        database_event.listen(db.engine, name, lose)
    try:
        yield
    finally:
        for name in names:
            database_event.remove(db.engine, name, lose)


def urls(site: SiteServer, names: frozenset[int]) -> list[str]:
    return [f"{site.url}/{name}" for name in sorted(names)]


def listing(site: SiteServer, names: frozenset[int]) -> str:
    return urlset(urls(site, names))


def cut(sitemap: str) -> str:
    return sitemap[: -len("</urlset>\n")]


def read(project: Project, site: SiteServer, body: str) -> UrlBuffer:
    # The same body is answered by 304 when a complete reading of it was kept.
    address = serve_tagged(site, "/sitemap.xml", body, f'"{crc32(body.encode())}"')
    url, cache = project.url, StoredDocuments(project.id)
    db.session.rollback()
    return fetch_sitemap(
        current_settings(), url, address, seconds=30, should_stop=lambda: False,
        on_progress=lambda _u, _c: None, cache=cache,
    )  # fmt: skip


def applied(project: Project, buffer: UrlBuffer) -> int:
    row = apply_sitemap(project.id, None, buffer, 0.0)
    event(f"{row.not_modified} of 1 documents had not changed")
    sync_id = row.id
    db.session.commit()
    return sync_id


def confirmed(project: Project) -> int | None:
    open_one = quarantine.open_quarantine(project.id)
    confirmation = quarantine.confirm_removals(project, open_one.id) if open_one is not None else None
    return confirmation.stale if confirmation is not None else None


def fail(project: Project, site: SiteServer, body: str) -> None:
    with pytest.raises(ServiceFailure, match="SITEMAP_INVALID") as caught:
        read(project, site, body)
    record_failure(project.id, None, FailedReading(f"{site.url}/sitemap.xml", caught.value.failure))
    db.session.commit()


def add_by_hand(project: Project, site: SiteServer, names: frozenset[int]) -> None:
    for name in names:
        service.add_page(project, {"url": f"{site.url}/{name}"})


def changed(row: SitemapSync, kind: str) -> set[int]:
    return {number(page.url) for page in changes_of(row, kind, 100)}


def number(url: str) -> int:
    return int(url.rpartition("/")[2])
