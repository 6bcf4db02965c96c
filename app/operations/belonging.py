"""Whether the ids of an operation's input are the project's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import select

from app.content.artefacts import page_of
from app.failures import ServiceFailure
from app.infra.db import db
from app.keywords.model import Keyword
from app.pages.model import Page
from app.projects.model import Project

_MEMBERS: Final[Mapping[str, type[Keyword] | type[Page]]] = {
    "keyword_ids": Keyword,
    "page_ids": Page,
    "required_page_ids": Page,
}


def foreign_ids(project: Project, model: type[Keyword] | type[Page], ids: Iterable[int] | None) -> str:
    """Return what to say of the ids that are no row of the project, "" when all are."""
    return _message(_missing(project, model, ids or ()))


def foreign_members(project: Project, payload: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the members of a generation's input that name what is not the project's, and what to say."""
    wrong = [(name, foreign_ids(project, model, payload.get(name))) for name, model in _MEMBERS.items()]
    outline = payload.get("outline")
    if isinstance(outline, Mapping):
        named = list(_pages_of_plan(outline))
        missing = _missing(project, Page, (page_id for _, ids in named for page_id in ids))
        wrong += [(name, _message(missing & set(ids))) for name, ids in named]
    return [(name, message) for name, message in wrong if message]


def invalid_members(wrong: Iterable[tuple[str, str]]) -> ServiceFailure:
    """Return INVALID_REQUEST about members of a payload, each with what to say of it."""
    errors = [
        {"location": "body", "field": f"/payload/{name}", "message": message} for name, message in wrong
    ]
    return ServiceFailure("INVALID_REQUEST", errors=errors)


def _pages_of_plan(plan: Mapping[str, Any]) -> Iterator[tuple[str, list[int]]]:
    """Yield where a plan names pages, and which."""
    for number, link in enumerate(plan.get("links", ())):
        yield f"outline/links/{number}/page_id", [link["page_id"]]
    for member in ("sections", "questions"):
        for number, part in enumerate(plan.get(member, ())):
            yield f"outline/{member}/{number}/evidence_ids", _pages(part.get("evidence_ids", ()))
    yield "outline/highlights", _pages(plan.get("highlights", ()))


def _pages(evidence_ids: Iterable[str]) -> list[int]:
    return [page_id for page_id in map(page_of, evidence_ids) if page_id]


def _missing(project: Project, model: type[Keyword] | type[Page], ids: Iterable[int]) -> set[int]:
    wanted = set(ids)
    if not wanted:
        return set()
    found = select(model.id).where(model.project_id == project.id, model.id.in_(wanted))
    return wanted - set(db.session.scalars(found))


def _message(missing: Iterable[int]) -> str:
    ids = ", ".join(str(number) for number in sorted(missing))
    return ids and f"The project has none with the id {ids}."
