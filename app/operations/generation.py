"""What the operations share that write from the project's pages: checks of ids, kept answers, results."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import select

from app.content.artefacts import page_of
from app.content.drafts import WrittenPost
from app.content.writing.llm.questions import AnswerCache
from app.failures import ServiceFailure
from app.infra.db import db
from app.keywords.model import Keyword
from app.operations.base import Payload, Run
from app.pages.model import Page
from app.projects.model import Project

_Model = type[Keyword] | type[Page]

_MEMBERS: Final[Mapping[str, _Model]] = {
    "keyword_ids": Keyword,
    "page_ids": Page,
    "required_page_ids": Page,
}
_ANSWERS: Final = "answers"


def check_ids(project: Project, payload: Payload, other_errors: Iterable[tuple[str, str]] = ()) -> None:
    """Raise INVALID_REQUEST when the payload has ids of keywords or pages that the project does not have.

    ``other_errors`` are pairs of a member and a message that are reported together with them.
    """
    messages = [
        (name, _message(_unknown(project, model, payload.get(name) or ())))
        for name, model in _MEMBERS.items()
    ]
    outline = payload.get("outline")
    if isinstance(outline, Mapping):
        named = list(_pages_of_plan(outline))
        unknown = _unknown(project, Page, (page_id for _, ids in named for page_id in ids))
        messages += [(name, _message(unknown & set(ids))) for name, ids in named]
    errors = [
        {"location": "body", "field": f"/payload/{name}", "message": message}
        for name, message in (*messages, *other_errors)
        if message
    ]
    if errors:
        raise ServiceFailure("INVALID_REQUEST", errors=errors)


def answer_cache_of(run: Run) -> AnswerCache:
    """Return the model's answers that earlier attempts of a job kept; new answers are stored with them."""
    return AnswerCache(run.kept().get(_ANSWERS, {}), lambda answers: run.keep({_ANSWERS: answers}))


def result_of(written: WrittenPost, seconds: float) -> dict[str, Any]:
    """Return the members of a job's result that every written text has; ``seconds`` is how long it took."""
    return {
        "draft_kind": written.draft_kind,
        "engine": written.engine,
        "model": written.usage.model,
        "usage": written.usage.taken(),
        "seconds": round(seconds, 2),
        "word_count": written.post.word_count,
        "quality": {"score": written.quality.score, "decision": written.quality.decision},
        "warnings": list(written.warnings),
    }


def artefacts_of(written: WrittenPost) -> dict[str, Any]:
    return {
        "request": dict(written.request),
        "brief": written.brief.to_dict(),
        "outline": written.outline.to_dict(),
    }


def _pages_of_plan(plan: Mapping[str, Any]) -> Iterator[tuple[str, list[int]]]:
    for number, link in enumerate(plan.get("links", ())):
        yield f"outline/links/{number}/page_id", [link["page_id"]]
    for member in ("sections", "questions"):
        for number, part in enumerate(plan.get(member, ())):
            yield f"outline/{member}/{number}/evidence_ids", _pages(part.get("evidence_ids", ()))
    yield "outline/highlights", _pages(plan.get("highlights", ()))


def _pages(evidence_ids: Iterable[str]) -> list[int]:
    return [page_id for page_id in map(page_of, evidence_ids) if page_id]


def _unknown(project: Project, model: _Model, ids: Iterable[int]) -> set[int]:
    wanted = set(ids)
    if not wanted:
        return set()
    found = select(model.id).where(model.project_id == project.id, model.id.in_(wanted))
    return wanted - set(db.session.scalars(found))


def _message(unknown: Iterable[int]) -> str:
    ids = ", ".join(str(number) for number in sorted(unknown))
    return ids and f"The project has none with the id {ids}."
