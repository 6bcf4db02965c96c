"""Reads the pages that are due: fetch, extract, store, one page a transaction, politely.

A page's ``read_due_at`` is both its place in the queue and, while it is being read, its lease.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import Row, and_, or_, select, update

from app.config import Settings
from app.failures import Failure, ServiceFailure, failure
from app.infra import queue
from app.infra.addresses import check_url
from app.infra.clock import utc_now
from app.infra.db import db, release
from app.infra.fetch_errors import FetchError, FetchErrorKind
from app.infra.http import Fetcher, Response
from app.infra.outbound import fetcher_from
from app.infra.urls import InvalidUrl, normalise, same_site
from app.pages.extract import PageContent as ReadContent
from app.pages.extract import extract
from app.pages.model import Page, PageContent
from app.pages.robots import Robots
from app.pages.robots_fetch import fetch_robots
from app.projects.model import Project

LEASE: Final = timedelta(minutes=5)
COUNT_AFTER: Final = timedelta(seconds=20)
ATTEMPTS: Final = 3
PAUSE: Final = 1.0
PAGE_SECONDS: Final = 30.0
PAGE_BYTES: Final = 5 * 1024 * 1024
ROUND: Final = 100.0
"""Seconds after which no further page is begun: a round ends well within its lease and its task's time."""

Due = Row[int, str]


@dataclass(frozen=True)
class ReadPages:
    """How many pages were read, how many of these failed, and whether more are due."""

    read: int
    failed: int
    more: bool


def read_due_pages(
    settings: Settings, project_id: int, limit: int, should_stop: Callable[[], bool] = lambda: False
) -> ReadPages:
    """Read up to ``limit`` due pages of a project, one at a time; those it does not get to stay due."""
    due = _take(project_id, limit)
    if not due:
        return ReadPages(0, 0, more=False)
    ends = time.monotonic() + ROUND
    http = fetcher_from(settings, total_seconds=PAGE_SECONDS, max_bytes=PAGE_BYTES, should_stop=should_stop)
    robots_of = cache(lambda origin: fetch_robots(http, f"{origin}/robots.txt"))
    read = failed = 0
    for page in due:
        if should_stop() or time.monotonic() > ends:
            _give_back([row.id for row in due[read:]])
            break
        robots = robots_of(_origin(page.url))
        if read and not _exempt(page.url, settings):
            time.sleep(robots.pause(PAUSE))
        failed += not read_page(http, robots, page.id, page.url)
        read += 1
    _touch_project(project_id)
    return ReadPages(read, failed, more=read < len(due) or len(due) == limit)


def read_page(http: Fetcher, robots: Robots, page_id: int, url: str) -> bool:
    """Read one page and store what it says, or why it could not be read; return whether it was read."""
    found = _fetch(http, robots, url)
    release()
    if isinstance(found, Failure):
        _store_failure(page_id, found)
    else:
        store_content(page_id, found)
    db.session.commit()
    release()
    return not isinstance(found, Failure)


def store_content(page_id: int, content: ReadContent | None) -> None:
    """Write what was read on a page; None for an answer that holds no text. The caller commits."""
    page = db.session.get(Page, page_id, populate_existing=True)
    if page is None:
        return
    page.fetched_at, page.fetch_error = utc_now(), None
    page.read_due_at, page.read_attempts = None, 0
    if content is None:
        return
    page.title = content.title[:500] or None
    page.description = content.description or None
    page.language = content.language
    page.noindex = content.noindex
    page.canonical_url = content.canonical_url
    page.word_count = content.word_count
    stored = db.session.get(PageContent, page_id) or PageContent(page_id=page_id)
    stored.blocks = content.to_json()["blocks"]
    stored.content_hash = content.content_hash
    db.session.add(stored)


def ring_due_pages(limit: int) -> int:
    """Ask for a round of reading for each of up to ``limit`` projects with due pages; return how many."""
    projects = projects_with_due_pages(limit)
    for project_id in projects:
        queue.ring_pages(project_id)
    return len(projects)


def projects_with_due_pages(limit: int) -> Sequence[int]:
    """Return up to ``limit`` projects that have pages to read now."""
    due = and_(Page.read_due_at <= utc_now(), ~Page.is_stale)
    statement = select(Page.project_id).where(due).distinct().limit(limit)
    projects = db.session.scalars(statement).all()
    db.session.commit()
    return projects


def _take(project_id: int, limit: int) -> Sequence[Due]:
    now = utc_now()
    first = (
        select(Page.id)
        .where(Page.project_id == project_id, Page.read_due_at <= now, ~Page.is_stale)
        .order_by(Page.always_use.desc(), Page.read_due_at, Page.id)
        .limit(limit)
    )
    taken = db.session.execute(
        update(Page)
        .where(Page.id.in_(first), Page.read_due_at <= now)
        .values(read_due_at=now + LEASE)
        .returning(Page.id, Page.url)
        .execution_options(synchronize_session=False)
    ).all()
    db.session.commit()
    release()
    return sorted(taken, key=lambda page: page.id)


def _give_back(page_ids: Sequence[int]) -> None:
    db.session.execute(update(Page).where(Page.id.in_(page_ids)).values(read_due_at=utc_now()))
    db.session.commit()


def _fetch(http: Fetcher, robots: Robots, url: str) -> ReadContent | Failure | None:
    if not robots.allows(url):
        return failure("URL_NOT_ALLOWED", "The site's robots.txt does not allow reading this page.")
    try:
        with http.get(url, {"Accept": "text/html, text/plain;q=0.5"}) as response:
            if response.status != 200:
                return _unreachable(f"The server answered {response.status}.", status=response.status)
            content_type = response.headers.get("content-type", "text/html")
            if not content_type.lower().startswith(("text/html", "application/xhtml", "text/plain")):
                return None
            if not _stays_on_site(url, response.url):
                return failure("URL_NOT_ALLOWED", "The page leads to another site.")
            return _as_told(response, extract(response.read(), response.url, content_type))
    except FetchError as error:
        if error.kind is FetchErrorKind.BLOCKED:
            return failure("URL_NOT_ALLOWED", error.message)
        return _unreachable(error.message, reason=error.kind.value)


def _stays_on_site(url: str, final: str) -> bool:
    try:
        return final == url or same_site(url, normalise(final))
    except InvalidUrl:
        return False


def _as_told(response: Response, content: ReadContent) -> ReadContent:
    """Return the content with what the answer's header says to search engines."""
    words = re.split(r"[\s,:]+", response.headers.get("x-robots-tag", "").lower())
    return replace(content, noindex=content.noindex or "noindex" in words or "none" in words)


def _unreachable(message: str, **details: Any) -> Failure:
    return failure("PAGE_UNREACHABLE", f"The page could not be read: {message}", details=details)


def _store_failure(page_id: int, found: Failure) -> None:
    page = db.session.get(Page, page_id, populate_existing=True)
    if page is None:
        return
    page.fetch_error = found.to_dict()
    page.read_attempts += 1
    again = found.kind.retryable and page.read_attempts < ATTEMPTS
    page.read_due_at = utc_now() + timedelta(minutes=10 * 6 ** (page.read_attempts - 1)) if again else None


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])


def _exempt(url: str, settings: Settings) -> bool:
    """Whether the operator named this very address: its own machine needs no politeness."""
    try:
        endpoint = check_url(url, settings.fetch_allow)
    except ServiceFailure:
        return True  # it will be refused without a request
    return (endpoint.host, endpoint.port) in settings.fetch_allow


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
