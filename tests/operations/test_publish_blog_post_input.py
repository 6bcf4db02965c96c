"""The input of PUBLISH_BLOG_POST (no application needed)."""

from __future__ import annotations

from typing import Any

import pytest
from marshmallow import ValidationError

from app.operations.publish_blog_post import PublishBlogPostInput


@pytest.mark.parametrize("target", [None, 7, "Hook"])
def test_a_target_is_an_id_a_name_or_nothing(target: int | str | None) -> None:
    loaded = PublishBlogPostInput().load({"blog_post_id": 3, "target": target})
    assert loaded == {"blog_post_id": 3, "target": target}


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({}, "blog_post_id"), ({"blog_post_id": "3"}, "blog_post_id"), ({"blog_post_id": 0}, "blog_post_id"),
     ({"blog_post_id": 2**63}, "blog_post_id"), ({"blog_post_id": 1.5}, "blog_post_id"),
     ({"blog_post_id": 3, "target": True}, "target"), ({"blog_post_id": 3, "target": ""}, "target"),
     ({"blog_post_id": 3, "target": []}, "target"), ({"blog_post_id": 3, "target": 0}, "target"),
     ({"blog_post_id": 3, "target": "a\x00"}, "target"), ({"blog_post_id": 3, "colour": 1}, "colour"),
     ({"blog_post_id": 3, "override_quality_gate": "yes"}, "override_quality_gate"),
     ({"blog_post_id": 3, "override_quality_gate": 1}, "override_quality_gate"),
     ({"blog_post_id": 3, "override_quality_gate": True}, "override_reason")],
)  # fmt: skip
def test_wrong_input_is_refused_by_its_field(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        PublishBlogPostInput().load(wrong)
    assert list(refused.value.messages_dict) == [field]
