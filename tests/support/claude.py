"""Questions to the provider of Anthropic's API, and ways in which its server answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from app.content.writing.providers.anthropic import AnthropicProvider
from app.content.writing.providers.base import Message
from app.failures import ServiceFailure
from tests.support.messages_exchange import begin, end, piece

PROMPT = "the secret prompt"
RULES = "the secret rules"
MESSAGES: list[Message] = [{"role": "system", "content": RULES}, {"role": "user", "content": PROMPT}]
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}

Respond = Callable[[Any], None]


def streams(*events: dict[str, Any] | str) -> Respond:
    return lambda asked: asked.stream(*events)


def says(*parts: str) -> Respond:
    return streams(begin(), *map(piece, parts), *end())


def refuses(status: int, code: str | None = None, message: str = "no", **headers: str) -> Respond:
    return lambda asked: asked.refuse(status, code, message, **headers)


def begins_and_hangs(asked: Any) -> None:
    asked.stream(begin(), piece("Half an"))
    asked.hang()


def ask(
    provider: AnthropicProvider,
    *,
    schema: dict[str, Any] | None = None,
    seconds: float = 5.0,
    should_stop: Callable[[], bool] = lambda: False,
) -> Any:
    return provider.complete(
        MESSAGES,
        schema=schema,
        deadline=time.monotonic() + seconds,
        should_stop=should_stop,
        note=lambda _: None,
    )


def refusal(provider: AnthropicProvider, **options: Any) -> ServiceFailure:
    with pytest.raises(ServiceFailure) as caught:
        ask(provider, **options)
    return caught.value


def kind(provider: AnthropicProvider, **options: Any) -> tuple[str, Any]:
    """The code of the failure and its reason."""
    failure = refusal(provider, **options).failure
    return failure.code, (failure.details or {}).get("reason")
