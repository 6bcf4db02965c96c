"""Child sitemaps that are gone: since when, and when they count as empty.

Reads use short transactions of their own while a sitemap is fetched. Writes belong to the transaction that
applies the sync.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, insert, select, update

from app.infra.clock import utc_now
from app.infra.db import batches, changed_rows, db, read_separately
from app.infra.urls import url_key
from app.pages.model import GoneSitemap

EMPTY_AFTER_SYNCS: Final = 3
EMPTY_AFTER: Final = timedelta(hours=48)
"""A child counts as empty after 404 or 410 in this many syncs, this one included, over at least this time."""

_ROWS: Final = 500


def counts_as_empty(project_id: int, url: str) -> bool:
    """Return whether a child that is gone now has been gone for so long that it counts as empty."""
    row = read_separately(
        select(GoneSitemap.syncs, GoneSitemap.since).where(_among(project_id, [url_key(url)]))
    )
    return row is not None and row[0] + 1 >= EMPTY_AFTER_SYNCS and utc_now() - row[1] >= EMPTY_AFTER


def count_gone(
    project_id: int, gone: Iterable[str], answered: Iterable[str], *, complete: bool, at: datetime
) -> None:
    """Count one more absence of each gone child, and forget children that answered or are no longer listed.

    A child that failed in another way keeps its count. ``complete``: everything that is listed was read.
    The caller commits.
    """
    absent, back = {url_key(url) for url in gone}, {url_key(url) for url in answered}
    known = set(db.session.scalars(select(GoneSitemap.url_key).where(GoneSitemap.project_id == project_id)))
    for keys in batches(known & absent, _ROWS):
        changed_rows(update(GoneSitemap).where(_among(project_id, keys)).values(syncs=GoneSitemap.syncs + 1))
    for keys in batches(known - absent if complete else (known & back) - absent, _ROWS):
        changed_rows(delete(GoneSitemap).where(_among(project_id, keys)))
    for keys in batches(absent - known, _ROWS):
        rows = [{"project_id": project_id, "url_key": key, "since": at, "syncs": 1} for key in keys]
        db.session.execute(insert(GoneSitemap), rows)


def _among(project_id: int, keys: list[bytes]) -> ColumnElement[bool]:
    return (GoneSitemap.project_id == project_id) & GoneSitemap.url_key.in_(keys)
