"""The provider against a small OpenAI-compatible server on loopback."""

from __future__ import annotations

import time
from typing import Any

import pytest

from app.content.writing.providers.openai_compatible import OpenAICompatibleProvider
from app.failures import ServiceFailure
from tests.support.chat import PROMPT, SCHEMA, ask, refusal, refuses, says, streams
from tests.support.model_exchange import Exchange, chunk
from tests.support.model_scenarios import drop
from tests.support.model_server import KEY, ModelServer


@pytest.fixture
def server(model_server: ModelServer) -> ModelServer:
    model_server.respond = says("Hello there.")
    return model_server


def test_a_streamed_answer_comes_back_whole_with_its_usage(server: ModelServer) -> None:
    server.respond = says("Hello ", "there.")
    completion = ask(server)
    assert (completion.text, completion.prompt_tokens, completion.completion_tokens) == ("Hello there.", 7, 3)
    assert (completion.model, completion.cost_usd) == ("tiny-1", 0.25)
    assert server.bodies[0]["stream"] is True
    assert server.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("status", "error_code", "expected"),
    [
        (401, None, "PROVIDER_AUTH"),
        (403, None, "PROVIDER_AUTH"),
        (402, None, "PROVIDER_CREDIT_EXHAUSTED"),
        (404, "model_not_found", "PROVIDER_REJECTED"),
        (400, None, "PROVIDER_REJECTED"),
        (400, "invalid_api_key", "PROVIDER_AUTH"),
        (400, "rate_limit_exceeded", "PROVIDER_RATE_LIMITED"),
        (422, None, "PROVIDER_REJECTED"),
        (400, "content_policy_violation", "CONTENT_REJECTED"),
        (429, None, "PROVIDER_RATE_LIMITED"),
        (429, "insufficient_quota", "PROVIDER_CREDIT_EXHAUSTED"),
        (403, "insufficient_quota", "PROVIDER_CREDIT_EXHAUSTED"),
        (429, "billing_not_active", "PROVIDER_CREDIT_EXHAUSTED"),
        (429, "credit_balance_exhausted", "PROVIDER_CREDIT_EXHAUSTED"),
        (429, "organization_spend_limit_exceeded", "PROVIDER_CREDIT_EXHAUSTED"),
        (429, "organization_usage_limit_exceeded", "PROVIDER_CREDIT_EXHAUSTED"),
        (429, "project_spend_limit_exceeded", "PROVIDER_CREDIT_EXHAUSTED"),
        (500, None, "PROVIDER_FAILED"),
        (503, None, "PROVIDER_FAILED"),
    ],
)
def test_each_refusal_of_the_provider_has_its_code(
    server: ModelServer, status: int, error_code: str | None, expected: str
) -> None:
    server.respond = refuses(status, error_code)
    assert refusal(server).failure.code == expected


@pytest.mark.parametrize(
    ("status", "error_code", "message"),
    [
        (500, None, "no"),
        (400, "invalid_api_key", "no"),
        (400, "model_not_found", "no"),
        (400, None, "API key not valid. Please pass a valid API key."),
    ],
)
def test_a_refusal_of_no_parameter_is_not_tried_again_behind_the_callers_back(
    server: ModelServer, status: int, error_code: str | None, message: str
) -> None:
    server.respond = refuses(status, error_code, message)
    refusal(server, schema=SCHEMA)
    assert len(server.bodies) == 1


def test_a_key_that_gemini_refuses_with_400_is_a_refused_key(server: ModelServer) -> None:
    server.respond = refuses(400, message="API key not valid. Please pass a valid API key.")
    assert refusal(server, schema=SCHEMA).failure.code == "PROVIDER_AUTH"


def test_a_rate_limit_reports_how_long_to_wait(server: ModelServer) -> None:
    server.respond = refuses(429, Retry_After="17")
    details = refusal(server).failure.details
    assert details is not None
    assert details["retry_after_seconds"] == 17


def test_a_busy_provider_may_send_its_time_as_a_date(server: ModelServer) -> None:
    server.respond = refuses(503, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")
    details = refusal(server).failure.details
    assert details is not None
    assert details["retry_after_seconds"] == 0


def test_an_answer_without_end_is_left(server: ModelServer) -> None:
    server.respond = streams(*[chunk("more " * 2000)] * 50)
    details = refusal(server).failure.details
    assert details is not None
    assert details["reason"] == "too_long"


def test_a_connection_that_ends_amid_an_answer_is_a_failed_provider(server: ModelServer) -> None:
    server.respond = drop
    found = refusal(server).failure
    assert found.details is not None
    assert (found.code, found.details["reason"]) == ("PROVIDER_FAILED", "connection")


def test_messages_that_are_too_long_are_recognised(server: ModelServer) -> None:
    server.respond = refuses(400, message="This model's maximum context length is 8192 tokens")
    details = refusal(server).failure.details
    assert details is not None
    assert details["reason"] == "context_length"


def test_no_failure_contains_the_key_or_the_prompt(server: ModelServer) -> None:
    server.respond = refuses(401)
    caught = refusal(server)
    shown = f"{caught} {caught.failure.to_dict()} {caught.__cause__!r}"
    assert KEY not in shown
    assert PROMPT not in shown


def test_a_server_that_hangs_is_left_at_the_deadline(server: ModelServer) -> None:
    server.respond = Exchange.hang
    began = time.monotonic()
    assert refusal(server, seconds=0.3).failure.code == "PROVIDER_TIMEOUT"
    assert time.monotonic() - began < 3


def test_a_stopped_call_ends_as_canceled(server: ModelServer) -> None:
    server.respond = Exchange.hang
    assert refusal(server, stop=True, seconds=1).failure.code == "CANCELED"


def test_a_server_that_is_not_there_is_a_failed_provider(server: ModelServer) -> None:
    provider = OpenAICompatibleProvider(base_url="http://127.0.0.1:1/v1", api_key=None, model="tiny")
    with pytest.raises(ServiceFailure) as caught:
        provider.complete(
            [],
            schema=None,
            deadline=time.monotonic() + 5,
            should_stop=lambda: False,
            note=lambda _: None,
        )
    assert caught.value.failure.code == "PROVIDER_FAILED"


@pytest.mark.parametrize(
    "events",
    [
        ("{broken",),
        ("[DONE]",),
        (chunk("Half an ans"),),
        ('{"error": {"message": "overloaded"}}',),
        ('"text"',),
        (chunk([{"type": "text", "text": "Half"}]),),
    ],
)
def test_a_broken_stream_is_a_failed_provider(server: ModelServer, events: tuple[Any, ...]) -> None:
    server.respond = streams(*events)
    assert refusal(server).failure.code == "PROVIDER_FAILED"


def test_an_answer_cut_by_its_length_is_a_failed_provider(server: ModelServer) -> None:
    server.respond = says("Half an", finish="length")
    assert refusal(server).failure.code == "PROVIDER_FAILED"


def test_a_content_filter_and_a_refusal_are_rejected_content(server: ModelServer) -> None:
    server.respond = says("", finish="content_filter")
    assert refusal(server).failure.code == "CONTENT_REJECTED"
    server.respond = streams(chunk(refusal="I can not."), chunk(finish="stop"), "[DONE]")
    assert refusal(server).failure.code == "CONTENT_REJECTED"


@pytest.mark.parametrize(
    "text", ['<think>What is {a}?</think>\n{"a": 1}', 'Here it is:\n{"a": 1}\nDone.', '```\n{"a": 1}\n```']
)
def test_words_around_the_json_are_left_out(server: ModelServer, text: str) -> None:
    server.respond = says(text)
    assert ask(server, schema=SCHEMA).text == '{"a": 1}'


def test_an_answer_that_should_be_json_and_is_not_is_a_failed_provider(server: ModelServer) -> None:
    server.respond = says('{"a": ')
    assert refusal(server, schema=SCHEMA).failure.code == "PROVIDER_FAILED"


def test_an_answer_nested_without_end_is_a_failed_provider(server: ModelServer) -> None:
    server.respond = says("[" * 50_000)
    found = refusal(server, schema=SCHEMA).failure
    assert found.details is not None
    assert (found.code, found.details["reason"]) == ("PROVIDER_FAILED", "broken_output")


@pytest.mark.parametrize("shown", ["7", -7, 7.5, True, [7], 10**400])
def test_odd_counts_and_an_odd_model_are_not_taken_over(server: ModelServer, shown: Any) -> None:
    usage = {"prompt_tokens": shown, "completion_tokens": shown, "cost": [shown]}
    last = {**chunk(), "model": {"name": shown}, "choices": [], "usage": usage}
    server.respond = streams(chunk("Hello."), chunk(finish="stop"), last, "[DONE]")
    found = ask(server)
    assert (found.prompt_tokens, found.completion_tokens, found.cost_usd) == (None, None, None)
    assert found.model == "tiny-1"
