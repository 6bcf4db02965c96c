"""OpenAI and every server that speaks its chat completions: OpenRouter, Ollama, vLLM, llama.cpp, Mistral."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import openai

from app.content.writing.providers.base import Message
from app.content.writing.providers.streamed import Answer, dollars, token_count
from app.content.writing.providers.streaming import StreamingProvider


class OpenAICompatibleProvider(StreamingProvider):
    """A model behind an OpenAI-compatible address; ``base_url`` None is OpenAI itself."""

    vendor: ClassVar[str] = "openai"
    sdk: ClassVar[Any] = openai
    error_code: ClassVar[str] = "code"
    client: ClassVar[Any] = openai.OpenAI

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

    def _stream(self, client: Any, messages: Sequence[Message], options: Mapping[str, Any]) -> Iterable[Any]:
        chunks: Iterable[Any] = client.chat.completions.create(
            model=self._model, messages=list(messages), stream=True, **options
        )
        return chunks

    def _answer(self) -> Answer:
        return ChatAnswer(self._model)


class ChatAnswer(Answer):
    """An answer in chunks of chat completions."""

    def add(self, chunk: Any) -> None:
        """Add the next chunk."""
        self.has_begun = True
        self._answered_by(chunk.model)
        if chunk.usage:
            self._prompt_tokens = token_count(chunk.usage, "prompt_tokens")
            self._completion_tokens = token_count(chunk.usage, "completion_tokens")
            self._cost_usd = dollars(chunk.usage, "cost")  # OpenRouter sends it
        for choice in chunk.choices or ():
            self._append(choice.delta.content or "")
            self.is_refused = self.is_refused or bool(getattr(choice.delta, "refusal", None))
            self.finish = choice.finish_reason or self.finish
