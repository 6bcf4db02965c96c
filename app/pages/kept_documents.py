"""What a project's syncs remember of its sitemap's documents: complete readings, and children that are gone.

Read in moments of their own while a sitemap is fetched; written in the transaction that applies the sync.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final

from sqlalchemy import ColumnElement, Executable, delete, func, insert, select

from app.infra.clock import utc_now
from app.infra.db import db, reading
from app.infra.urls import url_key
from app.pages.model import GoneChild, KeptDocument
from app.pages.sitemap_documents import Harvest, Kept, Sheaf
from app.pages.validators import Validators

EMPTY_AFTER_SYNCS: Final = 3
EMPTY_AFTER: Final = timedelta(hours=48)
"""A child that answers 404 or 410 in this many syncs, the present one too, over this long counts as empty."""

_ROWS: Final = 500
_LOAD: Final = 256 * 1024


class ProjectShelf:
    """The documents that a project's last complete sync kept."""

    def __init__(self, project_id: int) -> None:
        self._project_id = project_id

    def find(self, url: str) -> Kept | None:
        """Return how to ask for a document's changes, None when it is not kept."""
        of = KeptDocument
        row = _first(select(of.answered_url, of.etag, of.last_modified).where(self._is(of, url)))
        return Kept(row[0], Validators(row[1], row[2])) if row else None

    def packed(self, url: str) -> bytes | None:
        """Return a kept document, packed with zlib."""
        row = _first(select(KeptDocument.packed).where(self._is(KeptDocument, url)))
        return row[0] if row else None

    def is_empty_by_now(self, url: str) -> bool:
        """Whether a child that is gone now, too, has been so for long enough to count as empty."""
        row = _first(select(GoneChild.syncs, GoneChild.since).where(self._is(GoneChild, url)))
        return row is not None and row[0] + 1 >= EMPTY_AFTER_SYNCS and utc_now() - row[1] >= EMPTY_AFTER

    def _is(self, model: type[KeptDocument] | type[GoneChild], url: str) -> ColumnElement[bool]:
        return (model.project_id == self._project_id) & (model.url_key == url_key(url))


def remember(project_id: int, harvest: Harvest, gone: Iterable[str], *, complete: bool, at: datetime) -> None:
    """Take over what a sync learned of its documents; ``gone`` are the children that answered 404 or 410.

    Documents are kept of complete readings only, and then exactly those of this one. The caller commits.
    """
    _count_gone(project_id, harvest, gone, complete, at)
    if complete:
        same = _same(project_id, harvest)
        _keep_only(project_id, same | {url_key(url) for url in harvest.unchanged - harvest.sheaves.keys()})
        _keep(project_id, harvest, same)


def _first(statement: Executable) -> tuple[Any, ...] | None:
    # Not in the session: what a caller has loaded there stays as it is.
    with reading(), db.engine.connect() as connection:
        row = connection.execute(statement).first()
    return tuple(row) if row else None


def _keep_only(project_id: int, keys: set[bytes]) -> None:
    rows = db.session.execute(
        select(KeptDocument.id, KeptDocument.url_key).where(KeptDocument.project_id == project_id)
    )
    others = [row.id for row in rows if row.url_key not in keys]
    for batch in _batches(others, _ROWS):
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


def _keep(project_id: int, harvest: Harvest, same: set[bytes]) -> None:
    for load in _loads(item for item in harvest.sheaves.items() if url_key(item[0]) not in same):
        db.session.execute(insert(KeptDocument), [_row(project_id, harvest, *sheaf) for sheaf in load])


def _row(project_id: int, harvest: Harvest, url: str, sheaf: Sheaf) -> dict[str, Any]:
    return {
        "project_id": project_id, "url_key": url_key(url), "answered_url": sheaf.kept.answered_url,
        "etag": sheaf.kept.validators.etag, "last_modified": sheaf.kept.validators.last_modified,
        "packed": harvest.packed(sheaf),
    }  # fmt: skip


def _count_gone(project_id: int, harvest: Harvest, gone: Iterable[str], complete: bool, at: datetime) -> None:
    """Count one more absence of each gone child; one that came, or is listed no more, begins anew.

    A child that fails otherwise is neither gone nor back.
    """
    absent = {url_key(url) for url in gone}
    back = {url_key(url) for url in harvest.came}
    known = db.session.scalars(select(GoneChild).where(GoneChild.project_id == project_id)).all()
    for child in known:
        if child.url_key in absent:
            child.syncs += 1
        elif complete or child.url_key in back:
            db.session.delete(child)
    new = absent - {child.url_key for child in known}
    db.session.add_all(GoneChild(project_id=project_id, url_key=key, since=at, syncs=1) for key in new)


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


def _batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    rows = iter(items)
    while batch := list(islice(rows, size)):
        yield batch
