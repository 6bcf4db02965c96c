"""GENERATE_BLOG_POST with a model whose window is too small for a question, on both databases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.infra.db import db
from app.pages.service import add_page
from tests.executions.conftest import Garden
from tests.support import model_answers
from tests.support.beehives import generated, post_of_job, project_of
from tests.support.model_exchange import Exchange
from tests.support.model_jobs import ASKED, assert_failed, messages
from tests.support.model_scenarios import SCENARIOS
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")

CHECK, REVISE = "check sentences", "revise sentences"
SHORTENED = "The question was too long for the model: asked again with half of the passages."
CUT = "PROVIDER_FAILED, truncated: try 2 of 3 after 0.01 s"
LONG = (
    "A beehive of wood keeps its frames dry for ten years if its roof is painted each spring. "
    "A beehive of straw is light and warm, but its combs cannot be taken out for a look at the brood. "
    "A beehive of foam is the lightest of all and has to stand on a frame that no woodpecker can reach. "
    "A beehive on a balcony needs a floor that can be closed, because neighbours do not like swarms."
)
"""A paragraph that is long enough to be cut."""


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


@pytest.fixture
def long_page(garden: Garden, page_ids: list[int]) -> None:
    fields = {"url": "https://alice.example/kinds", "title": "Beehives", "content": f"# Beehives\n\n{LONG}"}
    add_page(project_of(garden), fields)
    db.session.commit()


def refusing(task: str, scenario: str, most: float) -> Callable[[Exchange], None]:
    """Take no question of a task with more characters of evidence than ``most``."""

    def respond(asked: Exchange) -> None:
        too_long = asked.task == task and shown(asked.body["messages"][-1]["content"]) > most
        SCENARIOS[scenario if too_long else "figures"](asked)

    return respond


def shown(prompt: str) -> int:
    """How many characters of evidence a prompt has."""
    return sum(len(unit.text) for unit in model_answers.evidence_in(prompt))


def evidence_of(server: ModelServer, task: str) -> list[int]:
    """How many characters of evidence each question of a task had."""
    return [shown(prompt) for prompt in server.prompts if prompt.startswith(f"Task: {task}")]


@pytest.mark.parametrize("task", [CHECK, REVISE])
@pytest.mark.parametrize(("scenario", "note"), [("no-context", SHORTENED), ("truncated", CUT)])
@pytest.mark.usefixtures("long_page")
def test_a_check_that_is_too_long_is_asked_once_more_with_less_evidence(
    garden: Garden, model_server: ModelServer, task: str, scenario: str, note: str
) -> None:
    model_server.respond = SCENARIOS["figures"]
    generated(garden, **ASKED)
    whole = evidence_of(model_server, task)[0]
    model_server.bodies.clear()
    model_server.respond = refusing(task, scenario, whole - 1)
    job = generated(garden, **ASKED)
    asked = evidence_of(model_server, task)
    assert note in messages(job), job.failure
    assert asked[0] == whole
    assert 0 < asked[1] < whole
    assert post_of_job(job).engine == "llm"


@pytest.mark.usefixtures("long_page")
def test_a_check_that_is_too_long_even_then_says_what_to_change(
    garden: Garden, model_server: ModelServer
) -> None:
    model_server.respond = refusing(CHECK, "no-context", 0)
    job = generated(garden, **ASKED)
    assert_failed(job, "INVALID_REQUEST")
    assert job.failure is not None
    assert "half of the passages" in job.failure["message"]
    assert "than ok (LLM_VERIFY_MODEL)" in job.failure["remediation_hints"][-1]
    assert len(evidence_of(model_server, CHECK)) == 2


@pytest.mark.usefixtures("page_ids")
@pytest.mark.parametrize(
    ("task", "setting"), [("plan the article", "LLM_MODEL"), (CHECK, "LLM_VERIFY_MODEL")]
)
def test_an_answer_that_is_always_cut_leads_to_a_shorter_length_or_a_larger_model(
    garden: Garden, model_server: ModelServer, task: str, setting: str
) -> None:
    model_server.respond = refusing(task, "truncated", 0)
    job = generated(garden, **ASKED)
    assert_failed(job, "PROVIDER_FAILED")
    assert job.failure is not None
    shorter, larger = job.failure["remediation_hints"]
    assert "cut off" in job.failure["message"]
    assert "shorter length" in shorter
    assert larger.endswith(f"a larger output or window than ok ({setting}).")


@pytest.mark.usefixtures("page_ids")
def test_a_check_with_nothing_to_cut_is_asked_once_and_not_said_to_be_shortened(
    garden: Garden, model_server: ModelServer
) -> None:
    model_server.respond = refusing(CHECK, "no-context", 0)
    job = generated(garden, **ASKED)
    assert_failed(job, "INVALID_REQUEST")
    assert job.failure is not None
    assert "half" not in job.failure["message"]
    assert SHORTENED not in messages(job)
    assert len(evidence_of(model_server, CHECK)) == 1
