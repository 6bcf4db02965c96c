"""The provider for Anthropic's own API against a small server of it on loopback."""

from __future__ import annotations

import logging
import time
from typing import Any

import pytest

from app.content.writing.providers.anthropic import AnthropicProvider
from app.content.writing.providers.base import LostAnswer
from tests.support.claude import (
    PROMPT,
    RULES,
    SCHEMA,
    Respond,
    ask,
    begins_and_hangs,
    refusal,
    refuses,
    says,
    streams,
)
from tests.support.messages_exchange import MODEL, begin, end, failed, piece
from tests.support.model_exchange import Exchange
from tests.support.model_server import KEY, ModelServer


@pytest.fixture
def server(model_server: ModelServer) -> ModelServer:
    model_server.respond = says("Hello there.")
    return model_server


@pytest.fixture
def provider(server: ModelServer) -> AnthropicProvider:
    return AnthropicProvider(base_url=server.messages_url, api_key=KEY, model="claude-tiny-4-5")


def test_a_streamed_answer_comes_back_whole_with_its_usage(
    server: ModelServer, provider: AnthropicProvider
) -> None:
    server.respond = says("Hello ", "there.")
    completion = ask(provider)
    assert (completion.text, completion.prompt_tokens, completion.completion_tokens) == (
        "Hello there.", 700, 300
    )  # fmt: skip
    assert (completion.model, completion.cost_usd) == (MODEL, None)
    assert server.keys == [f"Bearer {KEY}"]


def test_the_rules_are_asked_as_the_system_prompt(server: ModelServer, provider: AnthropicProvider) -> None:
    ask(provider)
    body = server.bodies[0]
    assert body["system"] == RULES
    assert body["messages"] == [{"role": "user", "content": PROMPT}]
    assert (body["model"], body["stream"], body["max_tokens"]) == ("claude-tiny-4-5", True, 32_000)


def test_the_tokens_of_a_cached_question_are_counted_too(
    server: ModelServer, provider: AnthropicProvider
) -> None:
    first = begin(cache_creation_input_tokens=40, cache_read_input_tokens=2)
    server.respond = streams(first, piece("Hello."), *end())
    assert ask(provider).prompt_tokens == 742


def test_thoughts_are_no_part_of_an_answer(server: ModelServer, provider: AnthropicProvider) -> None:
    server.respond = streams(begin(), piece("Who asks?", "thinking"), piece("Hello."), *end())
    assert ask(provider).text == "Hello."


def test_structured_output_is_asked_for_with_the_schema(
    server: ModelServer, provider: AnthropicProvider
) -> None:
    server.respond = says('{"a": 1}')
    assert ask(provider, schema=SCHEMA).text == '{"a": 1}'
    asked = server.bodies[0]["output_config"]["format"]
    assert asked == {"type": "json_schema", "schema": {**SCHEMA, "additionalProperties": False}}


def test_a_model_without_structured_output_is_asked_in_plain_words_from_then_on(
    server: ModelServer, provider: AnthropicProvider
) -> None:
    def respond(asked: Exchange) -> None:
        if "output_config" in asked.body:
            asked.refuse(400, message="output_config: this model does not support it")
        else:
            asked.say('```json\n{"a": 1}\n```')

    server.respond = respond
    assert [ask(provider, schema=SCHEMA).text for _ in range(2)] == ['{"a": 1}'] * 2
    assert ["output_config" in body for body in server.bodies] == [True, False, False]


@pytest.mark.parametrize("count", [-7, 7.5, [7], None])
def test_odd_counts_are_not_taken_over(server: ModelServer, provider: AnthropicProvider, count: Any) -> None:
    server.respond = streams(begin(input_tokens=count), piece("Hello."), *end(output_tokens=count))
    found = ask(provider)
    assert (found.prompt_tokens, found.completion_tokens) == (None, None)


def test_a_server_that_hangs_is_left_at_the_deadline(
    server: ModelServer, provider: AnthropicProvider
) -> None:
    server.respond = Exchange.hang
    began = time.monotonic()
    assert refusal(provider, seconds=0.3).failure.code == "PROVIDER_TIMEOUT"
    assert time.monotonic() - began < 3
    assert server.hung_up.wait(30)


def test_an_answer_that_is_left_at_the_deadline_is_counted_as_far_as_it_is_known(
    server: ModelServer, provider: AnthropicProvider
) -> None:
    server.respond = begins_and_hangs
    found = refusal(provider, seconds=1.5)
    assert isinstance(found, LostAnswer)
    lost = found.completion
    assert found.failure.code == "PROVIDER_TIMEOUT"
    assert (lost.text, lost.prompt_tokens, lost.completion_tokens) == ("Half an", 700, None)


def test_a_canceled_call_closes_its_connection_within_5_seconds(
    server: ModelServer, provider: AnthropicProvider
) -> None:
    server.respond = begins_and_hangs
    began = time.monotonic()
    found = refusal(provider, seconds=60, should_stop=server.asked.is_set)
    assert found.failure.code == "CANCELED"
    assert server.hung_up.wait(30)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "respond",
    [
        refuses(400), refuses(401), refuses(429), refuses(500), begins_and_hangs,
        streams(begin(), failed("api_error", f"{KEY} {PROMPT} {RULES}")), streams(begin(), piece("Half an")),
    ],
)  # fmt: skip
def test_no_failure_log_or_repr_contains_the_key_or_the_prompt(
    server: ModelServer, provider: AnthropicProvider, respond: Respond, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.respond = respond
    found = refusal(provider, seconds=0.5)
    records = [f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records]
    shown = f"{found!r} {found.failure} {found.failure.to_dict()} {found.__cause__!r} {found.__context__!r}"
    everything = "\n".join([shown, repr(provider), str(vars(found)), *records])
    assert not [secret for secret in (KEY, PROMPT, RULES) if secret in everything]
