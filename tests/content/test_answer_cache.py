"""Which questions are the same question."""

from __future__ import annotations

from typing import Any

from app.content.writing.llm.questions import digest_of
from app.content.writing.providers.openai_compatible import OpenAICompatibleProvider

ASKED: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}], "schema": {"type": "object"}}


def digest(url: str = "http://a.example/v1", model: str = "tiny", **changed: Any) -> str:
    provider = OpenAICompatibleProvider(base_url=url, api_key="sk-1", model=model)
    return digest_of(provider, **{**ASKED, **changed})


def test_the_same_question_has_the_same_digest() -> None:
    assert digest() == digest()


def test_another_provider_model_message_or_shape_is_another_question() -> None:
    others = [
        digest(url="http://b.example/v1"),
        digest(model="small"),
        digest(messages=[{"role": "user", "content": "Hello!"}]),
        digest(schema={"type": "array"}),
    ]
    assert len({digest(), *others}) == 5
