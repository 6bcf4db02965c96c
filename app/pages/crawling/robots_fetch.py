"""Asking a site for its robots.txt."""

from __future__ import annotations

from typing import Final

from app.infra.http.client import Fetcher
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.headers import BUSY, retry_after_seconds
from app.pages.crawling.robots import MAX_BYTES

LEADS_NOWHERE: Final = (FetchErrorKind.BLOCKED, FetchErrorKind.REDIRECT)
"""Ends of a request that are an answer: there is nothing that may be read."""


class RobotsUnreadable(Exception):
    """Nobody knows what the site's robots.txt says, because its server fails.

    ``busy``: the server asks to be left alone, for ``retry_after`` seconds if it says so.
    """

    def __init__(self, message: str, *, busy: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.busy = busy
        self.retry_after = retry_after


def fetch_robots(http: Fetcher, address: str) -> str:
    """Return the text of the robots.txt at ``address``, an empty one, which allows everything, without one.

    Raises RobotsUnreadable when the server does not answer, is busy or
    fails: then nothing may be read (RFC 9309, 2.3.1.4); FetchError ``stopped`` alone.
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
