"""Reads due pages one at a time: fetch, extract, store, with a transaction for each page.

lease from the queue | count the attempt | wait for a turn | fetch | store the changes | set the next time
An unexpected error is the failure of its page, not of the round.
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
from app.infra.urls import origin_of
from app.pages.crawling import page_queue
from app.pages.crawling.pace import Pace, back_off, delete_expired_backoffs
from app.pages.crawling.page_fetch import Read, Unchanged, Unread, fetch_page, robots_of
from app.pages.crawling.page_queue import READ_AGAIN, Due, next_try
from app.pages.crawling.robots import Robots
from app.pages.crawling.robots_fetch import cached_robots
from app.pages.equal_texts import text_key
from app.pages.extraction.blocks import Extracted
from app.pages.model import Page, PageContent
from app.pages.supplied import to_be_read
from app.pages.vocabulary import vocabulary_of
from app.projects.model import Project

COUNT_AFTER: Final = timedelta(seconds=20)
PAGE_SECONDS: Final = 30.0
PAGE_BYTES: Final = 5 * 1024 * 1024
ROUND: Final = 10.0
"""Seconds after which a round begins no further page, so that the worker can do other work between rounds."""

_DIGESTED: Final = frozenset({"id", "kind", "text", "heading_path", "lists"})

_BROKEN: Final = Unread(
    failure("PAGE_UNREACHABLE", "The page could not be read because of an unexpected error.")
)
_log = logging.getLogger(__name__)

ReadResult = Read | Unchanged | Unread


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
    on_failure: Callable[[str], None] = lambda _url: None,
) -> ReadPages:
    """Read up to ``limit`` due pages of a project, one at a time. Pages that are not reached stay due.

    With ``among``, only pages with these ids are read. ``on_failure`` is called with the address of each page
    that could not be read.
    """
    due = page_queue.take(project_id, limit, among)
    reader = _Reader(settings, pace or Pace(settings.fetch_allow), should_stop)
    left, read, failed, has_changes = list(due), 0, 0, False
    while left:
        page = left[0]
        until = page_queue.begin(page.id)
        if until is None:
            left = left[1:]
            continue
        begun = _Begun(utc_now(), until)
        result, left = _read_one(reader, page, begun, left[1:])
        if result is None:
            page_queue.uncount(page.id)
            left = [page, *left]
            break
        read += 1
        if isinstance(result, Unread):
            failed += 1
            on_failure(page.url)
        has_changes |= not isinstance(result, Unchanged) or result.noindex
    page_queue.give_back([page.id for page in left])
    if has_changes:
        _schedule_coverage(project_id)
    return ReadPages(read, failed, more=bool(left) or len(due) == limit)


def enqueue_due_pages(limit: int) -> int:
    """Enqueue a round of reading for up to ``limit`` projects with due pages; return how many."""
    delete_expired_backoffs()
    db.session.commit()
    projects = page_queue.projects_with_due_pages(limit)
    for project_id in projects:
        queue.enqueue_page_reading(project_id)
    return len(projects)


@dataclass(frozen=True)
class _Begun:
    """When the reading of a page began, and until when the page is postponed meanwhile."""

    at: datetime
    until: datetime


def _read_one(
    reader: _Reader, page: Due, begun: _Begun, left: list[Due]
) -> tuple[ReadResult | None, list[Due]]:
    try:
        result = reader.read(page)
        return result, left if result is None else _finish(page, begun, result, left)
    except (BaseTimeoutException, *DATABASE_UNAVAILABLE):
        raise
    except Exception:
        _log.exception("page %s could not be read", page.id)
        return _BROKEN, _finish(page, begun, _BROKEN, left)


class _Reader:
    """Reads pages until its round ends, and fetches the robots.txt of a site at most once."""

    def __init__(self, settings: Settings, pace: Pace, should_stop: Callable[[], bool]) -> None:
        self._http = fetcher_from(
            settings, total_seconds=PAGE_SECONDS, max_bytes=PAGE_BYTES, should_stop=should_stop
        )
        self._pace = pace
        self._should_stop = should_stop
        self._ends = time.monotonic() + ROUND
        self._robots: dict[str, Robots | Unread] = {}

    def read(self, page: Due) -> ReadResult | None:
        """Read a page; return None if the round has ended."""
        if self._should_stop() or time.monotonic() > self._ends:
            return None
        if not self._pace.acquire(page.url, self._ends, self._should_stop):
            return None
        pause = self._pace.usual
        try:
            robots = self._rules(page.url)
            if isinstance(robots, Robots):
                pause = robots.pause(pause)
            return fetch_page(self._http, self._rules, page.url, page.known)
        except FetchError:  # the round was stopped
            return None
        finally:
            self._pace.release(page.url, pause)

    def _rules(self, url: str) -> Robots | Unread:
        """Return the robots.txt for a page. A cached one that forbids the page is fetched again."""
        origin = origin_of(url)
        if origin not in self._robots:
            known = cached_robots(origin)
            if known is not None and known.allows(url):
                return known
            self._robots[origin] = robots_of(self._http, origin)
        return self._robots[origin]


def _finish(page: Due, begun: _Begun, result: ReadResult, left: list[Due]) -> list[Due]:
    release()
    _store(page.id, begun, result)
    if isinstance(result, Unread) and result.busy:
        origin = origin_of(page.url)
        theirs = [other.id for other in left if origin_of(other.url) == origin]
        until = next_try(1, soon=True, retry_after=result.retry_after)
        back_off(origin, until)
        page_queue.set_due(theirs, until)
        left = [other for other in left if other.id not in theirs]
    db.session.commit()
    release()
    return left


def _store(page_id: int, begun: _Begun, result: ReadResult) -> None:
    page = to_be_read(page_id)
    if page is None:
        return
    # Whatever made the page due meanwhile may have changed it after it was read.
    due_anyway = None if page.read_due_at == begun.until else page.read_due_at
    if isinstance(result, Unread):
        if result.counts or page.fetched_at is None:
            page.fetch_error = result.failure.to_dict()
        if not result.counts:
            page.read_attempts = max(0, page.read_attempts - 1)
        page.read_due_at = due_anyway or next_try(
            max(1, page.read_attempts), soon=result.failure.kind.retryable, retry_after=result.retry_after
        )
        return
    page.fetched_at, page.fetch_error, page.read_attempts = begun.at, None, 0
    page.read_due_at = due_anyway or utc_now() + READ_AGAIN
    if isinstance(result, Unchanged):
        if result.noindex and not page.noindex:
            _store_noindex(page)
        return
    page.noindex = result.noindex
    _store_content(page, result.content, result)


def _store_content(page: Page, content: Extracted, read: Read) -> None:
    page.title = content.title[:500] or None
    page.description = content.description or None
    page.language = content.language
    page.canonical_url = content.canonical_url
    page.word_count = content.word_count
    page.text_key = text_key(content.content_hash, content.word_count)
    stored = db.session.get(PageContent, page.id) or PageContent(page_id=page.id, content_hash="")
    blocks = [block.to_json() for block in content.blocks]
    # The digest does not cover links, groups and the like, which pages that were read earlier lack.
    if stored.content_hash != content.content_hash or _without_text(stored.blocks) != _without_text(blocks):
        stored.blocks, stored.content_hash = blocks, content.content_hash
    found = vocabulary_of(page.title, page.description, stored.blocks)
    stored.words, stored.headings = found.words, found.headings
    stored.etag = read.validators.etag if read.validators else None
    stored.last_modified = read.validators.last_modified if read.validators else None
    stored.answered_url = read.answered_url
    db.session.add(stored)


def _without_text(blocks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    members = ({name: block[name] for name in block if name not in _DIGESTED} for block in blocks)
    return [each for each in members if each]


def _store_noindex(page: Page) -> None:
    """Store a noindex that only the header says, and make the next request unconditional."""
    page.noindex = True
    stored = db.session.get_one(PageContent, page.id)
    stored.etag = stored.last_modified = None


def _schedule_coverage(project_id: int) -> None:
    """Make coverage due a little later: once for many rounds, and again if it is being counted now."""
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
