"""A quick look at a website before it is added: whether it answers, and what its sitemap lists."""

import time
from dataclasses import dataclass
from typing import Final

from app.config import Settings
from app.failures import ServiceFailure
from app.infra.checks import outbound_url
from app.infra.http.client import fetcher_from
from app.infra.http.errors import FetchError, FetchErrorKind
from app.pages.sitemaps.discovery import discover
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sitemaps.report import Limits
from app.pages.sitemaps.url_buffer import UrlBuffer

SECONDS: Final = 9.0
"""The time for the whole look: somebody waits for it, and so does a thread of the web process."""
_HOME_SECONDS: Final = 4.0
_MOST_PAGES: Final = 5_000
_MOST_SITEMAPS: Final = 5
_MOST_BYTES: Final = 8 * 1024 * 1024
_HEAD_BYTES: Final = 4096
_WITHOUT_HTTPS: Final = frozenset({FetchErrorKind.TLS, FetchErrorKind.REFUSED})
_SPELLING: Final = "Is it spelled correctly?"
_TYPE_HTTP: Final = "Does the site have no secure connection? Then begin its address with http://"


@dataclass(frozen=True)
class SiteCheck:
    """What a look at a website found.

    ``answers`` says whether its address does, ``problem`` why it does not. ``sitemap_url`` is None without a
    sitemap, ``is_unsure`` if one may exist that did not answer in time; ``pages`` counts what it lists,
    ``at_least`` if there are more than were counted.
    """

    answers: bool
    problem: str = ""
    sitemap_url: str | None = None
    is_unsure: bool = False
    pages: int = 0
    at_least: bool = False


def check_site(settings: Settings, url: str) -> SiteCheck:
    """Look at a website for a few seconds. Nothing is stored; hold no transaction meanwhile.

    Raises URL_NOT_ALLOWED for an address that may not be fetched.
    """
    url = outbound_url(url, "/url")
    ends = time.monotonic() + SECONDS
    problem = _problem(settings, url)
    if problem:
        return SiteCheck(False, problem)
    try:
        sitemap_url = discover(
            settings,
            url,
            should_stop=lambda: time.monotonic() > ends,
            seconds=_HOME_SECONDS,
            named_seconds=_HOME_SECONDS,
        )
    except ServiceFailure:
        return SiteCheck(True, is_unsure=True)
    if sitemap_url is None:
        return SiteCheck(True)
    pages, at_least = _count(settings, url, sitemap_url, ends)
    return SiteCheck(True, sitemap_url=sitemap_url, pages=pages, at_least=at_least)


def _problem(settings: Settings, url: str) -> str:
    fetcher = fetcher_from(settings, total_seconds=_HOME_SECONDS, max_bytes=_HEAD_BYTES)
    try:
        with fetcher.get(url) as response:
            status = response.status
    except FetchError as error:
        return f"{error.message} {_way_on(error, url)}".rstrip()
    # A site may keep robots out of its first page and still have a public sitemap.
    return "" if status < 400 or status in (401, 403, 429) else f"The server answered {status}."


def _way_on(error: FetchError, url: str) -> str:
    if error.kind is FetchErrorKind.DNS:
        return _SPELLING
    if error.kind in _WITHOUT_HTTPS and url.startswith("https:"):
        return _TYPE_HTTP
    return ""


def _count(settings: Settings, url: str, sitemap_url: str, ends: float) -> tuple[int, bool]:
    buffer = UrlBuffer(url, sitemap_url, subdomains=settings.sitemap_subdomains)
    try:
        fetch_sitemap(
            settings,
            url,
            sitemap_url,
            seconds=max(1.0, ends - time.monotonic()),
            should_stop=lambda: time.monotonic() > ends,
            on_progress=lambda _urls, _children: None,
            limits=Limits(urls=_MOST_PAGES, children=_MOST_SITEMAPS, document_bytes=_MOST_BYTES),
            into=buffer,
        )
    except ServiceFailure:
        return _different(buffer), True
    return _different(buffer), not buffer.report.complete


def _different(buffer: UrlBuffer) -> int:
    return len({row[0] for row in buffer.rows()})
