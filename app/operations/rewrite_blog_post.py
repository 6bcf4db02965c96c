"""REWRITE_BLOG_POST: proposes a text in which one section or one sentence of an article is written anew.

The post itself stays as it is: a person uses the proposal or dismisses it.
"""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import Schema, ValidationError, validates_schema

from app.content.model import BlogPost
from app.content.plan import LONGEST_TITLE
from app.content.posts.parts import present_text, sentences_of
from app.content.posts.service import get_idle_post
from app.content.writing.providers.registry import is_configured
from app.failures import ServiceFailure, invalid_field
from app.infra.inputs import Line, Text
from app.infra.settings import current_settings
from app.operations.base import Operation, Payload, performed_by
from app.operations.fields import blog_post_id, documented
from app.projects.model import Project

LONGEST_INSTRUCTION: Final = 500
LONGEST_SENTENCE: Final = 2000
_ONE_OF: Final = "Name a heading or a sentence of the post, not both."
_GONE: Final = "The post has no sentences there that it was written with. Read the post again."


class RewriteBlogPostInput(Schema):
    """Which part of which post is written anew, and how."""

    blog_post_id = blog_post_id("The post, a draft or published.")
    heading = Line(
        1, LONGEST_TITLE, metadata=documented("The heading of the section, with its subsections.", "Prices")
    )
    sentence = Text(
        1, LONGEST_SENTENCE, metadata=documented("One sentence instead, as in the post's ``trace``.")
    )
    instruction = Line(
        1,
        LONGEST_INSTRUCTION,
        required=True,
        allow_none=False,
        metadata=documented("What is to be different.", "Shorter, and with the price first."),
    )

    @validates_schema
    def _one_part(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if bool(data.get("heading")) == bool(data.get("sentence")):
            raise ValidationError(_ONE_OF, "heading")


def admit(project: Project, payload: Payload) -> None:
    """Refuse a post that no model wrote, one that is being published, and a part that is not there."""
    post = get_idle_post(project, payload["blog_post_id"])
    if not is_rewritable(post):
        raise ServiceFailure("REWRITE_NOT_POSSIBLE", details={"blog_post_id": post.id})
    positions_of(post, payload)


def is_rewritable(post: BlogPost) -> bool:
    """Return whether parts of a post can be written anew: a model wrote it, and there is one."""
    return post.engine == "llm" and is_configured(current_settings())


def positions_of(post: BlogPost, payload: Payload) -> list[int]:
    """Return the positions in the trace of the sentences that are meant. Raises INVALID_REQUEST for none."""
    heading, sentence = payload.get("heading"), payload.get("sentence")
    positions = sentences_of(present_text(post), heading, sentence)
    if not positions:
        raise invalid_field(f"/payload/{'heading' if heading else 'sentence'}", _GONE)
    return positions


OPERATION = Operation(
    name="REWRITE_BLOG_POST",
    title="Rewrite a part of a blog post",
    summary="Proposes a text in which one section or one sentence of an article is written anew.",
    schema=RewriteBlogPostInput,
    perform=performed_by("rewrite_blog_post"),
    admit=admit,
    limited=True,
    counts_as_waiting=True,
)
