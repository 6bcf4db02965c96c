"""Reads the pages that are due: fetch, extract, store, one page a transaction, politely.

take from the queue | count the attempt | wait for the site's turn | fetch | store what changed | say when to
look again. What nobody foresaw is the failure of the page it befell, not of the round.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from rq.timeouts import BaseTimeoutException
from sqlalchemy import or_, update

from app.config import Settings
from app.failures import failure
from app.infra import queue
from app.infra.clock import utc_now
from app.infra.db import db, release
from app.infra.db_engine import DATABASE_UNAVAILABLE
from app.infra.http.client import fetcher_from
from app.infra.http.errors import FetchError
from app.infra.http.headers import Validators
from app.infra.urls import origin_of
from app.pages.crawling import page_queue, robots_memory
from app.pages.crawling.backoff import forget_past_rests, leave_alone
from app.pages.crawling.pace import Pace
from app.pages.crawling.page_fetch import Read, Unchanged, Unread, fetch_page, robots_of
from app.pages.crawling.page_queue import READ_AGAIN, Due, next_try
from app.pages.crawling.robots import Robots
from app.pages.extraction.extract import Extracted
from app.pages.model import Page, PageContent
from app.pages.supplied import to_be_read
from app.pages.vocabulary import vocabulary_of
from app.projects.model import Project

COUNT_AFTER: Final = timedelta(seconds=20)
PAGE_SECONDS: Final = 30.0
PAGE_BYTES: Final = 5 * 1024 * 1024
ROUND: Final = 10.0
_DIGESTED: Final = frozenset({"id", "kind", "text", "heading_path", "lists"})
"""Seconds after which no further page is begun: the worker's other work has its turn between two rounds."""

_BROKEN: Final = Unread(
    failure("PAGE_UNREACHABLE", "The page could not be read: nobody foresaw what it holds.")
)
_log = logging.getLogger(__name__)

Found = Read | Unchanged | Unread


@dataclass(frozen=True)
class ReadPages:
    """How many pages were read, how many of these failed, and whether more are due."""

    read: int
    failed: int
    more: bool


def read_due_pages(
    settings: Settings,
    project_id: int,
    limit: int,
    should_stop: Callable[[], bool] = lambda: False,
    pace: Pace | None = None,
    *,
    among: Sequence[int] = (),
    unread: Callable[[str], None] = lambda _url: None,
) -> ReadPages:
    """Read up to ``limit`` due pages of a project, one at a time; those it does not get to stay due.

    ``among`` are the ids of the only pages to read, ``unread`` hears the address of each that could not be.
    """
    due = page_queue.take(project_id, limit, among)
    reader = _Reader(settings, pace or Pace(settings.fetch_allow), should_stop)
    left, read, failed, news = list(due), 0, 0, False
    while left:
        page = left[0]
        until = page_queue.begin(page.id)
        if until is None:
            left = left[1:]
            continue
        begun = _Begun(utc_now(), until)
        found, left = _isolated(reader, page, begun, left[1:])
        if found is None:
            page_queue.uncount(page.id)
            left = [page, *left]
            break
        read += 1
        if isinstance(found, Unread):
            failed += 1
            unread(page.url)
        news |= not isinstance(found, Unchanged) or found.noindex
    page_queue.give_back([page.id for page in left])
    if news:
        _touch_project(project_id)
    return ReadPages(read, failed, more=bool(left) or len(due) == limit)


def enqueue_due_pages(limit: int) -> int:
    """Ask for a round of reading for each of up to ``limit`` projects with due pages; return how many."""
    forget_past_rests()
    db.session.commit()
    projects = page_queue.projects_with_due_pages(limit)
    for project_id in projects:
        queue.enqueue_page_reading(project_id)
    return len(projects)


@dataclass(frozen=True)
class _Begun:
    """When the reading of a page began, and until when it is put off meanwhile."""

    at: datetime
    until: datetime


def _isolated(reader: _Reader, page: Due, begun: _Begun, left: list[Due]) -> tuple[Found | None, list[Due]]:
    """Read and settle one page: what it answers, None when the round has ended, and which pages are left."""
    try:
        found = reader.read(page)
        return found, left if found is None else _settle(page, begun, found, left)
    except (BaseTimeoutException, *DATABASE_UNAVAILABLE):
        raise
    except Exception:
        _log.exception("page %s could not be read", page.id)
        return _BROKEN, _settle(page, begun, _BROKEN, left)


class _Reader:
    """Reads pages until its round ends, each at its site's turn; asks a site for its rules at most once."""

    def __init__(self, settings: Settings, pace: Pace, should_stop: Callable[[], bool]) -> None:
        self._http = fetcher_from(
            settings, total_seconds=PAGE_SECONDS, max_bytes=PAGE_BYTES, should_stop=should_stop
        )
        self._pace = pace
        self._should_stop = should_stop
        self._ends = time.monotonic() + ROUND
        self._asked: dict[str, Robots | Unread] = {}

    def read(self, page: Due) -> Found | None:
        """Return what the page answers; None when the round has ended."""
        if self._should_stop() or time.monotonic() > self._ends:
            return None
        if not self._pace.take_turn(page.url, self._ends, self._should_stop):
            return None
        pause = self._pace.usual
        try:
            robots = self._rules(page.url)
            if isinstance(robots, Robots):
                pause = robots.pause(pause)
            return fetch_page(self._http, self._rules, page.url, page.known)
        except FetchError:  # it was told to stop
            return None
        finally:
            self._pace.end_turn(page.url, pause)

    def _rules(self, url: str) -> Robots | Unread:
        """Return the rules that a page is under. What is forbidden may be allowed by now: that is asked."""
        origin = origin_of(url)
        if origin not in self._asked:
            known = robots_memory.recall(origin)
            if known is not None and known.allows(url):
                return known
            self._asked[origin] = robots_of(self._http, origin)
        return self._asked[origin]


def _settle(page: Due, begun: _Begun, found: Found, left: list[Due]) -> list[Due]:
    """Store what became of a page; return which of the round's other pages are still to be read."""
    release()
    _store(page.id, begun, found)
    if isinstance(found, Unread) and found.busy:
        origin = origin_of(page.url)
        theirs = [other.id for other in left if origin_of(other.url) == origin]
        until = next_try(1, soon=True, ask_again_in=found.ask_again_in)
        leave_alone(origin, until)
        page_queue.set_due(theirs, until)
        left = [other for other in left if other.id not in theirs]
    db.session.commit()
    release()
    return left


def _store(page_id: int, begun: _Begun, found: Found) -> None:
    page = to_be_read(page_id)
    if page is None:
        return
    # What made the page due while it was read may have changed it after it was read.
    due_anyway = None if page.read_due_at == begun.until else page.read_due_at
    if isinstance(found, Unread):
        if found.counts or page.fetched_at is None:
            page.fetch_error = found.failure.to_dict()
        if not found.counts:
            page.read_attempts = max(0, page.read_attempts - 1)
        page.read_due_at = due_anyway or next_try(
            max(1, page.read_attempts), soon=found.failure.kind.retryable, ask_again_in=found.ask_again_in
        )
        return
    page.fetched_at, page.fetch_error, page.read_attempts = begun.at, None, 0
    page.read_due_at = due_anyway or utc_now() + READ_AGAIN
    if isinstance(found, Unchanged):
        if found.noindex and not page.noindex:
            _store_noindex(page)
        return
    page.noindex = found.noindex
    if found.content is None:
        _forget_content(page)
    else:
        _store_content(page, found.content, found.validators)


def _store_content(page: Page, content: Extracted, validators: Validators | None) -> None:
    page.title = content.title[:500] or None
    page.description = content.description or None
    page.language = content.language
    page.canonical_url = content.canonical_url
    page.word_count = content.word_count
    stored = db.session.get(PageContent, page.id) or PageContent(page_id=page.id, content_hash="")
    blocks = content.to_json()["blocks"]
    # Links, groups and the like are no part of the text and of its digest: pages read earlier have none yet.
    if stored.content_hash != content.content_hash or _undigested(stored.blocks) != _undigested(blocks):
        stored.blocks, stored.content_hash = blocks, content.content_hash
    found = vocabulary_of(page.title, page.description, stored.blocks)
    stored.words, stored.headings = found.words, found.headings
    stored.etag = validators.etag if validators else None
    stored.last_modified = validators.last_modified if validators else None
    db.session.add(stored)


def _undigested(blocks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    members = ({name: block[name] for name in block if name not in _DIGESTED} for block in blocks)
    return [each for each in members if each]


def _forget_content(page: Page) -> None:
    """Forget what was read on a page that holds no text any more."""
    page.title = page.description = page.language = page.canonical_url = page.word_count = None
    stored = db.session.get(PageContent, page.id)
    if stored is not None:
        db.session.delete(stored)


def _store_noindex(page: Page) -> None:
    """Store that an answer's header alone says noindex; the next reading asks for the whole page."""
    page.noindex = True
    stored = db.session.get_one(PageContent, page.id)
    stored.etag = stored.last_modified = None


def _touch_project(project_id: int) -> None:
    """Have coverage counted a little later: once for many rounds, and again if it is being counted now."""
    now = utc_now()
    db.session.execute(
        update(Project)
        .where(
            Project.id == project_id,
            or_(Project.coverage_due_at.is_(None), Project.coverage_due_at <= now),
        )
        .values(coverage_due_at=now + COUNT_AFTER, updated_at=Project.updated_at)
    )
    db.session.commit()
    release()
