"""Removals that a person can undo for a day."""

from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db

KEPT: Final = timedelta(days=1)


class Removal(Protocol):
    @property
    def project_id(self) -> int:
        """The project that the removed rows belong to."""

    @property
    def created_at(self) -> datetime:
        """When they were removed."""


R = TypeVar("R", bound=Removal)


def removal_to_undo(model: type[R], project_id: int, removal_id: int) -> R:
    """Return a project's removal. Raises NOT_FOUND when it is undone already, or more than a day ago."""
    removal = db.session.get(model, removal_id)
    if removal is None or removal.project_id != project_id or removal.created_at < utc_now() - KEPT:
        raise ServiceFailure("NOT_FOUND", "This was undone already, or is too long ago.")
    return removal
