"""GENERATE_BLOG_POST when the revision, which a post can do without, cannot be had, on both databases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.executions.conftest import Garden, check_history
from tests.support.beehives import generated, post_of_job
from tests.support.model_exchange import Exchange
from tests.support.model_jobs import ASKED, assert_failed, assert_silent, count_posts, messages, shown
from tests.support.model_scenarios import FIGURE, SCENARIOS
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


def failing(task: str, scenario: str, otherwise: str = "ok") -> Callable[[Exchange], None]:
    """Behave as one scenario says for one task, and as another for the rest."""
    return lambda asked: SCENARIOS[scenario if asked.task == task else otherwise](asked)


@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        ("500", "PROVIDER_FAILED"),
        ("broken-json", "PROVIDER_FAILED, broken_output"),
        ("filtered", "CONTENT_REJECTED"),
        ("no-context", "INVALID_REQUEST, context_length"),
    ],
)
def test_an_article_that_cannot_be_revised_loses_what_its_evidence_does_not_contain(
    garden: Garden, page_ids: list[int], model_server: ModelServer, log: pytest.LogCaptureFixture,
    scenario: str, why: str,
) -> None:  # fmt: skip
    model_server.respond = failing("revise sentences", scenario, "figures")
    job = generated(garden, **ASKED)
    post = post_of_job(job)
    assert f"Went on without revising sentences: {why}" in messages(job)
    assert any(FIGURE in note for note in post.editor_notes)
    assert FIGURE not in shown(post)
    assert_silent(job, model_server, log)
    check_history(job.id)


@pytest.mark.parametrize(
    ("scenario", "code"),
    [
        ("401", "PROVIDER_AUTH"),
        ("credit", "PROVIDER_CREDIT_EXHAUSTED"),
        ("429-long", "PROVIDER_RATE_LIMITED"),
        ("404", "PROVIDER_REJECTED"),
    ],
)
def test_a_failure_that_concerns_every_call_ends_the_job_while_sentences_are_revised(
    garden: Garden, page_ids: list[int], model_server: ModelServer, scenario: str, code: str
) -> None:
    model_server.respond = failing("revise sentences", scenario, "figures")
    job = generated(garden, **ASKED)
    assert_failed(job, code)


@pytest.mark.thorough
def test_the_job_ends_at_its_deadline_while_sentences_are_revised(
    garden: Garden, page_ids: list[int], model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.executions.limits.deadline", lambda _operation: 3.0)
    model_server.respond = failing("revise sentences", "hang", "figures")
    job = generated(garden, **ASKED)
    assert_failed(job, "JOB_TIMEOUT")


def test_a_job_without_a_supported_sentence_makes_no_post(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = failing("revise sentences", "500", "ids")
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert (job.failure["code"], job.failure["details"]["reason"]) == ("PROVIDER_FAILED", "unsupported")
    assert count_posts() == 0


@pytest.mark.parametrize(("scenario", "code"), [("500", "PROVIDER_FAILED"), ("filtered", "CONTENT_REJECTED")])
def test_nothing_is_published_unverified(
    garden: Garden, page_ids: list[int], model_server: ModelServer, scenario: str, code: str
) -> None:
    model_server.respond = failing("check sentences", scenario)
    job = generated(garden, **ASKED)
    assert_failed(job, code)
