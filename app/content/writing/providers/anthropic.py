"""Anthropic's own API, by its official SDK."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

import anthropic

from app.content.writing.providers.base import Message
from app.content.writing.providers.connection import Connection
from app.content.writing.providers.refusals import Refused, refused, refused_amid
from app.content.writing.providers.streamed import Answer, token_count
from app.content.writing.providers.streaming import StreamingProvider

_ADDRESS: Final = "https://api.anthropic.com"
_MOST_TOKENS: Final = 32_000
"""What an answer may take, thinking included: each Claude since 4 allows it, the longest post needs less."""

_FINISHES: Final = {
    "end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length",
    "model_context_window_exceeded": "length", "refusal": "content_filter",
}  # fmt: skip
_QUESTION_TOKENS: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")

# At DEBUG they write down whole requests, prompts included.
for _chatty in ("anthropic", "httpx2", "httpcore2"):
    logging.getLogger(_chatty).setLevel(logging.WARNING)


class AnthropicProvider(StreamingProvider):
    """A model behind Anthropic's Messages API; ``base_url`` None is Anthropic itself."""

    vendor: ClassVar[str] = "anthropic"

    def _options(self, schema: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
        """Return the schema as the format of the output, then plain text: older models know no format."""
        if schema is None:
            return [{}]
        form = {"type": "json_schema", "schema": anthropic.transform_schema(dict(schema))}
        return [{"output_config": {"format": form}}, {}]

    def _client(self, connection: Connection, seconds: float) -> anthropic.Anthropic:
        # Given both, the SDK looks for neither in the environment; no traces are made of prompts.
        return anthropic.Anthropic(
            base_url=self._base_url or _ADDRESS, api_key=self._api_key or "none", timeout=seconds,
            max_retries=0, open_telemetry=False,
            http_client=anthropic.DefaultHttpxClient(event_hooks=connection.hooks),
        )  # fmt: skip

    def _stream(self, client: Any, messages: Sequence[Message], options: Mapping[str, Any]) -> Iterable[Any]:
        rules = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
        events: Iterable[Any] = client.messages.create(
            model=self._model, max_tokens=_MOST_TOKENS, stream=True,
            messages=[message for message in messages if message["role"] != "system"],
            **({"system": rules} if rules else {}), **options,
        )  # fmt: skip
        return events

    def _answer(self) -> Answer:
        return MessageAnswer(self._model)

    def _refused(self, error: Exception) -> Refused | None:
        if isinstance(error, anthropic.APITimeoutError):
            return Refused("PROVIDER_TIMEOUT")
        if not isinstance(error, anthropic.APIStatusError):
            return None
        names = (str(error.error_code), str(error.type))
        if error.status_code == 200:
            return refused_amid(names, error.message)
        return refused(error.status_code, names, error.message, error.response.headers)


class MessageAnswer(Answer):
    """An answer in events of the Messages API; what the model thinks is no part of it."""

    def add(self, chunk: Any) -> None:
        """Take in the next event."""
        self.has_begun = True
        if chunk.type == "message_start":
            self._answered_by(chunk.message.model)
            counts = [token_count(chunk.message.usage, name) for name in _QUESTION_TOKENS]
            self._prompt_tokens = None if counts[0] is None else sum(count or 0 for count in counts)
        elif chunk.type == "content_block_delta" and chunk.delta.type == "text_delta":
            self._append(chunk.delta.text)
        elif chunk.type == "message_delta":
            # The count at the start of a message is not that of its end: an answer that is left has none.
            self._completion_tokens = token_count(chunk.usage, "output_tokens")
            self.finish = _FINISHES.get(chunk.delta.stop_reason)
