"""Stores the documents of a project's last complete sync, so that the next one can make conditional requests.

Reads use short transactions of their own while a sitemap is fetched. Writes belong to the transaction that
applies the sync.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

from sqlalchemy import delete, insert, select

from app.infra.db import batches, changed_rows, db, read_separately
from app.infra.http.headers import Validators
from app.infra.urls import url_key
from app.pages.model import CachedChunk, CachedDocument
from app.pages.sitemaps import gone_sitemaps
from app.pages.sitemaps.crawl_result import CacheEntry, CompressedDocument, CrawlResult

_ROWS: Final = 500
_CHUNK: Final = 32 * 1024
_BATCH_BYTES: Final = 64 * 1024


class StoredDocuments:
    """What earlier syncs of a project stored about its sitemap's documents, by address."""

    def __init__(self, project_id: int) -> None:
        self._project_id = project_id

    def find(self, url: str) -> CacheEntry | None:
        """Return how to ask for a document's changes, None if it is not cached."""
        document = CachedDocument
        is_it = (document.project_id == self._project_id) & (document.url_key == url_key(url))
        row = read_separately(
            select(document.answered_url, document.etag, document.last_modified).where(is_it)
        )
        return CacheEntry(row[0], Validators(row[1], row[2])) if row else None

    def chunks(self, url: str) -> Iterator[bytes]:
        """Yield a cached document, compressed with zlib, in chunks."""
        chunk = CachedChunk
        is_of_it = (chunk.project_id == self._project_id) & (chunk.url_key == url_key(url))
        for number in count():
            row = read_separately(select(chunk.data).where(is_of_it, chunk.number == number))
            if row is None:
                return
            yield row[0]

    def counts_as_empty(self, url: str) -> bool:
        """Return whether a child that is gone now has been gone for so long that it counts as empty."""
        return gone_sitemaps.counts_as_empty(self._project_id, url)


def store(project_id: int, crawl: CrawlResult) -> None:
    """Cache exactly the documents of a complete reading. The caller commits."""
    stored = _stored(project_id, crawl)
    not_modified = {url_key(url) for url in crawl.not_modified - crawl.compressed.keys()}
    _delete_others(project_id, stored | not_modified)
    new = {url: document for url, document in crawl.compressed.items() if url_key(url) not in stored}
    for batch in batches(new.items(), _ROWS):
        rows = [
            {"project_id": project_id, "url_key": url_key(url), **_columns(document)}
            for url, document in batch
        ]
        db.session.execute(insert(CachedDocument), rows)
    for chunks in _batches_of_chunks(_chunks(project_id, crawl, new)):
        db.session.execute(insert(CachedChunk), chunks)


def _stored(project_id: int, crawl: CrawlResult) -> set[bytes]:
    sent = {url_key(url): _columns(document) for url, document in crawl.compressed.items()}
    cached = CachedDocument
    rows = db.session.execute(
        select(cached.url_key, cached.answered_url, cached.etag, cached.last_modified, cached.digest).where(
            cached.project_id == project_id
        )
    )
    return {key for key, *columns in rows if key in sent and columns == list(sent[key].values())}


def _columns(document: CompressedDocument) -> dict[str, Any]:
    return {
        "answered_url": document.entry.answered_url,
        "etag": document.entry.validators.etag,
        "last_modified": document.entry.validators.last_modified,
        "digest": document.digest,
    }


def _delete_others(project_id: int, keys: set[bytes]) -> None:
    rows = db.session.execute(
        select(CachedDocument.id, CachedDocument.url_key).where(CachedDocument.project_id == project_id)
    )
    others = [row.id for row in rows if row.url_key not in keys]
    for batch in batches(others, _ROWS):
        changed_rows(delete(CachedDocument).where(CachedDocument.id.in_(batch)))


def _chunks(
    project_id: int, crawl: CrawlResult, documents: Mapping[str, CompressedDocument]
) -> Iterator[dict[str, Any]]:
    for url, document in documents.items():
        key = url_key(url)
        for number, data in enumerate(crawl.chunks(document, _CHUNK)):
            yield {"project_id": project_id, "url_key": key, "number": number, "data": data}


def _batches_of_chunks(chunks: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield chunks in batches that are small enough for flat memory."""
    batch: list[dict[str, Any]] = []
    size = 0
    for chunk in chunks:
        batch.append(chunk)
        size += len(chunk["data"])
        if size >= _BATCH_BYTES or len(batch) == _ROWS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
