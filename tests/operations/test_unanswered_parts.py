"""GENERATE_BLOG_POST when a part that a post can do without cannot be had, on both databases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.executions.conftest import Garden, check_history
from tests.support.beehives import generated, post_of_job
from tests.support.model_exchange import Exchange
from tests.support.model_jobs import ASKED, assert_silent, count_posts, messages, shown
from tests.support.model_scenarios import FIGURE, SCENARIOS, ok
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")

NO_ANSWER = "the text provider gave no usable answer"


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
def test_a_section_that_cannot_be_mended_loses_what_its_evidence_does_not_hold(
    garden: Garden, page_ids: list[int], model_server: ModelServer, log: pytest.LogCaptureFixture,
    scenario: str, why: str,
) -> None:  # fmt: skip
    model_server.respond = failing("mend one section", scenario, "figures")
    job = generated(garden, **ASKED)
    post = post_of_job(job)
    sections = model_server.tasks.count("write one section")
    told = [note for note in post.editor_notes if f"not written again: {NO_ANSWER} ({why})." in note]
    assert len(told) == sections > 1
    assert set(told) <= set(post.warnings)
    assert messages(job).count(f"Went on without an answer: {why}") == sections
    assert FIGURE not in shown(post)
    assert post.content.count("\n## ") >= sections
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
def test_a_failure_that_concerns_every_call_ends_the_job_while_a_section_is_mended(
    garden: Garden, page_ids: list[int], model_server: ModelServer, scenario: str, code: str
) -> None:
    model_server.respond = failing("mend one section", scenario, "figures")
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["code"] == code
    assert count_posts() == 0


def test_the_job_ends_at_its_deadline_while_a_section_is_mended(
    garden: Garden, page_ids: list[int], model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.executions.limits.deadline", lambda _operation: 3.0)
    model_server.respond = failing("mend one section", "hang", "figures")
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["code"] == "JOB_TIMEOUT"
    assert count_posts() == 0


def test_a_job_without_a_held_sentence_fails_as_its_provider_did(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = failing("mend one section", "500", "ids")
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["code"] == "PROVIDER_FAILED"
    assert "reason" not in job.failure["details"]
    assert count_posts() == 0


def test_questions_and_introduction_that_cannot_be_had_are_left_out(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    def respond(asked: Exchange) -> None:
        if asked.task in {"answer questions", "write the opening"}:
            asked.refuse(500)
        else:
            ok(asked)

    model_server.respond = respond
    post = post_of_job(generated(garden, **ASKED))
    assert post.faq == []
    assert post.content.lstrip().startswith("## ")
    assert f"The questions were not answered: {NO_ANSWER} (PROVIDER_FAILED)." in post.warnings
    assert f"The introduction was not written: {NO_ANSWER} (PROVIDER_FAILED)." in post.warnings
    assert 70 <= len(post.description) <= 156
