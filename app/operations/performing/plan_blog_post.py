"""How a post is planned: the work of PLAN_BLOG_POST."""

import time
from typing import Any

from app.content import pipeline
from app.content.writing.planned_post import PlannedPost
from app.operations.base import JobResult, Run
from app.operations.generation import answer_cache_of


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
