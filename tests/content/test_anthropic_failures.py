"""What the provider makes of refusals, broken answers and lost connections of Anthropic's API."""

from __future__ import annotations

from typing import Any

import pytest

from app.content.writing.providers.anthropic import AnthropicProvider
from app.content.writing.providers.base import LostAnswer
from tests.support.claude import ask, kind, refusal, refuses, streams
from tests.support.messages_exchange import begin, end, failed, piece
from tests.support.model_exchange import Exchange
from tests.support.model_server import KEY, ModelServer


@pytest.fixture
def server(model_server: ModelServer) -> ModelServer:
    return model_server


@pytest.fixture
def provider(server: ModelServer) -> AnthropicProvider:
    return AnthropicProvider(base_url=server.messages_url, api_key=KEY, model="claude-tiny-4-5")


@pytest.mark.parametrize(
    ("status", "message", "expected"),
    [
        (400, "no", ("PROVIDER_REJECTED", None)),
        (400, "prompt is too long: 345320 tokens > 199999 maximum", ("PROVIDER_REJECTED", "context_length")),
        (
            400,
            "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
            ("PROVIDER_REJECTED", "context_length"),
        ),
        (400, "Your credit balance is too low to access the API.", ("PROVIDER_CREDIT_EXHAUSTED", None)),
        (
            400,
            "You have reached your specified API usage limits. You will regain access on 2026-04-01.",
            ("PROVIDER_CREDIT_EXHAUSTED", None),
        ),
        (
            400,
            "You have reached your specified workspace API usage limits.",
            ("PROVIDER_CREDIT_EXHAUSTED", None),
        ),
        (400, "Output blocked by content filtering policy", ("CONTENT_REJECTED", None)),
        (401, "invalid x-api-key", ("PROVIDER_AUTH", None)),
        (402, "no", ("PROVIDER_CREDIT_EXHAUSTED", None)),
        (403, "no", ("PROVIDER_AUTH", None)),
        (404, "model: claude-none", ("PROVIDER_REJECTED", None)),
        (413, "Request exceeds the maximum size", ("PROVIDER_REJECTED", "context_length")),
        (422, "no", ("PROVIDER_REJECTED", None)),
        (429, "no", ("PROVIDER_RATE_LIMITED", None)),
        (500, "Internal server error", ("PROVIDER_FAILED", None)),
        (503, "no", ("PROVIDER_FAILED", None)),
        (529, "Overloaded", ("PROVIDER_FAILED", None)),
    ],
)
def test_each_refusal_has_its_code_and_is_not_tried_again(
    server: ModelServer,
    provider: AnthropicProvider,
    status: int,
    message: str,
    expected: tuple[str, str | None],
) -> None:
    server.respond = refuses(status, message=message)
    assert kind(provider) == expected
    assert len(server.bodies) == 1


def test_a_spend_limit_is_an_exhausted_credit_and_no_rate_limit(
    server: ModelServer, provider: AnthropicProvider
) -> None:
    server.respond = refuses(429, "enforced_spend_limit_reached")
    assert kind(provider) == ("PROVIDER_CREDIT_EXHAUSTED", None)


@pytest.mark.parametrize("status", [429, 529])
def test_a_busy_provider_says_how_long_to_wait(
    server: ModelServer, provider: AnthropicProvider, status: int
) -> None:
    server.respond = refuses(status, Retry_After="17")
    details = refusal(provider).failure.details
    assert details is not None
    assert (details["http_status"], details["retry_after_seconds"]) == (status, 17)


@pytest.mark.parametrize(
    ("error", "message", "expected"),
    [
        ("overloaded_error", "Overloaded", ("PROVIDER_FAILED", "server_error")),
        ("api_error", "no", ("PROVIDER_FAILED", "server_error")),
        ("rate_limit_error", "no", ("PROVIDER_RATE_LIMITED", "rate_limit")),
        ("authentication_error", "no", ("PROVIDER_AUTH", "key_refused")),
        ("billing_error", "no", ("PROVIDER_CREDIT_EXHAUSTED", "credit_exhausted")),
        ("request_too_large", "no", ("PROVIDER_REJECTED", "context_length")),
        ("invalid_request_error", "prompt is too long", ("PROVIDER_REJECTED", "context_length")),
    ],
)
def test_an_error_amid_a_stream_has_the_code_that_a_refusal_has(
    server: ModelServer,
    provider: AnthropicProvider,
    error: str,
    message: str,
    expected: tuple[str, str | None],
) -> None:
    server.respond = streams(begin(), piece("Half an"), failed(error, message))
    assert kind(provider) == expected


@pytest.mark.parametrize(
    ("stop_reason", "expected"),
    [
        ("max_tokens", ("PROVIDER_FAILED", "truncated")),
        ("model_context_window_exceeded", ("PROVIDER_FAILED", "truncated")),
        ("refusal", ("CONTENT_REJECTED", None)),
        ("tool_use", ("PROVIDER_FAILED", "broken_output")),
    ],
)
def test_an_incomplete_answer_fails_and_is_counted(
    server: ModelServer, provider: AnthropicProvider, stop_reason: str, expected: tuple[str, str | None]
) -> None:
    server.respond = streams(begin(), piece("Half an"), *end(stop_reason, output_tokens=12))
    with pytest.raises(LostAnswer) as caught:
        ask(provider)
    failure, lost = caught.value.failure, caught.value.completion
    assert (failure.code, (failure.details or {}).get("reason")) == expected
    assert (lost.prompt_tokens, lost.completion_tokens, lost.text) == (700, 12, "Half an")


@pytest.mark.parametrize(
    "events",
    [
        (),
        ("{broken",),
        ("[]",),
        (begin(), piece("Half an")),
        (begin(), piece(["Half"]), *end()),
        ({"type": "message_start"},),
        (begin(), {"type": "content_block_delta"}),
        (begin(), *end()),
    ],
)
def test_a_broken_stream_is_a_failed_provider(
    server: ModelServer, provider: AnthropicProvider, events: tuple[Any, ...]
) -> None:
    server.respond = streams(*events)
    assert kind(provider) == ("PROVIDER_FAILED", "broken_output")


def test_a_connection_that_ends_amid_an_answer_is_a_failed_provider(
    server: ModelServer, provider: AnthropicProvider
) -> None:
    def drop(asked: Exchange) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        asked.handler.wfile.write(head + b"ff\r\nevent: message_start\r\n")
        asked.handler.close_connection = True

    server.respond = drop
    assert kind(provider) == ("PROVIDER_FAILED", "connection")


def test_a_server_that_is_not_there_is_a_failed_provider() -> None:
    provider = AnthropicProvider(base_url="http://127.0.0.1:1", api_key=None, model="claude-tiny-4-5")
    assert kind(provider) == ("PROVIDER_FAILED", "connection")
