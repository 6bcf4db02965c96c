"""Fetches one page: its content, that it has not changed, or why it could not be read."""

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
from app.pages.crawling.no_source import is_spelling_of, redirect, why_no_page, why_no_source
from app.pages.crawling.robots import Robots, says_noindex
from app.pages.crawling.robots_fetch import RobotsUnreadable, cache_robots, fetch_robots
from app.pages.extraction.blocks import Extracted
from app.pages.extraction.extract import extract

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
    """A page with text. ``validators`` are for the next request.

    ``noindex``: the page or its header says so. ``answered_url`` is the spelling of its address to which
    redirects led, None without one.
    """

    content: Extracted
    validators: Validators | None
    noindex: bool
    answered_url: str | None = None


@dataclass(frozen=True)
class Unchanged:
    """The page has not changed since it sent the validators. ``noindex``: its header says so."""

    noindex: bool


@dataclass(frozen=True)
class Unread:
    """The page could not be read.

    ``busy``: its server asks for a pause, of ``retry_after`` seconds if it says so. ``counts``: the page
    itself failed, which counts as an attempt.
    """

    failure: Failure
    busy: bool = False
    retry_after: float | None = None
    counts: bool = True


class _RedirectRefused(Exception):
    """A redirect leads to an address that may not be read for this page."""

    def __init__(self, unread: Unread) -> None:
        super().__init__(unread.failure.message)
        self.unread = unread


Rules = Callable[[str], Robots | Unread]
"""Returns the robots.txt for an address, or why nothing there may be read for now."""


def robots_of(http: Fetcher, origin: str) -> Robots | Unread:
    """Fetch and cache a site's robots.txt; return it, or why nothing of the site may be read for now."""
    try:
        text = fetch_robots(http, f"{origin}/robots.txt")
    except RobotsUnreadable as error:
        unread = _unreachable(f"The site's robots.txt could not be fetched. {error}", reason="robots.txt")
        return replace(unread, busy=error.busy, retry_after=error.retry_after, counts=not error.busy)
    cache_robots(origin, text)
    return Robots(text, PRODUCT)


def fetch_page(http: Fetcher, rules: Rules, url: str, known: Validators | None) -> Read | Unchanged | Unread:
    """Fetch the page at ``url``, by a conditional request if there are ``known`` validators.

    A redirect is followed only to another spelling of the address that may be read, which is checked before
    the request. What is no page with text of its own is Unread (``no_source``).
    Raises FetchError ``stopped`` and no other FetchError.
    """
    forbidden = _forbidden(rules, url)
    if forbidden is not None:
        return forbidden
    headers = {"Accept": "text/html, text/plain;q=0.5", **(known.headers() if known else {})}

    def check_redirect(target: str) -> None:
        refused = _refused_redirect(rules, url, target)
        if refused is not None:
            raise _RedirectRefused(refused)

    try:
        with http.get(url, headers, before_following=check_redirect) as response:
            # A redirect takes the validators to another address, where they mean nothing.
            if not (known and response.status == 304 and response.url != url):
                return _result(url, response, conditional=known is not None)
        return fetch_page(http, rules, url, None)
    except _RedirectRefused as refused:
        return refused.unread
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


def _result(url: str, response: Response, *, conditional: bool) -> Read | Unchanged | Unread:
    if conditional and response.status == 304:
        return Unchanged(says_noindex(response.each("x-robots-tag")))
    if response.status != 200:
        unread = _unreachable(f"The server answered {response.status}.", status=response.status)
        if response.status not in BUSY:
            return unread
        return replace(unread, busy=True, retry_after=retry_after_seconds(response.headers))
    noindex = says_noindex(response.each("x-robots-tag"))
    content_type = response.headers.get("content-type", "text/html")
    no_page = why_no_page(content_type)
    if no_page is not None:
        return Unread(no_page)
    body = response.read()
    content = extract(body, response.url, content_type, response.headers.get("content-language"))
    no_source = why_no_page(content_type, body) or why_no_source(content, url)
    if no_source is not None:
        return Unread(no_source)
    # An ETag is valid only for the address that sent it, which a redirect may change. And if only the header
    # says noindex, a 304 would not show that it no longer does.
    is_reusable = response.url == url and (content.noindex or not noindex)
    validators = Validators.of(response.headers) if is_reusable else None
    answered_url = response.url if response.url != url else None
    return Read(content, validators, content.noindex or noindex, answered_url)


def _refused_redirect(rules: Rules, url: str, target: str) -> Unread | None:
    with suppress(InvalidUrl):
        target = normalise(target)
        if bare_authority_of(target) == bare_authority_of(url):
            if not is_spelling_of(target, url):
                return Unread(redirect(target))
            forbidden = _forbidden(rules, target)
            # The page's own host is not the one that is busy.
            return forbidden and replace(forbidden, busy=False, counts=True)
    return Unread(failure("URL_NOT_ALLOWED", "The page leads to another host.", hints=(_ELSEWHERE_HINT,)))


def _unreachable(message: str, **details: Any) -> Unread:
    return Unread(failure("PAGE_UNREACHABLE", f"The page could not be read: {message}", details=details))
