"""Searches a site for its sitemaps: where robots.txt says, then in the usual places of its folder and host.

A sitemap is missing only if every request was answered and no answer is one. A site that does not answer,
or whose server fails or is busy, may have one all the same.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from app.config import Settings
from app.failures import ServiceFailure
from app.infra.http.client import PRODUCT, Fetcher, fetcher_from
from app.infra.http.errors import FetchError
from app.infra.http.headers import retry_after_seconds
from app.infra.urls import origin_of
from app.pages.crawling.robots import Robots
from app.pages.crawling.robots_fetch import LEADS_NOWHERE, RobotsUnreadable, fetch_robots
from app.pages.sitemaps.decoding import unpacked
from app.pages.sitemaps.formats import is_sitemap
from app.pages.sitemaps.opener import MAX_RETRY_AFTER
from app.pages.sitemaps.report import ParseError

COMMON_PLACES: Final = ("/sitemap.xml", "/sitemap_index.xml")
_MOST_NAMED: Final = 5
_HEAD_BYTES: Final = 16384
_HINTS: Final = (
    "Open the site in a browser and check that it answers.",
    "Set the project's sitemap URL if you know it.",
)


def discover(
    settings: Settings,
    project_url: str,
    *,
    should_stop: Callable[[], bool],
    seconds: float = 20,
    named_seconds: float = 60,
) -> str | None:
    """Return the address of a site's sitemap: the one that robots.txt names, else one in a usual place.

    If robots.txt names several, its own address is the sitemap: a sync reads all that it names. None if there
    is no sitemap. Each request may take ``seconds``; that for the first sitemap that robots.txt names may
    take ``named_seconds``: it is there, and a large one is made slowly.
    Raises SITEMAP_UNREACHABLE if none was found and not every request was answered.
    """
    origin = origin_of(project_url)
    search = _Search(
        fetcher_from(settings, total_seconds=seconds, max_bytes=1_000_000, should_stop=should_stop)
    )
    named = search.named_at(origin)
    tried = named[:_MOST_NAMED]
    patience = dict.fromkeys(tried, seconds) | dict.fromkeys(tried[:1], named_seconds)
    found = [candidate for candidate in tried if search.finds(candidate, patience[candidate])]
    if found:
        may_exist = [*found, *search.unanswered(tried), *named[_MOST_NAMED:]]
        return found[0] if len(may_exist) == 1 else f"{origin}/robots.txt"
    # A site may be a folder of its host, such as a manual; it has no robots.txt of its own.
    usual = (root + place for root in (origin + _folder_of(project_url), origin) for place in COMMON_PLACES)
    for candidate in dict.fromkeys(usual):
        if candidate not in tried and search.finds(candidate, seconds):
            return candidate
    search.refuse_unanswered(origin)
    return None


class _Search:
    """Makes the requests, and remembers which were not answered."""

    def __init__(self, http: Fetcher) -> None:
        self._http = http
        self._unanswered: dict[str, str] = {}
        self._retry_after = 0.0

    def named_at(self, origin: str) -> tuple[str, ...]:
        address = f"{origin}/robots.txt"
        try:
            return Robots(fetch_robots(self._http, address), PRODUCT).sitemaps(address)
        except RobotsUnreadable as error:
            self._note(address, str(error), error.retry_after)
        except FetchError as error:  # the search was stopped
            self._note(address, error.message)
        return ()

    def finds(self, url: str, seconds: float) -> bool:
        """Return whether the first bytes at an address are those of a sitemap.

        Many sites answer 200 for every address, with a text, web page or JSON that says "not found".
        """
        try:
            with self._http.get(url, total_seconds=seconds) as response:
                if response.status == 200:
                    return _begins_a_sitemap(response.chunks())
        except FetchError as error:
            if error.kind not in LEADS_NOWHERE:
                self._note(url, error.message)
            return False
        if response.status == 429 or response.status >= 500:
            reason = f"The server answered {response.status}."
            self._note(url, reason, retry_after_seconds(response.headers))
        return False

    def unanswered(self, urls: Iterable[str]) -> list[str]:
        """Return those of these addresses that were not answered."""
        return [url for url in urls if url in self._unanswered]

    def refuse_unanswered(self, origin: str) -> None:
        """Raise SITEMAP_UNREACHABLE unless every request was answered."""
        if not self._unanswered:
            return
        reason = next(iter(self._unanswered.values()))
        unanswered = list(self._unanswered)
        details: dict[str, Any] = {"looked_at": origin, "reason": reason, "unanswered": unanswered}
        if self._retry_after:
            details["retry_after_seconds"] = round(self._retry_after)
        message = f"The site could not be searched for a sitemap: {reason}"
        raise ServiceFailure("SITEMAP_UNREACHABLE", message, details=details, hints=_HINTS)

    def _note(self, url: str, why: str, retry_after: float | None = None) -> None:
        self._unanswered[url] = why
        self._retry_after = max(self._retry_after, min(retry_after or 0.0, MAX_RETRY_AFTER))


def _folder_of(url: str) -> str:
    path = urlsplit(url).path
    folder, _, last = path.rpartition("/")
    return folder if "." in last else path.rstrip("/")


def _begins_a_sitemap(body: Iterator[bytes]) -> bool:
    head = b""
    with suppress(ParseError):  # longer than _HEAD_BYTES, or damaged gzip
        for piece in unpacked(body, _HEAD_BYTES):
            head += piece
            if is_sitemap(head):
                return True
    return False
