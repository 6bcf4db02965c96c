"""What fetching the documents of a sitemap brings: what is known about each, and the text to cache."""

import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import IO, Final

from app.infra.http.headers import Validators

MAX_DOCUMENT: Final = 4 * 1024 * 1024
MAX_TREE: Final = 64 * 1024 * 1024
"""The most compressed bytes that are cached of a document and of a project; the rest is always fetched."""


@dataclass(frozen=True)
class CacheEntry:
    """How to ask whether a cached document has changed. ``answered_url`` is its address after redirects."""

    answered_url: str
    validators: Validators


@dataclass(frozen=True)
class CompressedDocument:
    """A document to cache: its entry, and its place in the file of the CrawlResult.

    ``digest`` has 16 bytes and differs for each compressed text.
    """

    entry: CacheEntry
    start: int
    length: int
    digest: bytes


@dataclass
class CrawlResult:
    """What one reading learned about its documents, by address.

    ``answered``: those that were sent or not modified. ``not_modified``: those answered by 304. ``moved``:
    where redirects led. ``unframed``: those whose end is only known from the end of the connection.
    ``compressed``: those to cache from now on, up to ``end`` of the file. ``saved_bytes`` did not have to be
    sent. ``retry_after``: the longest pause, in seconds, that a server asked for. Without ``caches`` no text
    is kept.
    """

    file: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    answered: set[str] = field(default_factory=set)
    not_modified: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)
    unframed: set[str] = field(default_factory=set)
    compressed: dict[str, CompressedDocument] = field(default_factory=dict)
    end: int = 0
    compressed_bytes: int = 0
    saved_bytes: int = 0
    retry_after: float | None = None
    caches: bool = True

    def caching(self, url: str, entry: CacheEntry, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Yield a document's pieces, and store it compressed once it is complete and not too large.

        One document at a time: the next one overwrites the rest of one that did not end.
        """
        length, compressor, digest = 0, zlib.compressobj(1), blake2b(digest_size=16)

        def write(data: bytes) -> int:
            digest.update(data)
            return self.file.write(data)

        self.file.seek(self.end)
        for piece in pieces:
            if length <= MAX_DOCUMENT:
                length += write(compressor.compress(piece))
            yield piece
        length += write(compressor.flush())
        if length <= MAX_DOCUMENT and self.compressed_bytes + length <= MAX_TREE:
            self.compressed[url] = CompressedDocument(entry, self.end, length, digest.digest())
            self.end += length
            self.compressed_bytes += length

    def chunks(self, document: CompressedDocument, size: int) -> Iterator[bytes]:
        """Yield a compressed document in chunks of ``size`` bytes, the last one shorter."""
        end = document.start + document.length
        for start in range(document.start, end, size):
            self.file.seek(start)
            yield self.file.read(min(size, end - start))
