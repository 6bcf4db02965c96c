"""OpenAI and every server that speaks its chat completions: OpenRouter, Ollama, vLLM, llama.cpp, Mistral."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import openai

from app.content.writing.providers.base import Message
from app.content.writing.providers.connection import Connection
from app.content.writing.providers.refusals import Refused, refused, refused_amid
from app.content.writing.providers.streamed import Answer, dollars, token_count
from app.content.writing.providers.streaming import StreamingProvider

# At DEBUG they write down whole requests, prompts included.
for _chatty in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
    logging.getLogger(_chatty).setLevel(logging.WARNING)


class OpenAICompatibleProvider(StreamingProvider):
    """A model behind an OpenAI-compatible address; ``base_url`` None is OpenAI itself."""

    vendor: ClassVar[str] = "openai"

    def _options(self, schema: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
        """Return json_schema, json_object, plain text, plain text without usage."""
        usage = {"stream_options": {"include_usage": True}}
        if schema is None:
            return [usage, {}]
        named = {"name": "answer", "schema": dict(schema), "strict": True}
        return [
            {**usage, "response_format": {"type": "json_schema", "json_schema": named}},
            {**usage, "response_format": {"type": "json_object"}},
            usage,
            {},
        ]

    def _client(self, connection: Connection, seconds: float) -> openai.OpenAI:
        return openai.OpenAI(
            base_url=self._base_url, api_key=self._api_key or "none", timeout=seconds, max_retries=0,
            http_client=openai.DefaultHttpxClient(event_hooks=connection.hooks),
        )  # fmt: skip

    def _stream(self, client: Any, messages: Sequence[Message], options: Mapping[str, Any]) -> Iterable[Any]:
        chunks: Iterable[Any] = client.chat.completions.create(
            model=self._model, messages=list(messages), stream=True, **options
        )
        return chunks

    def _answer(self) -> Answer:
        return ChatAnswer(self._model)

    def _refused(self, error: Exception) -> Refused | None:
        if isinstance(error, openai.APITimeoutError):
            return Refused("PROVIDER_TIMEOUT")
        if not isinstance(error, openai.APIError):
            return None
        # Servers use the type for codes too, and numbers.
        names = (str(error.code), str(error.type))
        if isinstance(error, openai.APIStatusError):
            return refused(error.status_code, names, error.message, error.response.headers)
        # llama.cpp, vLLM and OpenRouter send errors as events of a stream.
        return refused_amid(names, error.message) if isinstance(error.body, Mapping) else None


class ChatAnswer(Answer):
    """An answer in chunks of chat completions."""

    def add(self, chunk: Any) -> None:
        """Take in the next chunk."""
        self.has_begun = True
        self._answered_by(chunk.model)
        if chunk.usage:
            self._prompt_tokens = token_count(chunk.usage, "prompt_tokens")
            self._completion_tokens = token_count(chunk.usage, "completion_tokens")
            self._cost_usd = dollars(chunk.usage, "cost")  # as OpenRouter tells it
        for choice in chunk.choices or ():
            self._append(choice.delta.content or "")
            self.is_refused = self.is_refused or bool(getattr(choice.delta, "refusal", None))
            self.finish = choice.finish_reason or self.finish
