"""GENERATE_BLOG_POST with a model of its own for verification, on both databases."""

from __future__ import annotations

import pytest

from tests.executions.conftest import Garden
from tests.support import model_answers
from tests.support.beehives import generated, post_of_job
from tests.support.model_exchange import USAGE, Exchange, chunk
from tests.support.model_jobs import ASKED
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return {**model_settings, "LLM_VERIFY_MODEL": "small"}


def test_the_verifying_model_verifies_and_the_writing_one_is_named(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    names = {"ok": "tiny-1", "small": "small-1"}

    def respond(asked: Exchange) -> None:
        text = model_answers.answer(asked.body["messages"])
        name = names[asked.body["model"]]
        last = {**chunk(), "choices": [], "usage": USAGE, "model": name}
        asked.stream({**chunk(text), "model": name}, {**chunk(finish="stop"), "model": name}, last, "[DONE]")

    model_server.respond = respond
    post = post_of_job(generated(garden, **ASKED))
    asked = {body["model"]: set[str]() for body in model_server.bodies}
    for body, task in zip(model_server.bodies, model_server.tasks, strict=True):
        asked[body["model"]].add(task)
    writing = {"plan the article", "write the article", "edit the article"}
    assert asked == {"ok": writing, "small": {"check sentences"}}
    assert post.generator["model"] == "tiny-1"
    assert post.generator["prompt_tokens"] == 700 * len(model_server.bodies)
