"""What a project's last complete sync kept of its sitemap's documents, to ask for changes only.

Read in moments of their own while a sitemap is fetched; written in the transaction that applies the sync.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

from sqlalchemy import delete, insert, select

from app.infra.db import batches, db, read_separately
from app.infra.http.headers import Validators
from app.infra.urls import url_key
from app.pages.model import KeptDocument, KeptPiece
from app.pages.sitemaps import gone_children
from app.pages.sitemaps.documents import Harvest, Kept, Sheaf

_ROWS: Final = 500
_PIECE: Final = 32 * 1024
_LOAD: Final = 64 * 1024


class ProjectShelf:
    """What earlier syncs of a project remember of its sitemap's documents."""

    def __init__(self, project_id: int) -> None:
        self._project_id = project_id

    def find(self, url: str) -> Kept | None:
        """Return how to ask for a document's changes, None when it is not kept."""
        of = KeptDocument
        is_it = (of.project_id == self._project_id) & (of.url_key == url_key(url))
        row = read_separately(select(of.answered_url, of.etag, of.last_modified).where(is_it))
        return Kept(row[0], Validators(row[1], row[2])) if row else None

    def pieces(self, url: str) -> Iterator[bytes]:
        """Yield a kept document, packed with zlib, in pieces."""
        of = KeptPiece
        is_of_it = (of.project_id == self._project_id) & (of.url_key == url_key(url))
        for number in count():
            row = read_separately(select(of.packed).where(is_of_it, of.number == number))
            if row is None:
                return
            yield row[0]

    def is_empty_by_now(self, url: str) -> bool:
        """Whether a child that is gone now, too, has been so for long enough to count as empty."""
        return gone_children.is_empty_by_now(self._project_id, url)


def keep(project_id: int, harvest: Harvest) -> None:
    """Keep exactly the documents of a complete reading. The caller commits."""
    same = _same(project_id, harvest)
    _keep_only(project_id, same | {url_key(url) for url in harvest.unchanged - harvest.sheaves.keys()})
    new = {url: sheaf for url, sheaf in harvest.sheaves.items() if url_key(url) not in same}
    for batch in batches(new.items(), _ROWS):
        db.session.execute(insert(KeptDocument), [_document(project_id, *sheaf) for sheaf in batch])
    for load in _loads(_pieces(project_id, harvest, new)):
        db.session.execute(insert(KeptPiece), load)


def _keep_only(project_id: int, keys: set[bytes]) -> None:
    rows = db.session.execute(
        select(KeptDocument.id, KeptDocument.url_key).where(KeptDocument.project_id == project_id)
    )
    others = [row.id for row in rows if row.url_key not in keys]
    for batch in batches(others, _ROWS):
        db.session.execute(
            delete(KeptDocument)
            .where(KeptDocument.id.in_(batch))
            .execution_options(synchronize_session=False)
        )


def _same(project_id: int, harvest: Harvest) -> set[bytes]:
    """Return the keys of the documents that were sent again as they are kept: no need to write them."""
    sheaves = {url_key(url): sheaf for url, sheaf in harvest.sheaves.items()}
    of = KeptDocument
    told = select(of.url_key, of.answered_url, of.etag, of.last_modified, of.digest)
    rows = db.session.execute(told.where(of.project_id == project_id))
    return {key for key, *kept in rows if key in sheaves and kept == list(_told(sheaves[key]).values())}


def _told(sheaf: Sheaf) -> dict[str, Any]:
    kept = sheaf.kept
    return {
        "answered_url": kept.answered_url, "etag": kept.validators.etag,
        "last_modified": kept.validators.last_modified, "digest": sheaf.digest,
    }  # fmt: skip


def _document(project_id: int, url: str, sheaf: Sheaf) -> dict[str, Any]:
    return {"project_id": project_id, "url_key": url_key(url), **_told(sheaf)}


def _pieces(project_id: int, harvest: Harvest, sheaves: Mapping[str, Sheaf]) -> Iterator[dict[str, Any]]:
    for url, sheaf in sheaves.items():
        key = url_key(url)
        for number, packed in enumerate(harvest.pieces(sheaf, _PIECE)):
            yield {"project_id": project_id, "url_key": key, "number": number, "packed": packed}


def _loads(pieces: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield pieces in loads that are light enough for flat memory."""
    load: list[dict[str, Any]] = []
    size = 0
    for piece in pieces:
        load.append(piece)
        size += len(piece["packed"])
        if size >= _LOAD or len(load) == _ROWS:
            yield load
            load, size = [], 0
    if load:
        yield load
