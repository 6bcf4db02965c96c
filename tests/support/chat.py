"""Questions to the provider of OpenAI's API, and ways in which its server answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from app.content.writing.providers.openai_compatible import OpenAICompatibleProvider
from app.failures import ServiceFailure
from tests.support.model_exchange import Exchange, chunk
from tests.support.model_server import KEY, ModelServer

PROMPT = "the secret prompt"
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


Respond = Callable[[Exchange], None]


def streams(*events: dict[str, Any] | str) -> Respond:
    return lambda asked: asked.stream(*events)


def says(*parts: str, finish: str = "stop") -> Respond:
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10, "cost": 0.25}
    last = {**chunk(), "choices": [], "usage": usage}
    return streams(*map(chunk, parts), chunk(finish=finish), last, "[DONE]")


def refuses(status: int, code: str | None = None, message: str = "no", **headers: str) -> Respond:
    return lambda asked: asked.refuse(status, code, message, **headers)


def ask(
    server: ModelServer, *, schema: dict[str, Any] | None = None, seconds: float = 5.0, stop: bool = False
) -> Any:
    provider = OpenAICompatibleProvider(base_url=server.url, api_key=KEY, model="tiny")
    return provider.complete(
        [{"role": "user", "content": PROMPT}],
        schema=schema,
        deadline=time.monotonic() + seconds,
        should_stop=lambda: stop,
        note=lambda _: None,
    )


def refusal(server: ModelServer, **options: Any) -> ServiceFailure:
    with pytest.raises(ServiceFailure) as caught:
        ask(server, **options)
    return caught.value
