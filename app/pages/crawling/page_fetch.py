"""Fetches one page: what it says, that it has not changed, or why it could not be read."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from app.failures import Failure, failure
from app.infra.http.client import PRODUCT, Fetcher
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.headers import BUSY, Validators, retry_after_seconds
from app.infra.http.response import Response
from app.infra.urls import InvalidUrl, bare_authority_of, normalise
from app.pages.crawling import robots_memory
from app.pages.crawling.robots import Robots
from app.pages.crawling.robots_fetch import RobotsUnreadable, fetch_robots
from app.pages.crawling.robots_tag import says_noindex
from app.pages.extraction.extract import Extracted, extract

_TEXT: Final = ("text/html", "application/xhtml", "text/plain")
_FORBIDDEN_HINT: Final = (
    f"Allow the page in robots.txt for {PRODUCT}. One that was never read may be added again with its text "
    "through the API instead: it is not fetched then."
)
_ELSEWHERE_HINT: Final = (
    "A page that sends its visitors to another site needs nothing. If the site itself has moved, add a "
    "project for its new address."
)


@dataclass(frozen=True)
class Read:
    """A whole answer. ``content`` is None when it holds no text; ``validators`` ask for changes next time.

    ``noindex``: what the page or its header says.
    """

    content: Extracted | None
    validators: Validators | None
    noindex: bool


@dataclass(frozen=True)
class Unchanged:
    """The page is as it was when it gave the validators that were sent; ``noindex`` is its header's word."""

    noindex: bool


@dataclass(frozen=True)
class Unread:
    """The page could not be read.

    ``busy``: its server wants to be left alone, for ``ask_again_in`` seconds if it says so. ``counts``: it is
    the page that failed, which counts as an attempt.
    """

    failure: Failure
    busy: bool = False
    ask_again_in: float | None = None
    counts: bool = True


class _Astray(Exception):
    """A redirect leads to what may not be read for this page; ``why`` says so."""

    def __init__(self, why: Unread) -> None:
        super().__init__(why.failure.message)
        self.why = why


Rules = Callable[[str], Robots | Unread]
"""What the robots.txt that an address is under says, or why nothing there may be read for now."""


def robots_of(http: Fetcher, origin: str) -> Robots | Unread:
    """Ask for what a site's robots.txt says, or why nothing of the site may be read for now; it is kept."""
    try:
        text = fetch_robots(http, f"{origin}/robots.txt")
    except RobotsUnreadable as error:
        unread = _unreachable(f"The site's robots.txt could not be had. {error}", reason="robots.txt")
        return replace(unread, busy=error.busy, ask_again_in=error.retry_after, counts=not error.busy)
    robots_memory.keep(origin, text)
    return Robots(text, PRODUCT)


def fetch_page(http: Fetcher, rules: Rules, url: str, known: Validators | None) -> Read | Unchanged | Unread:
    """Return what the page at ``url`` answers, asking only for changes if ``known`` says how.

    A redirect is followed only to what may be read for this page, which is judged before it is asked.
    Raises FetchError ``stopped`` alone.
    """
    forbidden = _forbidden(rules, url)
    if forbidden is not None:
        return forbidden
    headers = {"Accept": "text/html, text/plain;q=0.5", **(known.headers() if known else {})}

    def judge(target: str) -> None:
        astray = _led_astray(rules, url, target)
        if astray is not None:
            raise _Astray(astray)

    try:
        with http.get(url, headers, before_following=judge) as response:
            # A validator says nothing about another address, to which a redirect takes it along.
            if not (known and response.status == 304 and response.url != url):
                return _judged(url, response, asked=known is not None)
        return fetch_page(http, rules, url, None)
    except _Astray as astray:
        return astray.why
    except FetchError as error:
        if error.kind is FetchErrorKind.STOPPED:
            raise
        if error.kind is FetchErrorKind.BLOCKED:
            return Unread(failure("URL_NOT_ALLOWED", error.message))
        return _unreachable(error.message, reason=error.kind.value)


def _forbidden(rules: Rules, url: str) -> Unread | None:
    robots = rules(url)
    if isinstance(robots, Unread):
        return robots
    if robots.allows(url):
        return None
    message = "The site's robots.txt does not allow reading this page."
    return Unread(failure("URL_NOT_ALLOWED", message, hints=(_FORBIDDEN_HINT,)))


def _judged(url: str, response: Response, *, asked: bool) -> Read | Unchanged | Unread:
    if asked and response.status == 304:
        return Unchanged(says_noindex(response.each("x-robots-tag")))
    if response.status != 200:
        unread = _unreachable(f"The server answered {response.status}.", status=response.status)
        if response.status not in BUSY:
            return unread
        return replace(unread, busy=True, ask_again_in=retry_after_seconds(response.headers))
    told = says_noindex(response.each("x-robots-tag"))
    content_type = response.headers.get("content-type", "text/html")
    if not content_type.lower().startswith(_TEXT):
        return Read(None, None, told)
    content_language = response.headers.get("content-language")
    content = extract(response.read(), response.url, content_type, content_language)
    # An ETag means something only for the address that gave it, which a redirect may change; and what the
    # header alone said a 304 need not take back.
    lasts = response.url == url and (content.noindex or not told)
    validators = Validators.of(response.headers) if lasts else None
    return Read(content, validators, content.noindex or told)


def _led_astray(rules: Rules, url: str, target: str) -> Unread | None:
    """Return why what a redirect leads to is not this page: it is another host's, or may not be read."""
    with suppress(InvalidUrl):
        target = normalise(target)
        if bare_authority_of(target) == bare_authority_of(url):
            forbidden = _forbidden(rules, target)
            # The page's own host is not the one that is busy.
            return forbidden and replace(forbidden, busy=False, counts=True)
    return Unread(failure("URL_NOT_ALLOWED", "The page leads to another host.", hints=(_ELSEWHERE_HINT,)))


def _unreachable(message: str, **details: Any) -> Unread:
    return Unread(failure("PAGE_UNREACHABLE", f"The page could not be read: {message}", details=details))
