"""GENERATE_BLOG_POST: a draft grounded in the project's own pages."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

from app.content import pipeline
from app.content.posts.saving import save_written
from app.content.posts.slugs import slug_taken
from app.content.writing.choosing import check_engine
from app.infra.settings import current_settings
from app.operations.base import JobResult, Operation, Payload, Run
from app.operations.generation import answer_cache_of, artefacts_of, check_ids, result_of
from app.operations.generation_input import GenerateBlogPostInput
from app.projects.model import Project
from app.projects.service import schedule_coverage


def admit(project: Project, payload: Payload) -> None:
    """Refuse unknown keywords and pages, a taken slug, and a language model that is not configured."""
    check_engine(payload, current_settings())
    check_ids(project, payload, _slug_errors(project, payload.get("slug")))


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


def _slug_errors(project: Project, slug: str | None) -> Iterator[tuple[str, str]]:
    if slug is not None and slug_taken(project.id, slug):
        yield "slug", "Another post of this project has this slug."


OPERATION = Operation(
    name="GENERATE_BLOG_POST",
    title="Generate blog post",
    summary="Writes a draft from the project's own pages.",
    schema=GenerateBlogPostInput,
    perform=perform,
    admit=admit,
    limited=True,
    counts_as_waiting=True,
    counts_as_post=True,
    supports_rollback=True,
)
