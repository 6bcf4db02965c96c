"""What providers share whose SDK streams an answer.

An SDK's timeout is per read and its stream cannot be left while it waits, so a thread of its own reads the
stream and the caller watches the deadline and the stop signal. An SDK's own retries have to be off.
"""

from __future__ import annotations

import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from app.content.writing.providers.base import Completion, LostAnswer, Message
from app.content.writing.providers.connection import Connection
from app.content.writing.providers.refusals import Refused
from app.content.writing.providers.streamed import Answer
from app.failures import ServiceFailure
from app.prices import NO_PRICES, Prices

_POLL_SECONDS: Final = 0.5
_FENCE: Final = re.compile(r"^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$", re.DOTALL)
_THOUGHTS: Final = re.compile(r"^\s*<think>.*?</think>\s*", re.DOTALL)
_END: Final = object()
_LONGEST_ANSWER: Final = 100_000
"""Characters after which an answer is left: the longest post has a fifth of that."""


class StreamingProvider(ABC):
    """A model behind an SDK that streams; ``base_url`` None is the vendor's own address.

    A subclass knows its SDK: how to ask, what a chunk holds, and what an error means.
    """

    vendor: ClassVar[str]

    def __init__(
        self, *, base_url: str | None, api_key: str | None, model: str, prices: Prices = NO_PRICES
    ) -> None:
        self.prices = prices
        self._base_url = base_url
        self._api_key = api_key
        self._model = model
        self._first = 0

    @property
    def name(self) -> str:
        """The host asked."""
        return urlsplit(self._base_url).hostname or self.vendor if self._base_url else self.vendor

    @property
    def model(self) -> str:
        """The model that is asked for."""
        return self._model

    @abstractmethod
    def _options(self, schema: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
        """Return the parameters to ask with; the next ones are for a server that refuses the ones before."""

    @abstractmethod
    def _client(self, connection: Connection, seconds: float) -> Any:
        """Return the SDK's client, which ``connection`` watches; no read takes longer than ``seconds``."""

    @abstractmethod
    def _stream(self, client: Any, messages: Sequence[Message], options: Mapping[str, Any]) -> Iterable[Any]:
        """Return the chunks of the answer as they come."""

    @abstractmethod
    def _answer(self) -> Answer:
        """Return an answer that has not begun."""

    @abstractmethod
    def _refused(self, error: Exception) -> Refused | None:
        """Return what an error of the SDK means; None for one that is not the server's word."""

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
        answer = self._answer()
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
        options = self._options(schema)
        for number in range(self._first if schema else 0, len(options)):
            try:
                completion = self._ask(messages, options[number], deadline, should_stop, answer)
            except Refused as error:
                if error.is_parameter and number + 1 < len(options):
                    continue
                raise self._failure(error.code, **error.details) from None
            if schema is None:
                return completion
            self._first = max(self._first, number)
            return self._as_json(completion)
        raise AssertionError("the last options are not skipped")

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
        connection = Connection()
        events: SimpleQueue[Any] = SimpleQueue()

        def read() -> None:
            try:
                with self._client(connection, remaining) as client:
                    for chunk in self._stream(client, messages, options):
                        events.put(chunk)
                events.put(_END)
            except Exception as error:  # also those of its HTTP client, which an SDK lets through
                events.put(self._refused(error) or _broken(error))

        Thread(target=read, daemon=True, name="provider-stream").start()
        try:
            return self._collect(self._watched(events, deadline, should_stop), answer)
        finally:
            connection.cut()

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
            try:
                answer.add(chunk)
            except (ValueError, AttributeError, TypeError):
                # The SDK does not check the shape of a chunk: a broken one lacks attributes.
                raise self._failure("PROVIDER_FAILED", reason="broken_output") from None
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

    def _failure(self, code: str, **details: Any) -> ServiceFailure:
        return ServiceFailure(code, details={"provider": self.name, "model": self._model, **details})


def _broken(error: Exception) -> Refused:
    """Return what ended a stream that the server did not end: what it sent, or the connection."""
    is_output = isinstance(error, ValueError | AttributeError | TypeError)
    return Refused("PROVIDER_FAILED", reason="broken_output" if is_output else "connection")
