"""GENERATE_BLOG_POST with a model behind Anthropic's API: the post, its cost, and the project's own model."""

from __future__ import annotations

import pytest

from app.infra.db import db
from app.projects.model import Project
from app.projects.service import update_project
from tests.executions.conftest import Garden
from tests.support.beehives import generated, post_of_job
from tests.support.messages_exchange import MODEL
from tests.support.model_jobs import ASKED, assert_silent, count_posts, with_model
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")

CALL = (700 * 1 + 300 * 5) / 1_000_000
"""US dollars of one call, at the prices below."""


@pytest.fixture
def settings_overrides(model_settings: dict[str, str], model_server: ModelServer) -> dict[str, str]:
    return {
        **model_settings, "LLM_PROVIDER": "anthropic", "LLM_BASE_URL": model_server.messages_url,
        "LLM_PRICES": "claude-tiny-4-5=1/5",
    }  # fmt: skip


def test_a_post_says_what_it_cost_by_the_prices_of_the_settings(
    garden: Garden, page_ids: list[int], model_server: ModelServer, log: pytest.LogCaptureFixture
) -> None:
    job = generated(garden, **ASKED)
    post, number = post_of_job(job), len(model_server.bodies)
    assert post.engine == "llm", job.failure
    assert post.generator == {
        "provider": "127.0.0.1", "model": MODEL, "prompt_tokens": 700 * number,
        "completion_tokens": 300 * number, "cost_usd": pytest.approx(CALL * number),
    }  # fmt: skip
    assert job.result is not None
    assert job.result["usage"]["cost_usd"] == pytest.approx(CALL * number)
    assert_silent(job, model_server, log)


@with_model("truncated")
def test_answers_that_are_lost_cost_as_much_as_those_that_are_used(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["details"]["usage"] == {
        "calls": 3, "prompt_tokens": 2100, "completion_tokens": 900, "cost_usd": pytest.approx(CALL * 3),
    }  # fmt: skip


def test_the_projects_own_model_is_asked(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    update_project(db.session.get_one(Project, garden.project_id), {"llm_model": "claude-of-alice"})
    assert post_of_job(generated(garden, **ASKED)).engine == "llm"
    assert {body["model"] for body in model_server.bodies} == {"claude-of-alice"}


FAILURES = {
    "401": "PROVIDER_AUTH", "404": "PROVIDER_REJECTED", "402": "PROVIDER_CREDIT_EXHAUSTED",
    "429-always": "PROVIDER_RATE_LIMITED", "500": "PROVIDER_FAILED", "broken-json": "PROVIDER_FAILED",
    "filtered": "CONTENT_REJECTED",
}  # fmt: skip


@pytest.mark.parametrize(("model_name", "code"), FAILURES.items(), indirect=["model_name"], ids=FAILURES)
def test_each_failure_of_the_provider_ends_the_job_with_its_code_and_no_post(
    garden: Garden, page_ids: list[int], model_server: ModelServer, log: pytest.LogCaptureFixture, code: str
) -> None:
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert (job.status, job.failure["code"], count_posts()) == ("failed", code, 0)
    assert_silent(job, model_server, log)
