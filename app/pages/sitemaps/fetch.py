"""Fetches a sitemap tree. A project's URLs go to a file, so that memory stays flat."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final

from app.config import Settings
from app.failures import ServiceFailure
from app.infra.http.client import fetcher_from
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.urls import InvalidUrl
from app.pages.sitemaps.crawl_result import CrawlResult
from app.pages.sitemaps.document_cache import StoredDocuments
from app.pages.sitemaps.entries import Entry
from app.pages.sitemaps.opener import DOCUMENT_SECONDS, OnWait, Opener, no_op
from app.pages.sitemaps.read import read_sitemap
from app.pages.sitemaps.report import DocumentUnreadable, Limits, Report
from app.pages.sitemaps.url_buffer import UrlBuffer

DOCUMENT_BYTES: Final = 64 * 1024 * 1024
FIRST_PROGRESS: Final = 5000
"""URLs before the first report of progress. Their number doubles each time to keep a job's history short."""


def fetch_sitemap(
    settings: Settings,
    project_url: str,
    sitemap_url: str,
    *,
    seconds: float,
    should_stop: Callable[[], bool],
    on_progress: Callable[[int, int], None],
    on_wait: Callable[[str, datetime], None] = no_op,
    limits: Limits | None = None,
    cache: StoredDocuments | None = None,
    into: UrlBuffer | None = None,
) -> UrlBuffer:
    """Read the tree at ``sitemap_url`` within ``seconds``, and return the URLs of the project's site.

    ``on_progress`` is called with the numbers of URLs and children so far, ``on_wait`` with the host of a
    busy server and until when the reading waits. Documents in the ``cache`` get conditional requests. The
    URLs go to the buffer ``into`` if it is given, which keeps them, and the report, also when this raises.

    Raises SITEMAP_UNREACHABLE or SITEMAP_INVALID if nothing could be read, URL_NOT_ALLOWED if the address may
    not be fetched.
    """
    buffer = into or UrlBuffer(project_url, sitemap_url, subdomains=settings.sitemap_subdomains)

    def report_wait(host: str, until: datetime | None) -> None:
        if until is None:
            on_progress(buffer.listed, buffer.report.children)
        else:
            on_wait(host, until)

    entries = read_tree(
        settings,
        sitemap_url,
        buffer.report,
        seconds=seconds,
        should_stop=should_stop,
        limits=limits,
        crawl=buffer.crawl,
        cache=cache,
        on_wait=report_wait,
    )
    due = FIRST_PROGRESS
    for count, entry in enumerate(entries, start=1):
        buffer.add(entry)
        if count == due:
            on_progress(buffer.listed, buffer.report.children)
            due *= 2
    refuse_unreadable(sitemap_url, buffer.listed, buffer.report)
    return buffer


def read_tree(
    settings: Settings,
    sitemap_url: str,
    report: Report,
    *,
    seconds: float,
    should_stop: Callable[[], bool] = lambda: False,
    limits: Limits | None = None,
    crawl: CrawlResult | None = None,
    cache: StoredDocuments | None = None,
    on_wait: OnWait = no_op,
) -> Iterator[Entry]:
    """Yield the pages of the tree at ``sitemap_url``, of any site, as ``read_sitemap`` does.

    Documents that do not arrive within ``seconds`` (from the first entry on) are reported as missing.
    ``crawl`` is filled with what is learned about the documents. ``on_wait`` is called when a wait for a busy
    server begins and ends. Raises SITEMAP_UNREACHABLE or URL_NOT_ALLOWED if the first document cannot be had.
    """
    http = fetcher_from(
        settings, total_seconds=DOCUMENT_SECONDS, max_bytes=DOCUMENT_BYTES, should_stop=should_stop
    )
    crawl = crawl or CrawlResult(caches=False)
    opener = Opener(http, crawl, cache, time.monotonic() + seconds, should_stop, on_wait)
    try:
        yield from read_sitemap(
            opener, sitemap_url, report, limits, crawl.moved, crawl.unframed, opener.check_cancelled
        )
    except (FetchError, DocumentUnreadable, InvalidUrl) as error:
        raise _unreachable(sitemap_url, error, crawl.retry_after) from error


def refuse_unreadable(sitemap_url: str, listed: int, report: Report) -> None:
    """Raise SITEMAP_INVALID if the sitemap has problems and no page could be read."""
    if not listed and (report.invalid or not report.complete):
        problems = [{"code": p.code, "where": p.where, "message": p.message} for p in report.problems[:10]]
        details = {"sitemap_url": sitemap_url, "problems": problems}
        raise ServiceFailure("SITEMAP_INVALID", details=details)


def _unreachable(
    sitemap_url: str, error: FetchError | DocumentUnreadable | InvalidUrl, retry_after: float | None
) -> ServiceFailure:
    details: dict[str, Any] = {"sitemap_url": sitemap_url, "reason": str(error)}
    if retry_after is not None:
        details["retry_after_seconds"] = round(retry_after)
    if isinstance(error, FetchError) and error.kind is FetchErrorKind.BLOCKED:
        return ServiceFailure("URL_NOT_ALLOWED", f"The sitemap may not be fetched: {error}", details=details)
    return ServiceFailure(
        "SITEMAP_UNREACHABLE", f"The sitemap could not be fetched: {error}", details=details
    )
