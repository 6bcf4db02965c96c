"""Fetches a project's sitemap tree and spools its URLs to a file, so that memory stays flat."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final

from app.config import Settings
from app.failures import ServiceFailure
from app.infra.http.client import fetcher_from
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.urls import InvalidUrl
from app.pages.sitemaps.documents import (
    DOCUMENT_SECONDS,
    EmptyShelf,
    Harvest,
    Opener,
    Shelf,
    TellWait,
    unheard,
)
from app.pages.sitemaps.entries import DocumentUnreadable, Entry, Limits, Report
from app.pages.sitemaps.read import read_sitemap
from app.pages.sitemaps.url_buffer import Spool

DOCUMENT_BYTES: Final = 64 * 1024 * 1024
TELL_FIRST: Final = 5000
"""URLs after which progress is first told, then after twice as many each time: a job's history is short."""


def fetch_sitemap(
    settings: Settings,
    project_url: str,
    sitemap_url: str,
    *,
    seconds: float,
    should_stop: Callable[[], bool],
    tell: Callable[[int, int], None],
    tell_wait: Callable[[str, datetime], None] = unheard,
    limits: Limits | None = None,
    shelf: Shelf | None = None,
    into: Spool | None = None,
) -> Spool:
    """Read the tree at ``sitemap_url`` within ``seconds``; ``tell(urls, children)`` hears of the progress.

    ``tell_wait(host, until)`` hears that a server is waited for, ``tell`` that it was. A document that is on
    the ``shelf`` is asked for only in case it has changed. A spool that is given as ``into`` is the one that
    is returned, and knows what was learned also when this raises.

    Raises SITEMAP_UNREACHABLE or SITEMAP_INVALID when nothing at all could be read, URL_NOT_ALLOWED when the
    address may not be fetched.
    """
    spool = into or Spool(project_url, sitemap_url, subdomains=settings.sitemap_subdomains)

    def patience(host: str, until: datetime | None) -> None:
        if until is None:
            tell(spool.listed, spool.report.children)
        else:
            tell_wait(host, until)

    entries = read_tree(
        settings, sitemap_url, spool.report, seconds=seconds, should_stop=should_stop, limits=limits,
        harvest=spool.harvest, shelf=shelf, tell_wait=patience,
    )  # fmt: skip
    due = TELL_FIRST
    for count, entry in enumerate(entries, start=1):
        spool.add(entry)
        if count == due:
            tell(spool.listed, spool.report.children)
            due *= 2
    refuse_unreadable(sitemap_url, spool.listed, spool.report)
    return spool


def read_tree(
    settings: Settings,
    sitemap_url: str,
    report: Report,
    *,
    seconds: float,
    should_stop: Callable[[], bool] = lambda: False,
    limits: Limits | None = None,
    harvest: Harvest | None = None,
    shelf: Shelf | None = None,
    tell_wait: TellWait = unheard,
) -> Iterator[Entry]:
    """Yield the pages of the tree at ``sitemap_url``, of whatever site, as ``read_sitemap`` does.

    Documents that do not come within ``seconds`` (from the first entry on) are reported as missing.
    ``harvest`` takes up what is learned of them, ``shelf`` has what was learned before. ``tell_wait`` hears
    when a wait for a server begins and ends. Raises
    SITEMAP_UNREACHABLE or URL_NOT_ALLOWED when the first document does not come at all.
    """
    http = fetcher_from(
        settings, total_seconds=DOCUMENT_SECONDS, max_bytes=DOCUMENT_BYTES, should_stop=should_stop
    )
    harvest = harvest or Harvest(keeps=False)
    opener = Opener(http, harvest, shelf or EmptyShelf(), time.monotonic() + seconds, should_stop, tell_wait)
    try:
        yield from read_sitemap(
            opener, sitemap_url, report, limits, harvest.moved, harvest.unframed, opener.heed
        )
    except (FetchError, DocumentUnreadable, InvalidUrl) as error:
        raise _unreachable(sitemap_url, error, harvest.ask_again_in) from error


def refuse_unreadable(sitemap_url: str, listed: int, report: Report) -> None:
    """Raise SITEMAP_INVALID when none of the pages that should be there could be read."""
    if not listed and (report.invalid or not report.complete):
        problems = [{"code": p.code, "where": p.where, "message": p.message} for p in report.problems[:10]]
        details = {"sitemap_url": sitemap_url, "problems": problems}
        raise ServiceFailure("SITEMAP_INVALID", details=details)


def _unreachable(
    sitemap_url: str, error: FetchError | DocumentUnreadable | InvalidUrl, ask_again_in: float | None
) -> ServiceFailure:
    details: dict[str, Any] = {"sitemap_url": sitemap_url, "reason": str(error)}
    if ask_again_in is not None:
        details["retry_after_seconds"] = round(ask_again_in)
    if isinstance(error, FetchError) and error.kind is FetchErrorKind.BLOCKED:
        return ServiceFailure("URL_NOT_ALLOWED", f"The sitemap may not be fetched: {error}", details=details)
    return ServiceFailure(
        "SITEMAP_UNREACHABLE", f"The sitemap could not be fetched: {error}", details=details
    )
