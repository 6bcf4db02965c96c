"""REFRESH_BLOG_POST: proposes a new text for a post whose sources changed, or from chosen pages.

The post itself stays as it is: a person uses the proposal or dismisses it.
"""

from marshmallow import Schema

from app.content.posts.service import get_idle_post
from app.content.request import MOST_CHOSEN
from app.operations.base import Operation, Payload, performed_by
from app.operations.fields import blog_post_id, ids
from app.operations.generation import check_ids
from app.projects.model import Project


class RefreshBlogPostInput(Schema):
    blog_post_id = blog_post_id("The post, a draft or published.")
    page_ids = ids(
        MOST_CHOSEN,
        "Pages to write the post from, although its sources may be as they were: those that answer the "
        "topic of an outline in other words.",
    )


def admit(project: Project, payload: Payload) -> None:
    get_idle_post(project, payload["blog_post_id"])
    check_ids(project, payload)


OPERATION = Operation(
    name="REFRESH_BLOG_POST",
    title="Refresh blog post",
    summary="Proposes a new text for a post whose sources changed, or from pages that you choose.",
    schema=RefreshBlogPostInput,
    perform=performed_by("refresh_blog_post"),
    admit=admit,
    limited=True,
    counts_as_waiting=True,
)
