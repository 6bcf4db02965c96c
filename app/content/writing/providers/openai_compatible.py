"""OpenAI and every server that speaks its chat completions: OpenRouter, Ollama, vLLM, llama.cpp, Mistral.

The SDK's timeout is per read and its stream cannot be left while it waits, so a thread of its own reads the
stream and the caller watches the deadline and the stop signal. The SDK's own retries are off.
"""

from __future__ import annotations

import json
import logging
import math
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

import openai

from app.content.writing.providers.base import Completion, LostAnswer, Message
from app.content.writing.providers.refusals import is_refused_parameter, meaning, status_amid
from app.content.writing.providers.streamed import Answer
from app.failures import ServiceFailure
from app.infra.retry_after import retry_after_seconds

_POLL_SECONDS: Final = 0.5
_FENCE: Final = re.compile(r"^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$", re.DOTALL)
_THOUGHTS: Final = re.compile(r"^\s*<think>.*?</think>\s*", re.DOTALL)
_OPENED: Final = (".connect_tcp.complete", ".start_tls.complete")
_END: Final = object()
_LONGEST_ANSWER: Final = 100_000
"""Characters after which an answer is left: the longest post has a fifth of that."""

# At DEBUG they write down whole requests, prompts included.
for _chatty in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
    logging.getLogger(_chatty).setLevel(logging.WARNING)


class OpenAICompatibleProvider:
    """A model behind an OpenAI-compatible address; ``base_url`` None is OpenAI itself."""

    def __init__(self, *, base_url: str | None, api_key: str | None, model: str) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._model = model
        self._rung = 0

    @property
    def name(self) -> str:
        """The host asked."""
        return urlsplit(self._base_url).hostname or "openai" if self._base_url else "openai"

    @property
    def model(self) -> str:
        """The model that is asked for."""
        return self._model

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        deadline: float,
        should_stop: Callable[[], bool],
    ) -> Completion:
        """Return the answer; a server that refuses a parameter is asked again with simpler ones.

        The next question begins with those that it took.
        """
        answer = Answer(self._model)
        try:
            return self._completed(messages, schema, deadline, should_stop, answer)
        except ServiceFailure as error:
            if answer.has_begun:
                raise LostAnswer(error.failure, answer.completion) from None
            raise

    def _completed(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        deadline: float,
        should_stop: Callable[[], bool],
        answer: Answer,
    ) -> Completion:
        ladder = _ladder(schema)
        for rung in range(self._rung if schema else 0, len(ladder)):
            try:
                completion = self._ask(messages, ladder[rung], deadline, should_stop, answer)
            except openai.APIStatusError as error:
                if rung + 1 < len(ladder) and is_refused_parameter(error):
                    continue
                raise self._status_failure(error) from None
            except openai.APITimeoutError:
                raise self._failure("PROVIDER_TIMEOUT") from None
            except (openai.OpenAIError, _StreamBroke) as error:
                if isinstance(error, openai.APIError) and isinstance(error.body, Mapping):
                    raise self._told_amid(error) from None
                raise self._failure("PROVIDER_FAILED", reason="connection") from None
            except (ValueError, AttributeError, TypeError):
                # The SDK does not check the shape of a chunk: a broken one lacks attributes.
                raise self._failure("PROVIDER_FAILED", reason="broken_output") from None
            if schema is None:
                return completion
            self._rung = max(self._rung, rung)
            return self._as_json(completion)
        raise AssertionError("the ladder has a last step")

    def _ask(
        self,
        messages: Sequence[Message],
        options: Mapping[str, Any],
        deadline: float,
        should_stop: Callable[[], bool],
        answer: Answer,
    ) -> Completion:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise self._failure("PROVIDER_TIMEOUT")
        line = _Line()
        client = openai.OpenAI(
            base_url=self._base_url, api_key=self._api_key or "none", timeout=remaining, max_retries=0,
            http_client=openai.DefaultHttpxClient(event_hooks={"request": [line.watch]}),
        )  # fmt: skip
        request = {"model": self._model, "messages": list(messages), "stream": True, **options}
        events: SimpleQueue[Any] = SimpleQueue()
        Thread(target=_pump, args=(client, request, events), daemon=True, name="provider-stream").start()
        try:
            return self._collect(self._watched(events, deadline, should_stop), answer)
        finally:
            line.cut()
            client.close()

    def _watched(
        self, events: SimpleQueue[Any], deadline: float, should_stop: Callable[[], bool]
    ) -> Iterator[Any]:
        """Yield the stream's chunks; leave it when told to stop or when the time is up."""
        while True:
            if should_stop():
                raise ServiceFailure("CANCELED")
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise self._failure("PROVIDER_TIMEOUT")
            with suppress(Empty):
                event = events.get(timeout=min(_POLL_SECONDS, remaining))
                if event is _END:
                    return
                if isinstance(event, Exception):
                    raise event
                yield event

    def _collect(self, chunks: Iterator[Any], answer: Answer) -> Completion:
        for chunk in chunks:
            answer.add(chunk)
            if answer.length > _LONGEST_ANSWER:
                raise self._failure("PROVIDER_FAILED", reason="too_long")
        if answer.is_refused or answer.finish == "content_filter":
            raise self._failure("CONTENT_REJECTED")
        completion = answer.completion
        if answer.finish != "stop" or not completion.text:
            cut = answer.finish == "length"
            raise self._failure("PROVIDER_FAILED", reason="truncated" if cut else "broken_output")
        return completion

    def _as_json(self, completion: Completion) -> Completion:
        """Return the answer with the JSON alone: without thoughts, a fence or words around it."""
        said = _THOUGHTS.sub("", completion.text)
        fenced = _FENCE.match(said)
        for text in (fenced.group(1) if fenced else said, said[said.find("{") : said.rfind("}") + 1]):
            with suppress(ValueError, RecursionError):
                json.loads(text)
                return replace(completion, text=text)
        raise self._failure("PROVIDER_FAILED", reason="broken_output")

    def _status_failure(self, error: openai.APIStatusError) -> ServiceFailure:
        code, reason = meaning(error, error.status_code)
        return self._failure(code, http_status=error.status_code, **reason, **_wait(error))

    def _told_amid(self, error: openai.APIError) -> ServiceFailure:
        """Return the failure for an error that came as an event of a stream: llama.cpp, vLLM, OpenRouter."""
        code, reason = meaning(error, status_amid(error))
        return self._failure(code, **{"reason": "server_error", **reason})

    def _failure(self, code: str, **details: Any) -> ServiceFailure:
        return ServiceFailure(code, details={"provider": self.name, "model": self._model, **details})


class _StreamBroke(Exception):
    """The connection ended amid an answer."""


class _Line:
    """The connection under a call. To close it would not wake its reader, nor tell the server."""

    def __init__(self) -> None:
        self._stream: Any = None
        self._is_cut = False

    def watch(self, request: Any) -> None:
        """Learn of the connection that a request is about to open, by httpx's trace extension."""
        request.extensions["trace"] = self._trace

    def cut(self) -> None:
        """End the connection in both directions, also one that is only opened later."""
        self._is_cut = True
        if self._stream is not None:
            with suppress(OSError):
                self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(_OPENED):
            self._stream = info["return_value"]
            if self._is_cut:
                self.cut()


def _pump(client: openai.OpenAI, request: Mapping[str, Any], events: SimpleQueue[Any]) -> None:
    """Put the stream's chunks on the queue, then its end or what broke it."""
    create: Callable[..., Any] = client.chat.completions.create
    try:
        for chunk in create(**request):
            events.put(chunk)
        events.put(_END)
    except (openai.OpenAIError, ValueError, AttributeError, TypeError) as error:
        events.put(error)
    except Exception:
        # A connection that ends amid the answer: the SDK lets the errors of its HTTP client through.
        events.put(_StreamBroke())


def _ladder(schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Return the options to try in turn: json_schema, json_object, plain text, plain text without usage."""
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


def _wait(error: openai.APIStatusError) -> dict[str, int]:
    """Return the whole seconds that the provider asks to wait, if it does."""
    seconds = retry_after_seconds({name.lower(): value for name, value in error.response.headers.items()})
    return {} if seconds is None else {"retry_after_seconds": math.ceil(seconds)}
