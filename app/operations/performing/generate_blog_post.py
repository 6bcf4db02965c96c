"""How a post is written: the work of GENERATE_BLOG_POST."""

import time
from collections.abc import Mapping
from typing import Any

from app.content import pipeline
from app.content.posts.saving import save_written
from app.operations.base import JobResult, Run
from app.operations.generation import answer_cache_of, artefacts_of, result_of
from app.projects.service import schedule_coverage


def perform(run: Run) -> JobResult:
    """Write the post; it is saved in the transaction that ends the job."""
    started = time.monotonic()
    written = pipeline.generate(
        run.project_id,
        run.payload,
        run.progress,
        run.should_stop,
        remaining=run.remaining,
        cache=answer_cache_of(run),
    )

    def save() -> Mapping[str, Any]:
        post = save_written(run.project_id, run.job_id, written)
        schedule_coverage(run.project_id)
        return {
            "blog_post_id": post.id,
            "title": post.title,
            "slug": post.slug,
            "warnings": list(post.warnings),
        }

    return JobResult(result_of(written, time.monotonic() - started), save, artefacts_of(written))
