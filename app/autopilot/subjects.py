"""What an autopilot writes about next: a keyword without a post, else an unused title idea."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import func, select

from app.autopilot.model import AutopilotRun
from app.content.model import BlogPost
from app.executions.queries import newest_job
from app.executions.states import Status
from app.infra.db import db
from app.keywords.service import keywords_to_cover
from app.operations import suggest_titles
from app.operations.suggest_titles import generation_payload
from app.projects.model import Project

_MOST_KEYWORDS: Final = 100
_LATEST_RUNS: Final = 200
_LATEST_POSTS: Final = 500


@dataclass(frozen=True)
class Subject:
    """A subject in words, and the input of the generation that writes about it."""

    name: str
    payload: dict[str, Any]


def next_subject(project: Project) -> Subject | None:
    """Return what a project's autopilot writes about next, None when nothing is left.

    A subject that an earlier run tried is not tried again, whatever became of it.
    """
    tried = _tried(project)
    return next((each for each in _subjects(project) if each.name.casefold() not in tried), None)


def _subjects(project: Project) -> Iterator[Subject]:
    least = {"minimum_kind": "extractive"}
    keywords = keywords_to_cover(project.id, (), _MOST_KEYWORDS)
    for keyword in sorted(keywords, key=lambda each: bool(each.covered_pages)):
        yield Subject(keyword.keyword_text, {"keyword_ids": [keyword.id], **least})
    for idea in _ideas(project):
        yield Subject(str(idea["title"])[:200], {**generation_payload(idea), **least})


def _ideas(project: Project) -> list[dict[str, Any]]:
    latest = newest_job(project.id, suggest_titles.OPERATION.name, Status.SUCCEEDED)
    return list((latest.result or {}).get("ideas") or []) if latest is not None else []


def _tried(project: Project) -> set[str]:
    runs = (
        select(AutopilotRun.subject)
        .where(AutopilotRun.project_id == project.id)
        .order_by(AutopilotRun.due_at.desc())
        .limit(_LATEST_RUNS)
    )
    posts = (
        select(func.coalesce(BlogPost.title, ""))
        .where(BlogPost.project_id == project.id)
        .order_by(BlogPost.created_at.desc())
        .limit(_LATEST_POSTS)
    )
    return {name.casefold() for query in (runs, posts) for name in db.session.scalars(query) if name}
