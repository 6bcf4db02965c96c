"""Whether the ids of an operation's input are the project's own."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select

from app.infra.db import db
from app.keywords.model import Keyword
from app.pages.model import Page
from app.projects.model import Project


def foreign_ids(project: Project, model: type[Keyword] | type[Page], ids: Iterable[int] | None) -> str:
    """Return what to say of the ids that are no row of the project, "" when all are."""
    wanted = set(ids or ())
    if not wanted:
        return ""
    found = set(
        db.session.scalars(select(model.id).where(model.project_id == project.id, model.id.in_(wanted)))
    )
    told = ", ".join(str(number) for number in sorted(wanted - found))
    return told and f"The project has none with the id {told}."
