"""PLAN_BLOG_POST: the plan of a post and the passages it rests on, to be changed and then written."""

from __future__ import annotations

import time
from typing import Any

from app.content import pipeline
from app.content.writing.choosing import check_engine
from app.content.writing.planned_post import PlannedPost
from app.infra.settings import current_settings
from app.operations.base import JobResult, Operation, Payload, Run
from app.operations.belonging import foreign_members, invalid_members
from app.operations.generation_input import PlanBlogPostInput
from app.operations.written import answer_cache_of
from app.projects.model import Project


def admit(project: Project, payload: Payload) -> None:
    """Refuse keywords and pages that are not the project's, and a model there is not."""
    check_engine(payload, current_settings())
    if wrong := foreign_members(project, payload):
        raise invalid_members(wrong)


def perform(run: Run) -> JobResult:
    """Make the plan; it is the job's result and changes nothing."""
    started = time.monotonic()
    planned = pipeline.plan(
        run.project_id, run.payload, run.progress, run.should_stop, remaining=run.remaining,
        cache=answer_cache_of(run),
    )  # fmt: skip
    return JobResult(
        _result(planned, time.monotonic() - started), artefacts={"request": dict(planned.request)}
    )


def _result(planned: PlannedPost, seconds: float) -> dict[str, Any]:
    return {
        "topic": planned.topic,
        "plan": planned.plan.to_dict() if planned.plan else None,
        "evidence": [passage.to_dict() for passage in planned.passages],
        "not_covered": planned.plan is None,
        "missing": list(planned.missing),
        "engine": planned.engine,
        "model": planned.usage.model,
        "usage": planned.usage.taken(),
        "seconds": round(seconds, 2),
        "warnings": list(planned.warnings),
    }


OPERATION = Operation(
    name="PLAN_BLOG_POST",
    title="Plan blog post",
    summary="Plans a post from the project's own pages, to be changed and then written.",
    schema=PlanBlogPostInput,
    perform=perform,
    admit=admit,
    limited=True,
    counts_as_waiting=True,
)
