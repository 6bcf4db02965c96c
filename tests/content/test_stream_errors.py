"""What the provider makes of errors that arrive amid a stream, and of those of moderation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.chat import PROMPT, refusal, streams
from tests.support.model_exchange import chunk
from tests.support.model_server import ModelServer


@pytest.fixture
def server(model_server: ModelServer) -> ModelServer:
    return model_server


def error_event(**members: Any) -> str:
    return json.dumps({"error": {"message": "The model's output does not match", **members}})


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"code": 500, "type": "server_error"}, ("PROVIDER_FAILED", "server_error")),
        ({"code": "server_error"}, ("PROVIDER_FAILED", "server_error")),
        ({"code": {"a": 1}}, ("PROVIDER_FAILED", "server_error")),
        ({"code": 401}, ("PROVIDER_AUTH", "key_refused")),
        ({"code": 402}, ("PROVIDER_CREDIT_EXHAUSTED", "credit_exhausted")),
        ({"code": 429}, ("PROVIDER_RATE_LIMITED", "rate_limit")),
        ({"code": 400}, ("PROVIDER_REJECTED", "request_refused")),
        ({"code": "content_filter"}, ("CONTENT_REJECTED", "content_filter")),
        ({"code": "insufficient_quota"}, ("PROVIDER_CREDIT_EXHAUSTED", "credit_exhausted")),
        ({"code": "rate_limit_exceeded", "type": "tokens"}, ("PROVIDER_RATE_LIMITED", "rate_limit")),
        ({"code": "invalid_api_key", "type": "invalid_request_error"}, ("PROVIDER_AUTH", "key_refused")),
        ({"type": "authentication_error"}, ("PROVIDER_AUTH", "key_refused")),
        ({"code": 400, "type": "exceed_context_size_error"}, ("PROVIDER_REJECTED", "context_length")),
    ],
)
def test_an_error_amid_a_stream_has_the_code_that_a_refusal_has_and_its_meaning_as_the_reason(
    server: ModelServer, members: dict[str, Any], expected: tuple[str, str]
) -> None:
    server.respond = streams(chunk("Half an"), error_event(**members))
    found = refusal(server).failure
    code, reason = expected
    assert found.code == code
    assert found.details == {"provider": "127.0.0.1", "model": "tiny", "reason": reason}


def test_an_error_that_is_a_text_is_no_lost_connection(server: ModelServer) -> None:
    server.respond = streams(chunk("Half an"), json.dumps({"error": f"Overloaded: {PROMPT}"}))
    found = refusal(server).failure
    assert found.code == "PROVIDER_FAILED"
    assert found.details == {"provider": "127.0.0.1", "model": "tiny", "reason": "server_error"}


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"reasons": ["violence"], "flagged_input": PROMPT, "provider_name": "OpenAI"}, "CONTENT_REJECTED"),
        ({"reasons": []}, "PROVIDER_AUTH"),
        ({"provider_name": "OpenAI"}, "PROVIDER_AUTH"),
        ("reasons", "PROVIDER_AUTH"),
    ],
)
def test_a_403_of_openrouters_moderation_is_rejected_content_and_no_refused_key(
    server: ModelServer, metadata: Any, expected: str
) -> None:
    error = {"code": 403, "message": f"Your input was flagged: {PROMPT}", "metadata": metadata}
    server.respond = lambda asked: asked.refuse_with(403, error)
    before = refusal(server)
    server.respond = streams(chunk("Half an"), json.dumps({"error": error}))
    amid = refusal(server)
    assert (before.failure.code, amid.failure.code) == (expected, expected)
    assert PROMPT not in f"{before.failure.to_dict()} {amid.failure.to_dict()}"
