"""Fetches a site's robots.txt, and caches it for an hour so that few rounds need to fetch it.

Redis has the cached texts, as keys that expire (RFC 9309, 2.4, allows a day). Without Redis each round
fetches them.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Final

from redis.exceptions import RedisError

from app.infra import queue
from app.infra.http.client import PRODUCT, Fetcher
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.headers import BUSY, retry_after_seconds
from app.pages.crawling.robots import MAX_BYTES, Robots

LEADS_NOWHERE: Final = (FetchErrorKind.BLOCKED, FetchErrorKind.REDIRECT)
"""Errors that count as an answer: there is nothing at the address that may be read."""

CACHED_FOR: Final = timedelta(hours=1)
MAX_CACHED: Final = 64 * 1024
"""Characters of a text that is cached. Hardly any is longer, and Redis may be small."""


class RobotsUnreadable(Exception):
    """The site's robots.txt is not known because its server fails.

    ``busy``: the server asks for a pause, of ``retry_after`` seconds if it says so.
    """

    def __init__(self, message: str, *, busy: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.busy = busy
        self.retry_after = retry_after


def fetch_robots(http: Fetcher, address: str) -> str:
    """Return the text of the robots.txt at ``address``, an empty one if there is none.

    Raises RobotsUnreadable if the server does not answer, is busy or fails: then nothing may be read (RFC
    9309, 2.3.1.4). Raises FetchError ``stopped`` and no other FetchError.
    """
    try:
        with http.get(address) as response:
            if response.status == 429 or response.status >= 500:
                raise RobotsUnreadable(
                    f"The server answered {response.status}.",
                    busy=response.status in BUSY,
                    retry_after=retry_after_seconds(response.headers),
                )
            if response.status != 200:
                return ""
            body = bytearray()
            for piece in response.chunks():
                body += piece
                if len(body) >= MAX_BYTES:
                    break
            return body[:MAX_BYTES].decode("utf-8-sig", "replace")
    except FetchError as error:
        if error.kind in LEADS_NOWHERE:
            return ""
        if error.kind is FetchErrorKind.STOPPED:
            raise
        raise RobotsUnreadable(error.message) from error


def cache_robots(origin: str, text: str) -> None:
    if len(text) > MAX_CACHED:
        return
    with suppress(RedisError), queue.guarded():
        queue.redis_client().set(_key(origin), text, ex=CACHED_FOR)


def cached_robots(origin: str) -> Robots | None:
    """Return the cached robots.txt of an origin, None if there is none."""
    try:
        with queue.guarded():
            text = queue.redis_client().get(_key(origin))
    except RedisError:
        return None
    return Robots(text.decode(), PRODUCT) if isinstance(text, bytes) else None


def _key(origin: str) -> str:
    return f"robots:{origin}"
