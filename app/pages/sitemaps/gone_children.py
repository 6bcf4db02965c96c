"""Child sitemaps that are gone: since when, and when they count as empty.

Read in moments of their own while a sitemap is fetched; written in the transaction that applies the sync.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, insert, select, update

from app.infra.clock import utc_now
from app.infra.db import batches, db, read_separately
from app.infra.urls import url_key
from app.pages.model import GoneChild

EMPTY_AFTER_SYNCS: Final = 3
EMPTY_AFTER: Final = timedelta(hours=48)
"""A child that answers 404 or 410 in this many syncs, the present one too, over this long counts as empty."""

_ROWS: Final = 500


def is_empty_by_now(project_id: int, url: str) -> bool:
    """Whether a child that is gone now, too, has been so for long enough to count as empty."""
    row = read_separately(select(GoneChild.syncs, GoneChild.since).where(_are(project_id, [url_key(url)])))
    return row is not None and row[0] + 1 >= EMPTY_AFTER_SYNCS and utc_now() - row[1] >= EMPTY_AFTER


def count_gone(
    project_id: int, gone: Iterable[str], came: Iterable[str], *, complete: bool, at: datetime
) -> None:
    """Count one more absence of each gone child; one that came, or is listed no more, begins anew.

    A child that fails otherwise is neither gone nor back. ``complete``: all that is listed was read.
    The caller commits.
    """
    absent, back = {url_key(url) for url in gone}, {url_key(url) for url in came}
    known = set(db.session.scalars(select(GoneChild.url_key).where(GoneChild.project_id == project_id)))
    for keys in batches(known & absent, _ROWS):
        more = update(GoneChild).where(_are(project_id, keys)).values(syncs=GoneChild.syncs + 1)
        db.session.execute(more, execution_options={"synchronize_session": False})
    for keys in batches(known - absent if complete else (known & back) - absent, _ROWS):
        over = delete(GoneChild).where(_are(project_id, keys))
        db.session.execute(over, execution_options={"synchronize_session": False})
    for keys in batches(absent - known, _ROWS):
        rows = [{"project_id": project_id, "url_key": key, "since": at, "syncs": 1} for key in keys]
        db.session.execute(insert(GoneChild), rows)


def _are(project_id: int, keys: list[bytes]) -> ColumnElement[bool]:
    return (GoneChild.project_id == project_id) & GoneChild.url_key.in_(keys)
