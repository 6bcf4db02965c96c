"""The public address of a post that its target reports as live, opened once, as a reader does."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from app.infra.http.client import Fetcher
from app.infra.http.errors import FetchError

SECONDS: Final = 8.0
_SAYS_LIVE: Final = "The site says that the post is live, but its address"
_IS_PRIVATE: Final = "is the site private?"
_MOST_WORDS: Final = 150
_LOOK: Final = "Open it to see what readers see."
_SIGN_IN: Final = re.compile(r"log-?in\b|sign-?in\b|/private\b|/auth\b", re.IGNORECASE)


@dataclass(frozen=True)
class PublicAddress:
    """What a reader gets: the HTTP ``status``, None without an answer; a ``remark`` unless it is the post."""

    status: int | None
    remark: str | None


NOT_OPENED: Final = PublicAddress(None, None)


def open_once(url: str, http: Fetcher) -> PublicAddress:
    """Open an address, with its redirects and without credentials. Raises nothing."""
    try:
        with http.get(url, {"Accept": "text/html"}, total_seconds=SECONDS) as response:
            status, arrived = response.status, response.url
    except FetchError as error:
        return PublicAddress(None, f"{_SAYS_LIVE} could not be opened: {error.message[:_MOST_WORDS]} {_LOOK}")
    if status in (401, 403):
        return PublicAddress(status, f"{_SAYS_LIVE} answered {status}: {_IS_PRIVATE}")
    if status != 200:
        return PublicAddress(status, f"{_SAYS_LIVE} answered {status}. {_LOOK}")
    path = urlsplit(arrived).path
    if path != urlsplit(url).path and _SIGN_IN.search(path):
        return PublicAddress(status, f"{_SAYS_LIVE} leads to a page to sign in: {_IS_PRIVATE}")
    return PublicAddress(status, None)
