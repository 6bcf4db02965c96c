"""Anthropic's own API, by its official SDK."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final

import anthropic

from app.content.writing.providers.base import Message
from app.content.writing.providers.streamed import Answer, token_count
from app.content.writing.providers.streaming import StreamingProvider

_MOST_TOKENS: Final = 32_000
"""The limit of an answer, thinking included: each Claude since 4 allows it, the longest post needs less."""

_FINISHES: Final = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
_QUESTION_TOKENS: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicProvider(StreamingProvider):
    """A model behind Anthropic's Messages API; ``base_url`` None is Anthropic itself."""

    vendor: ClassVar[str] = "anthropic"
    sdk: ClassVar[Any] = anthropic
    error_code: ClassVar[str] = "error_code"
    # With an address and a key, the SDK reads neither from the environment. Prompts are never traced.
    default_url: ClassVar[str | None] = "https://api.anthropic.com"
    client: ClassVar[Any] = staticmethod(partial(anthropic.Anthropic, open_telemetry=False))

    def _options(self, schema: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
        """Return the schema as the format of the output, then plain text for models without formats."""
        if schema is None:
            return [{}]
        form = {"type": "json_schema", "schema": anthropic.transform_schema(dict(schema))}
        return [{"output_config": {"format": form}}, {}]

    def _stream(self, client: Any, messages: Sequence[Message], options: Mapping[str, Any]) -> Iterable[Any]:
        rules = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
        events: Iterable[Any] = client.messages.create(
            model=self._model,
            max_tokens=_MOST_TOKENS,
            stream=True,
            messages=[message for message in messages if message["role"] != "system"],
            **({"system": rules} if rules else {}),
            **options,
        )
        return events

    def _answer(self) -> Answer:
        return MessageAnswer(self._model)


class MessageAnswer(Answer):
    """An answer in events of the Messages API, without the model's thinking."""

    def add(self, chunk: Any) -> None:
        """Add the next event."""
        self.has_begun = True
        if chunk.type == "message_start":
            self._answered_by(chunk.message.model)
            counts = [token_count(chunk.message.usage, name) for name in _QUESTION_TOKENS]
            self._prompt_tokens = None if counts[0] is None else sum(count or 0 for count in counts)
        elif chunk.type == "content_block_delta" and chunk.delta.type == "text_delta":
            self._append(chunk.delta.text)
        elif chunk.type == "message_delta":
            # Only the end of a message has the final count, so an answer that is cut off has none.
            self._completion_tokens = token_count(chunk.usage, "output_tokens")
            self.finish = _FINISHES.get(chunk.delta.stop_reason)
