"""How gently a site is read: one page at a time with a pause between two, and not at all while it backs off.

A site's lock is a key in Redis that expires. Without Redis each reader keeps its own pauses. The database
keeps backoffs, which apply to all projects and workers; nothing is committed here.
"""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from typing import Final

from redis.exceptions import RedisError
from sqlalchemy import delete, select

from app.failures import ServiceFailure
from app.infra import queue
from app.infra.clock import utc_now
from app.infra.db import db, later_of, own_insert
from app.infra.http.address_rules import AllowedPairs, check_url
from app.infra.urls import host_of
from app.pages.model import SiteBackoff

USUAL: Final = 1.0
"""Seconds between two pages of a site that states no Crawl-delay."""

# The slowest requests for a page, the robots.txt of two sites, and the page once more.
_LOCK_SECONDS: Final = 150.0
_CHECK_EVERY: Final = 0.2


class Pace:
    """Locks a site while one reader reads. ``exempt``: the operator's own addresses, which need no pauses."""

    def __init__(self, exempt: AllowedPairs, usual: float = USUAL) -> None:
        self.usual = usual
        self._exempt = exempt
        self._free_at: dict[str, float] = {}

    def acquire(self, url: str, until: float, should_stop: Callable[[], bool]) -> bool:
        """Wait for a site's lock; return False if ``until``, a time of the monotonic clock, comes first."""
        if self._is_exempt(url):
            return True
        host = host_of(url)
        while not self._taken(host):
            if should_stop() or time.monotonic() >= until:
                return False
            time.sleep(_CHECK_EVERY)
        return True

    def release(self, url: str, pause: float) -> None:
        """Let the next reader have the site after ``pause`` seconds."""
        if self._is_exempt(url):
            return
        host = host_of(url)
        self._free_at[host] = time.monotonic() + pause
        with suppress(RedisError), queue.guarded():
            queue.redis_client().pexpire(_key(host), max(1, round(pause * 1000)))

    def _taken(self, host: str) -> bool:
        if time.monotonic() < self._free_at.get(host, 0.0):
            return False
        try:
            with queue.guarded():
                longest = round(_LOCK_SECONDS * 1000)
                return bool(queue.redis_client().set(_key(host), 1, nx=True, px=longest))
        except RedisError:
            return True

    def _is_exempt(self, url: str) -> bool:
        try:
            endpoint = check_url(url, self._exempt)
        except ServiceFailure:
            return True  # it will be refused without a request
        return (endpoint.host, endpoint.port) in self._exempt


def _key(host: str) -> str:
    return f"page-turn:{host}"


def back_off(origin: str, until: datetime) -> None:
    """Read nothing from a site until a time, or until a later one that is stored already."""
    added = own_insert(SiteBackoff).values(origin=origin, until=until)
    later = later_of(added.excluded.until, SiteBackoff.__table__.c.until)
    db.session.execute(added.on_conflict_do_update(index_elements=["origin"], set_={"until": later}))


def backoffs_of(origins: Iterable[str]) -> dict[str, datetime]:
    """Return until when each of these sites backs off; other sites are left out."""
    rows = db.session.execute(
        select(SiteBackoff.origin, SiteBackoff.until).where(
            SiteBackoff.origin.in_(set(origins)), SiteBackoff.until > utc_now()
        )
    )
    return {row.origin: row.until for row in rows}


def delete_expired_backoffs() -> None:
    db.session.execute(delete(SiteBackoff).where(SiteBackoff.until <= utc_now()))
