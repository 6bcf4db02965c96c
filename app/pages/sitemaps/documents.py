"""Opens the documents of a sitemap: asks only for what has changed, waits when told to, keeps what it may.

What is kept goes into a Harvest; what earlier syncs kept comes from a Shelf (``kept_documents``).
"""

from __future__ import annotations

import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from itertools import count
from typing import IO, Final, Protocol

from app.infra.clock import utc_now
from app.infra.http.client import Fetcher
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.headers import BUSY, Validators, retry_after_seconds
from app.infra.http.response import Response
from app.infra.urls import authority_of, host_of
from app.pages.sitemaps.entries import DocumentUnreadable

DOCUMENT_SECONDS: Final = 300
PACKED_DOCUMENT: Final = 4 * 1024 * 1024
PACKED_TREE: Final = 64 * 1024 * 1024
"""The most bytes that are kept of one document and of one project, packed; what is over is read in full."""

GONE: Final = (404, 410)
TRIES: Final = 5
"""How often a document is asked for while its server says that it is busy."""
PATIENCE: Final = 30.0
"""Seconds that a whole reading waits for busy servers: the worker does nothing else meanwhile."""

LONGEST_WAIT: Final = 7 * 86_400.0
LONG_WAIT: Final = 3.0
"""Seconds from which on a wait is worth telling."""
_LOOK_EVERY: Final = 0.2
_PIECE: Final = 65_536


TellWait = Callable[[str, datetime | None], None]
"""Hears the host that is waited for, and until when; None when the wait is over."""


def unheard(_host: str, _until: datetime | None) -> None:
    """Tell nobody of a wait."""


@dataclass(frozen=True)
class Kept:
    """How to ask whether a kept document has changed. ``answered_url`` is its address after redirects."""

    answered_url: str
    validators: Validators


class Shelf(Protocol):
    """What earlier syncs of a project kept of its sitemap's documents, by address."""

    def find(self, url: str) -> Kept | None:
        """Return how to ask for a document's changes, None when it is not kept."""

    def pieces(self, url: str) -> Iterator[bytes]:
        """Yield a kept document, packed with zlib, in pieces."""

    def is_empty_by_now(self, url: str) -> bool:
        """Whether a child that is gone now, too, has been so for long enough to count as empty."""


class EmptyShelf:
    """Nothing kept: every document is read."""

    def find(self, url: str) -> Kept | None:
        """Find nothing."""

    def pieces(self, url: str) -> Iterator[bytes]:
        """Have nothing."""
        return iter(())

    def is_empty_by_now(self, url: str) -> bool:
        """Remember no absence."""
        return False


@dataclass(frozen=True)
class Sheaf:
    """A document that may be kept: how to ask for its changes, where it lies packed in the harvest's file.

    ``digest`` are the 16 bytes that tell its packed text from any other.
    """

    kept: Kept
    start: int
    length: int
    digest: bytes


@dataclass
class Harvest:
    """What a reading learned about its documents, by address.

    ``came``: those that were answered at all; ``unchanged``: those of them that were answered by 304;
    ``moved``: where redirects led; ``unframed``: those whose end only the end of the connection told;
    ``sheaves``: those that may be kept from now on, up to ``end`` of the file. ``saved_bytes`` did not
    have to be sent. ``ask_again_in`` is the longest time, in seconds, for which a server wanted to be left
    alone. Without ``keeps`` it only learns about them.
    """

    file: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    came: set[str] = field(default_factory=set)
    unchanged: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)
    unframed: set[str] = field(default_factory=set)
    sheaves: dict[str, Sheaf] = field(default_factory=dict)
    end: int = 0
    packed_bytes: int = 0
    saved_bytes: int = 0
    ask_again_in: float | None = None
    keeps: bool = True

    def keeping(self, url: str, kept: Kept, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Yield a document's pieces on; once it is whole it is put by, packed, unless too large.

        One document at a time: what is left of one that did not end is written over by the next.
        """
        length, packer, digest = 0, zlib.compressobj(1), blake2b(digest_size=16)

        def put_by(packed: bytes) -> int:
            digest.update(packed)
            return self.file.write(packed)

        self.file.seek(self.end)
        for piece in pieces:
            if length <= PACKED_DOCUMENT:
                length += put_by(packer.compress(piece))
            yield piece
        length += put_by(packer.flush())
        if length <= PACKED_DOCUMENT and self.packed_bytes + length <= PACKED_TREE:
            self.sheaves[url] = Sheaf(kept, self.end, length, digest.digest())
            self.end += length
            self.packed_bytes += length

    def pieces(self, sheaf: Sheaf, size: int) -> Iterator[bytes]:
        """Yield a document that was put by in pieces of ``size`` bytes, the last one shorter."""
        end = sheaf.start + sheaf.length
        for start in range(sheaf.start, end, size):
            self.file.seek(start)
            yield self.file.read(min(size, end - start))


class Opener:
    """Opens documents, for ``read_sitemap``, until ``ends``, a time of the monotonic clock."""

    def __init__(
        self,
        http: Fetcher,
        harvest: Harvest,
        shelf: Shelf,
        ends: float,
        should_stop: Callable[[], bool],
        tell_wait: TellWait = unheard,
    ) -> None:
        self._http = http
        self._harvest = harvest
        self._shelf = shelf
        self._ends = ends
        self._should_stop = should_stop
        self._tell_wait = tell_wait
        self._left_alone: set[str] = set()
        self._patience = PATIENCE

    def __call__(self, url: str) -> Iterator[bytes]:
        """Yield the document at ``url``, sent or known. Raises DocumentUnreadable and FetchError."""
        kept = self._shelf.find(url)
        if kept is not None:
            with self._answer(url, kept.validators.headers()) as response:
                if response.status != 304:
                    yield from self._new(url, response)
                    return
                # An ETag means something only for the address that gave it.
                is_known = response.url == kept.answered_url
            if is_known:
                yield from self._unchanged(url, kept)
                return
        with self._answer(url, {}) as response:
            yield from self._new(url, response)

    def heed(self) -> None:
        """Raise FetchError when the time is over or the reading is to stop."""
        if self._should_stop():
            raise FetchError(FetchErrorKind.STOPPED, "The request was stopped.")
        if time.monotonic() >= self._ends:
            raise FetchError(FetchErrorKind.TIMEOUT, "The time for this sitemap is over.", sent=False)

    def _new(self, url: str, response: Response) -> Iterator[bytes]:
        if response.status != 200:
            gone = response.status in GONE
            raise DocumentUnreadable(
                f"The server answered {response.status}.",
                gone=gone, empty=gone and self._shelf.is_empty_by_now(url),
            )  # fmt: skip
        self._came(url, response.url)
        if not response.is_framed:
            self._harvest.unframed.add(url)
        validators = Validators.of(response.headers)
        if validators is None or not self._harvest.keeps:
            yield from response.chunks()
            return
        yield from self._harvest.keeping(url, Kept(response.url, validators), response.chunks())

    def _came(self, url: str, answered_url: str) -> None:
        self._harvest.came.add(url)
        if answered_url != url:
            self._harvest.moved[url] = answered_url

    def _unchanged(self, url: str, kept: Kept) -> Iterator[bytes]:
        harvest, unpacker = self._harvest, zlib.decompressobj()
        self._came(url, kept.answered_url)
        counts = url not in harvest.unchanged
        harvest.unchanged.add(url)
        for packed in self._shelf.pieces(url):
            harvest.packed_bytes += len(packed) if counts else 0
            while packed:
                piece = unpacker.decompress(packed, _PIECE)
                harvest.saved_bytes += len(piece)
                yield piece
                packed = unpacker.unconsumed_tail
        if not unpacker.eof:
            raise DocumentUnreadable("It has not changed, and what was kept of it is no longer there.")

    @contextmanager
    def _answer(self, url: str, headers: Mapping[str, str]) -> Iterator[Response]:
        """Give the server's answer; one that asks for patience is waited for as long as there is some."""
        for asked_before in count():
            if authority_of(url) in self._left_alone:
                raise DocumentUnreadable("Not asked for: the server wants to be left alone for a while.")
            self.heed()
            left = max(self._ends - time.monotonic(), 0.001)
            with self._http.get(url, headers, total_seconds=min(left, DOCUMENT_SECONDS)) as response:
                wished = retry_after_seconds(response.headers) if response.status in BUSY else None
                if wished is None:
                    yield response
                    return
                status = response.status
            self._wait(url, status, min(max(wished, 1.0), LONGEST_WAIT), is_last=asked_before + 1 == TRIES)

    def _wait(self, url: str, status: int, seconds: float, *, is_last: bool) -> None:
        """Wait for a busy server, unless it was asked for the last time or wants too much of it."""
        until = time.monotonic() + seconds
        if is_last or seconds > self._patience or until >= self._ends:
            self._left_alone.add(authority_of(url))
            self._harvest.ask_again_in = max(seconds, self._harvest.ask_again_in or 0)
            raise DocumentUnreadable(
                f"The server answered {status} and wants to be asked again in {round(seconds)} s."
            )
        self._patience -= seconds
        is_long = seconds >= LONG_WAIT
        if is_long:
            self._tell_wait(host_of(url), utc_now() + timedelta(seconds=seconds))
        while (left := until - time.monotonic()) > 0:
            self.heed()
            time.sleep(min(left, _LOOK_EVERY))
        if is_long:
            self._tell_wait(host_of(url), None)
