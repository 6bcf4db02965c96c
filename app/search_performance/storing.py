"""Stores the rows of search results: queries and pages with their figures.

Nothing is committed here, except by what works in pieces: so much at once would keep others waiting.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import delete, func, insert, select

from app.infra.db import batches, changed_rows, db, insert_all_new
from app.infra.urls import url_key
from app.search_performance.model import SearchImport, SearchPage, SearchQuery
from app.search_performance.reading import Kind, Measured

_AT_ONCE: Final = 500
_PIECE: Final = 5_000
_MODELS: Final[Mapping[Kind, type[SearchQuery] | type[SearchPage]]] = {
    "queries": SearchQuery,
    "pages": SearchPage,
}
_KEYS: Final = {"queries": SearchQuery.query, "pages": SearchPage.url_key}


def count_known(import_id: int, kind: Kind, found: Iterable[str]) -> int:
    """Return how many of these queries or URLs an import has already."""
    model, key = _MODELS[kind], _KEYS[kind]
    return sum(
        db.session.scalar(
            select(func.count()).where(
                model.import_id == import_id, key.in_([_key(kind, text) for text in batch])
            )
        )
        or 0
        for batch in batches(found, _AT_ONCE)
    )


def replace_rows(import_id: int, kind: Kind, rows: Mapping[str, Measured]) -> None:
    """Store rows of an import; those of the same query or page are replaced."""
    model, key = _MODELS[kind], _KEYS[kind]
    for batch in batches(rows.items(), _AT_ONCE):
        keys = [_key(kind, text) for text, _ in batch]
        changed_rows(delete(model).where(model.import_id == import_id, key.in_(keys)))
        insert_all_new(model, [{"import_id": import_id, **_values(kind, *row)} for row in batch])


def add_in_pieces(import_id: int, kind: Kind, rows: Mapping[str, Measured]) -> None:
    """Store rows of an import that has none of this kind; commits each piece."""
    for batch in batches(rows.items(), _PIECE):
        values = [{"import_id": import_id, **_values(kind, *row)} for row in batch]
        db.session.execute(insert(_MODELS[kind]), values)
        db.session.commit()


def delete_in_pieces(import_id: int) -> None:
    """Delete an import with its rows; commits each piece."""
    for model in _MODELS.values():
        piece = select(model.id).where(model.import_id == import_id).limit(_PIECE)
        while changed_rows(delete(model).where(model.id.in_(piece))):
            db.session.commit()
    changed_rows(delete(SearchImport).where(SearchImport.id == import_id))
    db.session.commit()


def count_rows(found: SearchImport) -> None:
    for kind, model in _MODELS.items():
        rows, clicks, impressions = db.session.execute(
            select(
                func.count(),
                func.coalesce(func.sum(model.clicks), 0),
                func.coalesce(func.sum(model.impressions), 0),
            ).where(model.import_id == found.id)
        ).one()
        setattr(found, kind, rows)
        if rows:  # the pages come last: their sums include searches that are not listed
            found.clicks, found.impressions = int(clicks), int(impressions)


def _key(kind: Kind, text: str) -> str | bytes:
    return text if kind == "queries" else url_key(text)


def _values(kind: Kind, text: str, measured: Measured) -> dict[str, Any]:
    subject = {"query": text} if kind == "queries" else {"url": text, "url_key": url_key(text)}
    return {**subject, **asdict(measured)}
