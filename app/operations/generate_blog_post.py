"""GENERATE_BLOG_POST: a draft grounded in the project's own pages."""

from collections.abc import Iterator

from app.content.posts.slugs import slug_taken
from app.content.writing.choosing import check_engine
from app.infra.settings import current_settings
from app.operations.base import Operation, Payload, performed_by
from app.operations.generation import check_ids
from app.operations.generation_input import GenerateBlogPostInput
from app.projects.model import Project


def admit(project: Project, payload: Payload) -> None:
    """Refuse unknown keywords and pages, a taken slug, and a language model that is not configured."""
    check_engine(payload, current_settings())
    check_ids(project, payload, _slug_errors(project, payload.get("slug")))


def _slug_errors(project: Project, slug: str | None) -> Iterator[tuple[str, str]]:
    if slug is not None and slug_taken(project.id, slug):
        yield "slug", "Another post of this project has this slug."


OPERATION = Operation(
    name="GENERATE_BLOG_POST",
    title="Generate blog post",
    summary="Writes a draft from the project's own pages.",
    schema=GenerateBlogPostInput,
    perform=performed_by("generate_blog_post"),
    admit=admit,
    limited=True,
    counts_as_waiting=True,
    counts_as_post=True,
    supports_rollback=True,
)
