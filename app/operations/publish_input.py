"""The input of PUBLISH_BLOG_POST: the post, where and how to publish it, and what is overridden."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validates_schema

from app.infra.inputs import Boolean, Input, Text
from app.operations.fields import blog_post_id, choice, documented
from app.operations.publishing import target_field


class ExistingPostInput(Input):
    """A post at the target, as the details of TARGET_SLUG_TAKEN have it."""

    id = Text(1, 200, required=True, allow_none=False, metadata=documented("Its id at the target."))
    fingerprint = Text(
        1, 64, required=True, allow_none=False, metadata=documented("Identifies the text that was shown.")
    )


class PublishBlogPostInput(Schema):
    """The post to publish, the target, and an override of the quality gate."""

    blog_post_id = blog_post_id("The post to publish.")
    target = target_field(
        "Id or name of a publish target. When left out, the project's only target, or its default."
    )
    visibility = choice(
        ("live", "draft"),
        "Whether readers can see the post at the target, or it is a hidden draft there; the target's own "
        "setting when left out.",
        "live",
    )
    overwrite = Boolean(
        metadata=documented("Replace the text at the target although it was edited there since.")
    )
    existing_post = fields.Nested(
        ExistingPostInput,
        allow_none=True,
        metadata=documented(
            "The post at the target that has the address and whose text is to be replaced, as in the "
            "details of TARGET_SLUG_TAKEN."
        ),
    )
    override_quality_gate = Boolean(
        metadata=documented("Publish in spite of the quality gate's findings. Needs override_reason.")
    )
    override_reason = Text(
        1, 500, metadata=documented("Why the quality gate is overridden; kept with the publication.")
    )

    @validates_schema
    def _reason_with_override(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        if data.get("override_quality_gate") and not data.get("override_reason"):
            raise ValidationError("Say why the quality gate is overridden.", "override_reason")
