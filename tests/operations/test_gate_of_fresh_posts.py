"""What the checks say of a post when it is made and when it is about to be published is the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.content.posts.checking import quality_of
from tests.executions.conftest import Garden
from tests.support.beehives import TOPIC, generated, post_of_job

pytestmark = pytest.mark.usefixtures("impatient", "page_ids")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


INPUTS: list[dict[str, Any]] = [
    {},
    {"topic": "beehive rules 2026", "title": "Beehive rules", "key_points": ["We paint by hand."]},
    {"topic": "beehive", "keywords": ["beehive of 1912"]},
    {"key_points": ["We paint 31 beehives by hand."]},
    {"outline": [{"heading": "Choosing one of 17 boxes", "key_points": ["It has 3 floors."]}]},
    {"internal_links": {"min": 0, "max": 0}, "include": {"faq": False}},
    {"internal_links": {"min": 0, "max": 1}, "include": {"faq": False}},
]


@pytest.mark.parametrize("members", INPUTS, ids=json.dumps)
@pytest.mark.parametrize("engine", ["extractive", "llm"])
def test_publishing_finds_what_generating_found(garden: Garden, engine: str, members: dict[str, Any]) -> None:
    job = generated(garden, **{"topic": TOPIC, "engine": engine, **members})
    assert (job.status, job.failure) == ("succeeded", None)
    post = post_of_job(job)
    assert quality_of(post).to_dict() == post.quality
    held = {c["code"] for c in post.quality["checks"] if c["severity"] == "block" and not c["passed"]}
    assert held <= {"DRAFT_KIND_OUTLINE", "CONTENT_TOO_SHORT"}
