"""PLAN_BLOG_POST: makes the plan of a post, with the passages it uses; a person can change it."""

from app.content.writing.choosing import check_engine
from app.infra.settings import current_settings
from app.operations.base import Operation, Payload, performed_by
from app.operations.generation import check_ids
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


OPERATION = Operation(
    name="PLAN_BLOG_POST",
    title="Plan blog post",
    summary="Plans a post from the project's own pages, to be changed and then written.",
    schema=PlanBlogPostInput,
    perform=performed_by("plan_blog_post"),
    admit=admit,
    limited=True,
    counts_as_waiting=True,
)
