"""GENERATE_BLOG_POST when its language model fails, is slow, busy or old-fashioned, on both databases."""

from __future__ import annotations

from typing import Any

import pytest

from app.content.writing.llm import calls
from app.failures import CATALOGUE
from tests.executions.conftest import Garden, check_history
from tests.support.beehives import generated, post_of_job
from tests.support.model_exchange import Exchange, chunk
from tests.support.model_jobs import ASKED, assert_failed, assert_silent, count_posts, messages, with_model
from tests.support.model_scenarios import HALF, SCENARIOS
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


TAKEN = {"calls": 3, "prompt_tokens": 2100, "completion_tokens": 900, "cost_usd": pytest.approx(0.006)}
"""What three calls to the fake model take."""

FAILURES = {
    "401": ("PROVIDER_AUTH", 1),
    "403": ("PROVIDER_AUTH", 1),
    "404": ("PROVIDER_REJECTED", 1),
    "429-long": ("PROVIDER_RATE_LIMITED", 1),
    "429-always": ("PROVIDER_RATE_LIMITED", 3),
    "credit": ("PROVIDER_CREDIT_EXHAUSTED", 1),
    "402": ("PROVIDER_CREDIT_EXHAUSTED", 1),
    "500": ("PROVIDER_FAILED", 3),
    "503": ("PROVIDER_FAILED", 3),
    "dropped": ("PROVIDER_FAILED", 3),
    "html": ("PROVIDER_FAILED", 3),
    "broken-json": ("PROVIDER_FAILED", 3),
    "wrong-schema": ("PROVIDER_FAILED", 3),
    "truncated": ("PROVIDER_FAILED", 3),
    "empty": ("PROVIDER_FAILED", 3),
    "huge": ("PROVIDER_FAILED", 3),
    "filtered": ("CONTENT_REJECTED", 1),
    "refusal": ("CONTENT_REJECTED", 1),
    "no-context": ("INVALID_REQUEST", 2),
}


@pytest.mark.parametrize(("model_name", "expected"), FAILURES.items(), indirect=["model_name"], ids=FAILURES)
def test_each_failure_of_the_provider_ends_the_job_with_its_code_and_no_post(
    garden: Garden, page_ids: list[int], model_server: ModelServer, log: pytest.LogCaptureFixture,
    expected: tuple[str, int],
) -> None:  # fmt: skip
    job = generated(garden, **ASKED)
    code, questions = expected
    kind = CATALOGUE[code]
    assert job.failure is not None
    shown = {name: job.failure[name] for name in ("code", "category", "retryable", "fix_required")}
    assert (job.status, job.attempt) == ("failed", 1)
    assert shown == {
        "code": code, "category": kind.category, "retryable": kind.retryable,
        "fix_required": kind.fix_required,
    }  # fmt: skip
    assert len(model_server.bodies) == questions
    assert count_posts() == 0
    assert_silent(job, model_server, log)
    check_history(job.id)


@with_model("429-short")
def test_a_short_wait_is_waited_and_recorded(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    assert job.status == "succeeded"
    assert "PROVIDER_RATE_LIMITED: try 2 of 3 after 1 s" in messages(job)


@pytest.mark.parametrize(
    ("model_name", "hint"),
    [
        ("429-long", "Retry the job tomorrow: answers that arrived are kept."),
        ("503-long", "Retry the job in 2 hours: answers that arrived are kept."),
        ("429", "Retry the job later: answers that arrived are kept."),
        ("503", "Retry the job: answers that arrived are kept."),
    ],
    indirect=["model_name"],
)
def test_the_advice_names_the_time_that_the_provider_asks_to_wait_and_no_other(
    garden: Garden, page_ids: list[int], hint: str
) -> None:
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["remediation_hints"][0] == hint


@with_model("500-once")
def test_a_call_that_is_tried_again_is_recorded_in_the_history(garden: Garden, page_ids: list[int]) -> None:
    job = generated(garden, **ASKED)
    assert job.status == "succeeded"
    assert any(message.startswith("PROVIDER_FAILED: try 2 of 3") for message in messages(job))


@with_model("no-schema")
def test_a_server_without_structured_output_writes_too_and_is_asked_for_it_once(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    assert post_of_job(job).engine == "llm"
    assert job.result is not None
    assert job.result["usage"]["calls"] == len(model_server.bodies) - 2
    assert len([each for each in messages(job) if "refused the form of the answer" in each]) == 2
    asked = [body.get("response_format", {}).get("type") for body in model_server.bodies]
    assert asked[:3] == ["json_schema", "json_object", None]
    assert len(asked) > 4
    assert set(asked[3:]) == {None}


@with_model("short-context")
def test_a_prompt_that_is_too_long_is_trimmed_once(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    assert any("half of the passages" in message for message in messages(job)), job.failure


@with_model("short-window")
def test_a_truncated_answer_is_requested_again_with_less_evidence(
    garden: Garden, page_ids: list[int]
) -> None:
    job = generated(garden, **ASKED)
    assert any(message.startswith("PROVIDER_FAILED, truncated: try 2 of 3") for message in messages(job))
    assert post_of_job(job).engine == "llm", job.failure


@pytest.mark.parametrize("model_name", ["wrong-schema", "broken-json", "truncated", "empty"], indirect=True)
def test_a_failed_job_reports_what_its_calls_took(garden: Garden, page_ids: list[int]) -> None:
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["details"]["usage"] == TAKEN


def test_answers_that_are_cut_or_filtered_count_as_those_that_are_used(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    def respond(asked: Exchange) -> None:
        if asked.number <= 2:
            asked.say('{"title": "A po', finish="length")
        elif asked.task == "revise sentences":
            asked.say("I'd rather", finish="content_filter")
        else:
            SCENARIOS["figures"](asked)

    model_server.respond = respond
    job = generated(garden, **ASKED)
    assert job.result is not None, job.failure
    assert "revise sentences" in model_server.tasks
    calls_made = len(model_server.bodies)
    taken = {"calls": calls_made, "prompt_tokens": 700 * calls_made, "completion_tokens": 300 * calls_made}
    assert job.result["usage"] == {**taken, "cost_usd": pytest.approx(0.002 * calls_made)}


def test_an_answer_that_breaks_off_is_counted_by_what_came_of_it(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = lambda asked: asked.stream(chunk(f"{HALF} and so on" * 9), "[DONE]")
    job = generated(garden, **ASKED)
    assert job.failure is not None
    took = job.failure["details"]["usage"]
    shown = sum(len(text) for text in model_server.prompts) / 4
    assert (took["calls"], took["cost_usd"]) == (3, None)
    assert took["prompt_tokens"] == pytest.approx(shown, rel=0.1)
    assert took["completion_tokens"] > 3


@with_model("wrong-schema")
def test_the_cost_of_the_model_is_reported_when_the_built_in_writer_takes_over(
    garden: Garden, page_ids: list[int]
) -> None:
    job = generated(garden, **ASKED, on_llm_failure="extractive")
    assert job.result is not None
    assert (job.result["engine"], job.result["usage"]) == ("extractive", TAKEN)


@with_model("500")
def test_the_built_in_writer_takes_over_when_asked_and_says_so(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED, on_llm_failure="extractive")
    assert job.status == "succeeded"
    post = post_of_job(job)
    warning = "The text provider did not return a usable answer, so the built-in writer wrote this post."
    assert post.engine == "extractive"
    assert job.result is not None
    assert job.result["engine"] == "extractive"
    assert warning in post.warnings
    assert warning in job.result["warnings"]
    assert warning in messages(job)


def test_a_limit_of_the_service_is_reported_when_the_built_in_writer_takes_over(
    garden: Garden, page_ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "MOST_CALLS", 2)
    post = post_of_job(generated(garden, **ASKED, on_llm_failure="extractive"))
    assert post.warnings[0] == (
        "The job used up the 2 calls to the text provider that it may make, so the built-in writer wrote "
        "this post."
    )


@with_model("503")
def test_the_built_in_writer_does_not_take_over_where_a_full_draft_is_asked_for(
    garden: Garden, page_ids: list[int]
) -> None:
    job = generated(garden, **ASKED, on_llm_failure="extractive", minimum_kind="full")
    assert job.failure is not None
    assert (job.failure["code"], job.failure["retryable"]) == ("PROVIDER_FAILED", True)


@pytest.mark.parametrize("model_name", ["hang", "slow"], indirect=True)
def test_the_job_ends_at_its_deadline(
    garden: Garden, page_ids: list[int], monkeypatch: pytest.MonkeyPatch, model_server: ModelServer
) -> None:
    monkeypatch.setattr("app.executions.limits.deadline", lambda _operation: 1.0)
    job = generated(garden, **ASKED)
    assert_failed(job, "JOB_TIMEOUT")
    assert job.failure is not None
    hints = " ".join(job.failure["remediation_hints"])
    assert "answers that arrived are kept" in hints
    assert "SYNC_DEADLINE" not in hints


@pytest.mark.thorough
@with_model("hang")
def test_a_call_that_takes_too_long_fails_the_job(
    garden: Garden, page_ids: list[int], monkeypatch: pytest.MonkeyPatch, model_server: ModelServer
) -> None:
    monkeypatch.setattr(calls, "CALL_SECONDS", 3)
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["code"] == "PROVIDER_TIMEOUT"
    assert_own_limit(job.failure)
    assert len(model_server.bodies) == 1


@pytest.mark.parametrize(
    ("limit", "most", "reason", "message"),
    [
        ("MOST_CALLS", 2, "call_limit", "used up the 2 calls"),
        ("MOST_TOKENS", 1500, "token_limit", "exceed the 1,500 tokens"),
    ],
)
def test_a_job_keeps_to_its_limits_and_says_what_to_change(
    garden: Garden, page_ids: list[int], monkeypatch: pytest.MonkeyPatch, model_server: ModelServer,
    limit: str, most: int, reason: str, message: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(calls, limit, most)
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["details"]["reason"] == reason
    assert message in job.failure["message"]
    assert_own_limit(job.failure)
    assert len(model_server.bodies) <= 2


@with_model("huge")
def test_an_answer_longer_than_any_post_is_reported_as_such(garden: Garden, page_ids: list[int]) -> None:
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["details"]["reason"] == "too_long"
    assert "longer than any post" in job.failure["message"]
    assert "LLM_MODEL" in " ".join(job.failure["remediation_hints"])


def assert_own_limit(failure: dict[str, Any]) -> None:
    """A limit of the service's own names what to change, and blames no provider."""
    hints = " ".join(failure["remediation_hints"])
    assert "target_words" in hints
    assert "outline" in hints
    assert "status" not in hints
    assert failure["message"] != CATALOGUE[failure["code"]].message
