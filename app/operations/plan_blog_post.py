"""PLAN_BLOG_POST: makes the plan of a post, with the passages it uses; a person can change it."""

import time
from typing import Any

from app.content import pipeline
from app.content.writing.choosing import check_engine
from app.content.writing.planned_post import PlannedPost
from app.infra.settings import current_settings
from app.operations.base import JobResult, Operation, Payload, Run
from app.operations.generation import answer_cache_of, check_ids
from app.operations.generation_input import GenerateBlogPostInput
from app.projects.model import Project


class PlanBlogPostInput(GenerateBlogPostInput):
    """The input of a plan: that of a generation without the members of the written post alone."""

    class Meta:
        exclude = ("slug", "minimum_kind")


def admit(project: Project, payload: Payload) -> None:
    """Refuse unknown keywords and pages, and a language model that is not configured."""
    check_engine(payload, current_settings())
    check_ids(project, payload)


def perform(run: Run) -> JobResult:
    """Make the plan; it is the job's result and changes nothing."""
    started = time.monotonic()
    planned = pipeline.plan(
        run.project_id,
        run.payload,
        run.progress,
        run.should_stop,
        remaining=run.remaining,
        cache=answer_cache_of(run),
    )
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
