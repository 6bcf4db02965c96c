"""Removals that a person can undo for a day."""

from datetime import timedelta
from typing import Any, Final, TypeVar

from app.failures import existing
from app.infra.clock import utc_now
from app.infra.db import Base, db

KEPT: Final = timedelta(days=1)


R = TypeVar("R", bound=Base)


def removal_to_undo(model: type[R], project_id: int, removal_id: int) -> R:
    """Return a project's removal. Raises NOT_FOUND when it is undone already, or more than a day ago."""
    found: Any = db.session.get(model, removal_id)
    is_open = found and found.project_id == project_id and found.created_at >= utc_now() - KEPT
    removal: R | None = found if is_open else None
    return existing(removal, "NOT_FOUND", "This was undone already, or is too long ago.")
