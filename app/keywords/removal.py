"""Removes keywords, and brings them back as they were."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Numeric, delete, select
from sqlalchemy.types import TypeEngine

from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import UtcDateTime, db, insert_all_new
from app.keywords.model import Keyword, KeywordRemoval
from app.projects.model import Project
from app.projects.service import schedule_coverage

MOST: Final = 1000
KEPT: Final = timedelta(days=1)
_COLUMNS: Final = tuple(Keyword.__table__.columns)


def remove_keywords(project: Project, keyword_ids: Collection[int]) -> KeywordRemoval | None:
    """Remove up to MOST of the project's keywords; commits.

    Returns the removal, which ``undo_removal`` takes within a day; None if none of them is there.
    """
    chosen = Keyword.project_id == project.id, Keyword.id.in_(sorted(keyword_ids)[:MOST])
    rows = db.session.execute(select(*_COLUMNS).where(*chosen)).mappings().all()
    if not rows:
        return None
    removal = KeywordRemoval(project_id=project.id, keywords=[_packed(row) for row in rows])
    db.session.add(removal)
    db.session.execute(delete(Keyword).where(*chosen).execution_options(synchronize_session=False))
    db.session.execute(
        delete(KeywordRemoval)
        .where(KeywordRemoval.project_id == project.id, KeywordRemoval.created_at < utc_now() - KEPT)
        .execution_options(synchronize_session=False)
    )
    db.session.commit()
    return removal


def undo_removal(project: Project, removal_id: int) -> int:
    """Bring removed keywords back with their ids; commits. Returns how many there were.

    A keyword that was added again meanwhile stays as it is. Raises NOT_FOUND when that is done already, or
    the removal is more than a day ago.
    """
    removal = db.session.get(KeywordRemoval, removal_id)
    earliest = utc_now() - KEPT
    if removal is None or removal.project_id != project.id or removal.created_at < earliest:
        raise ServiceFailure("NOT_FOUND", "This was undone already, or is too long ago.")
    restored = insert_all_new(Keyword, [_unpacked(row) for row in removal.keywords])
    schedule_coverage(project.id)
    db.session.delete(removal)
    db.session.commit()
    return restored


def _packed(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a row with JSON's types only."""
    return {column.name: _plain(row[column.name]) for column in _COLUMNS}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def _unpacked(packed: Mapping[str, Any]) -> dict[str, Any]:
    return {column.name: _value(column.type, packed.get(column.name)) for column in _COLUMNS}


def _value(kind: TypeEngine[Any], packed: Any) -> Any:
    if packed is None:
        return None
    if isinstance(kind, UtcDateTime):
        return datetime.fromisoformat(packed)
    return Decimal(packed) if isinstance(kind, Numeric) and kind.asdecimal else packed
