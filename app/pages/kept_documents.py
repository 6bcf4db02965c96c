"""What a project's last complete sync kept of its sitemap's documents, to ask for changes only.

Read in moments of their own while a sitemap is fetched; written in the transaction that applies the sync.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, func, insert, select

from app.infra.batches import batches
from app.infra.db import db, read_apart
from app.infra.urls import url_key
from app.pages import gone_children
from app.pages.model import KeptDocument
from app.pages.sitemap_documents import Harvest, Kept, Sheaf
from app.pages.validators import Validators

_ROWS: Final = 500
_LOAD: Final = 256 * 1024


class ProjectShelf:
    """What earlier syncs of a project remember of its sitemap's documents."""

    def __init__(self, project_id: int) -> None:
        self._project_id = project_id

    def find(self, url: str) -> Kept | None:
        """Return how to ask for a document's changes, None when it is not kept."""
        of = KeptDocument
        row = read_apart(select(of.answered_url, of.etag, of.last_modified).where(self._is(url)))
        return Kept(row[0], Validators(row[1], row[2])) if row else None

    def packed(self, url: str) -> bytes | None:
        """Return a kept document, packed with zlib."""
        row = read_apart(select(KeptDocument.packed).where(self._is(url)))
        return row[0] if row else None

    def is_empty_by_now(self, url: str) -> bool:
        """Whether a child that is gone now, too, has been so for long enough to count as empty."""
        return gone_children.is_empty_by_now(self._project_id, url)

    def _is(self, url: str) -> ColumnElement[bool]:
        of = KeptDocument
        return (of.project_id == self._project_id) & (of.url_key == url_key(url))


def keep(project_id: int, harvest: Harvest) -> None:
    """Keep exactly the documents of a complete reading. The caller commits."""
    same = _same(project_id, harvest)
    _keep_only(project_id, same | {url_key(url) for url in harvest.unchanged - harvest.sheaves.keys()})
    _insert(project_id, harvest, same)


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
    told = select(of.url_key, of.answered_url, of.etag, of.last_modified, func.length(of.packed))
    rows = db.session.execute(told.where(of.project_id == project_id))
    alike = {key for key, *kept in rows if key in sheaves and kept == _told(sheaves[key])}
    same: set[bytes] = set()
    for load in _loads(item for item in harvest.sheaves.items() if url_key(item[0]) in alike):
        keys = [url_key(url) for url, _ in load]
        packed = select(of.url_key, of.packed).where(of.project_id == project_id, of.url_key.in_(keys))
        same |= {key for key, data in db.session.execute(packed) if data == harvest.packed(sheaves[key])}
    return same


def _told(sheaf: Sheaf) -> list[str | int | None]:
    kept = sheaf.kept
    return [kept.answered_url, kept.validators.etag, kept.validators.last_modified, sheaf.length]


def _insert(project_id: int, harvest: Harvest, same: set[bytes]) -> None:
    for load in _loads(item for item in harvest.sheaves.items() if url_key(item[0]) not in same):
        db.session.execute(insert(KeptDocument), [_row(project_id, harvest, *sheaf) for sheaf in load])


def _row(project_id: int, harvest: Harvest, url: str, sheaf: Sheaf) -> dict[str, Any]:
    return {
        "project_id": project_id, "url_key": url_key(url), "answered_url": sheaf.kept.answered_url,
        "etag": sheaf.kept.validators.etag, "last_modified": sheaf.kept.validators.last_modified,
        "packed": harvest.packed(sheaf),
    }  # fmt: skip


def _loads(sheaves: Iterable[tuple[str, Sheaf]]) -> Iterator[list[tuple[str, Sheaf]]]:
    """Yield documents in loads that are light enough for flat memory; a heavy one goes alone."""
    load: list[tuple[str, Sheaf]] = []
    size = 0
    for url, sheaf in sheaves:
        if load and (size + sheaf.length > _LOAD or len(load) == _ROWS):
            yield load
            load, size = [], 0
        load.append((url, sheaf))
        size += sheaf.length
    if load:
        yield load
