"""GENERATE_BLOG_POST with a model of its own for verification, on both databases."""

from __future__ import annotations

import re

import pytest

from tests.executions.conftest import Garden
from tests.support import model_answers
from tests.support.beehives import generated, post_of_job
from tests.support.model_exchange import USAGE, Exchange, chunk
from tests.support.model_jobs import ASKED, assert_failed
from tests.support.model_scenarios import SCENARIOS
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


@pytest.mark.parametrize(
    ("scenario", "code"), [("wrong-schema", "PROVIDER_FAILED"), ("404", "PROVIDER_REJECTED")]
)
def test_a_failure_of_the_verifying_model_names_that_model(
    garden: Garden, page_ids: list[int], model_server: ModelServer, scenario: str, code: str
) -> None:
    model_server.respond = lambda asked: SCENARIOS[scenario if asked.body["model"] == "small" else "ok"](
        asked
    )
    job = generated(garden, **ASKED)
    assert_failed(job, code)
    assert job.failure is not None
    assert job.failure["details"]["model"] == "small"


def test_a_refused_request_leads_to_both_models(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = SCENARIOS["404"]
    job = generated(garden, **ASKED)
    assert job.failure is not None
    hints = " ".join(job.failure["remediation_hints"])
    assert {"LLM_MODEL", "LLM_VERIFY_MODEL"} <= set(re.findall(r"LLM_\w+", hints))
