"""The lock under which a project's pages are changed by one sync, or one person, at a time."""

from __future__ import annotations

from sqlalchemy import false, func, select, update

from app.infra.db import db
from app.projects.model import Project


def lock_project(project_id: int) -> None:
    """Wait until nobody else changes the project's pages by a sync; held until the transaction ends.

    On SQLite until nobody else writes at all: the transaction must not have read anything yet as a reader.
    """
    if db.session.connection().dialect.name == "postgresql":
        db.session.execute(select(func.pg_advisory_xact_lock(project_id)))
        return
    # Whatever writes takes the lock, also if there is nothing to be changed.
    nothing = update(Project).where(false()).values(id=Project.id)
    db.session.execute(nothing.execution_options(synchronize_session=False))
