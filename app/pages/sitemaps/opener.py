"""Opens the documents of a sitemap with conditional requests, and waits for busy servers.

What a reading learns goes into a CrawlResult. What earlier syncs stored comes from StoredDocuments.
"""

import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Final

from app.infra.clock import utc_now, wait_until
from app.infra.http.client import Fetcher
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.headers import BUSY, Validators, retry_after_seconds
from app.infra.http.response import Response
from app.infra.urls import authority_of, host_of
from app.pages.sitemaps.crawl_result import CacheEntry, CrawlResult
from app.pages.sitemaps.document_cache import StoredDocuments
from app.pages.sitemaps.report import DocumentUnreadable

DOCUMENT_SECONDS: Final = 300
GONE: Final = (404, 410)
TRIES: Final = 5
"""How often a document is requested while its server answers that it is busy."""
MAX_WAIT: Final = 30.0
"""Seconds that a whole reading waits for busy servers, because the worker does nothing else meanwhile."""

MAX_RETRY_AFTER: Final = 7 * 86_400.0
REPORTED_WAIT: Final = 3.0
"""Seconds from which on a wait is reported."""
_PIECE: Final = 65_536


OnWait = Callable[[str, datetime | None], None]
"""Called with the host that the reading waits for, and until when; with None when the wait is over."""


def no_op(_host: str, _until: datetime | None) -> None:
    """Ignore a wait."""


@dataclass
class Opener:
    """Opens documents for ``read_sitemap`` until ``ends``, a time of the monotonic clock."""

    http: Fetcher
    crawl: CrawlResult
    cache: StoredDocuments | None
    ends: float
    should_stop: Callable[[], bool]
    on_wait: OnWait
    backing_off: set[str] = field(default_factory=set)
    wait_left: float = MAX_WAIT

    def __call__(self, url: str) -> Iterator[bytes]:
        """Yield the document at ``url``, sent or cached. Raises DocumentUnreadable and FetchError."""
        cache = self.cache
        if cache is not None and (entry := cache.find(url)) is not None:
            with self._answer(url, entry.validators.headers()) as response:
                if response.status != 304:
                    yield from self._sent(url, response)
                    return
                # An ETag is valid only for the address that sent it.
                is_same = response.url == entry.answered_url
            if is_same:
                yield from self._not_modified(url, entry, cache)
                return
        with self._answer(url, {}) as response:
            yield from self._sent(url, response)

    def check_cancelled(self) -> None:
        """Raise FetchError if the time is over or the reading has to stop."""
        if self.should_stop():
            raise FetchError(FetchErrorKind.STOPPED, "The request was stopped.")
        if time.monotonic() >= self.ends:
            raise FetchError(FetchErrorKind.TIMEOUT, "The time for this sitemap is over.", sent=False)

    def _sent(self, url: str, response: Response) -> Iterator[bytes]:
        if response.status != 200:
            gone = response.status in GONE
            raise DocumentUnreadable(
                f"The server answered {response.status}.",
                gone=gone,
                empty=gone and self.cache is not None and self.cache.counts_as_empty(url),
            )
        self._record_answer(url, response.url)
        if not response.is_framed:
            self.crawl.unframed.add(url)
        validators = Validators.of(response.headers)
        if validators is None or not self.crawl.caches:
            yield from response.chunks()
            return
        yield from self.crawl.caching(url, CacheEntry(response.url, validators), response.chunks())

    def _record_answer(self, url: str, answered_url: str) -> None:
        self.crawl.answered.add(url)
        if answered_url != url:
            self.crawl.moved[url] = answered_url

    def _not_modified(self, url: str, entry: CacheEntry, cache: StoredDocuments) -> Iterator[bytes]:
        crawl, decompressor = self.crawl, zlib.decompressobj()
        self._record_answer(url, entry.answered_url)
        is_first = url not in crawl.not_modified
        crawl.not_modified.add(url)
        for data in cache.chunks(url):
            crawl.compressed_bytes += len(data) if is_first else 0
            while data:
                piece = decompressor.decompress(data, _PIECE)
                crawl.saved_bytes += len(piece)
                yield piece
                data = decompressor.unconsumed_tail
        if not decompressor.eof:
            raise DocumentUnreadable("It has not changed, and its cached text is no longer there.")

    @contextmanager
    def _answer(self, url: str, headers: Mapping[str, str]) -> Iterator[Response]:
        for tries_before in count():
            if authority_of(url) in self.backing_off:
                raise DocumentUnreadable("Not requested, because the server asked for a pause.")
            self.check_cancelled()
            left = max(self.ends - time.monotonic(), 0.001)
            with self.http.get(url, headers, total_seconds=min(left, DOCUMENT_SECONDS)) as response:
                asked = retry_after_seconds(response.headers) if response.status in BUSY else None
                if asked is None:
                    yield response
                    return
                status = response.status
            seconds = min(max(asked, 1.0), MAX_RETRY_AFTER)
            self._wait(url, status, seconds, is_last=tries_before + 1 == TRIES)

    def _wait(self, url: str, status: int, seconds: float, *, is_last: bool) -> None:
        until = time.monotonic() + seconds
        if is_last or seconds > self.wait_left or until >= self.ends:
            self.backing_off.add(authority_of(url))
            self.crawl.retry_after = max(seconds, self.crawl.retry_after or 0)
            raise DocumentUnreadable(
                f"The server answered {status} and asked for a retry in {round(seconds)} s."
            )
        self.wait_left -= seconds
        is_reported = seconds >= REPORTED_WAIT
        if is_reported:
            self.on_wait(host_of(url), utc_now() + timedelta(seconds=seconds))
        wait_until(until, self.should_stop)
        self.check_cancelled()
        if is_reported:
            self.on_wait(host_of(url), None)
