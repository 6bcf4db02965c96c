"""What the providers share: a call to an SDK that streams an answer.

An SDK's timeout is per read, and its stream cannot be left while it waits. So a thread reads the stream, and
the caller watches the deadline and the stop signal. Retries of the SDK are off.
"""

import json
import logging
import re
import socket
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
from app.content.writing.providers.refusals import (
    CONTENT_FILTER,
    Refused,
    is_flagged,
    refused,
    refused_in_stream,
)
from app.content.writing.providers.streamed import Answer
from app.failures import ServiceFailure
from app.prices import NO_PRICES, Prices

_POLL_SECONDS: Final = 0.5
_FENCE: Final = re.compile(r"^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$", re.DOTALL)
_THOUGHTS: Final = re.compile(r"^\s*<think>.*?</think>\s*", re.DOTALL)
_END: Final = object()
_LONGEST_ANSWER: Final = 100_000
"""Characters after which an answer is abandoned: the longest post has a fifth of that."""

_SIMPLER: Final = (
    "The text provider refused the form of the answer (HTTP {http_status}): asked in a simpler one, {} of {}."
)
_OPENED: Final = (".connect_tcp.complete", ".start_tls.complete")

# At DEBUG these loggers write whole requests, prompts included.
for _name in ("anthropic", "openai", "httpx", "httpx2", "httpcore", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class Connection:
    """The connection of a call. Closing it would neither wake its reader nor notify the server."""

    def __init__(self) -> None:
        self._stream: Any = None
        self._is_cut = False

    @property
    def hooks(self) -> dict[str, Any]:
        """The event hooks by which an HTTP client (httpx) reports its connection."""
        return {"request": [self._watch]}

    def cut(self) -> None:
        """End the connection in both directions, even if it opens later."""
        self._is_cut = True
        if self._stream is not None:
            with suppress(OSError):
                self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def _watch(self, request: Any) -> None:
        """Add httpx's trace extension to a request: it reports the connection."""
        request.extensions["trace"] = self._trace

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(_OPENED):
            self._stream = info["return_value"]
            if self._is_cut:
                self.cut()


class StreamingProvider(ABC):
    """A model behind an SDK that streams; ``base_url`` None is the vendor's own address.

    A subclass names its SDK, how to ask it, and what a chunk contains. ``client`` makes the SDK's client,
    ``error_code`` is the attribute of its errors that has the server's code.
    """

    vendor: ClassVar[str]
    sdk: ClassVar[Any]
    client: ClassVar[Any]
    error_code: ClassVar[str]
    default_url: ClassVar[str | None] = None

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
        """The host of the provider."""
        return urlsplit(self._base_url).hostname or self.vendor if self._base_url else self.vendor

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._model

    @abstractmethod
    def _options(self, schema: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
        """Return alternative parameters: a server that refuses the first ones gets the next ones."""

    @abstractmethod
    def _stream(self, client: Any, messages: Sequence[Message], options: Mapping[str, Any]) -> Iterable[Any]:
        """Return the chunks of the answer as they arrive."""

    @abstractmethod
    def _answer(self) -> Answer:
        """Return an empty answer."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        deadline: float,
        should_stop: Callable[[], bool],
        note: Callable[[str], None],
    ) -> Completion:
        """Return the answer. A server that refuses a parameter is asked again with simpler ones.

        Later questions start with the parameters that the server accepted. Raises as TextProvider does.
        """
        answer = self._answer()
        try:
            return self._completed(messages, schema, deadline, should_stop, note, answer)
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
        note: Callable[[str], None],
        answer: Answer,
    ) -> Completion:
        options = self._options(schema)
        for number in range(self._first if schema else 0, len(options)):
            try:
                completion = self._ask(messages, options[number], deadline, should_stop, answer)
            except Refused as error:
                if error.is_parameter and number + 1 < len(options):
                    note(_SIMPLER.format(number + 2, len(options), **error.details))
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
                with self._connected(connection, remaining) as client:
                    for chunk in self._stream(client, messages, options):
                        events.put(chunk)
                events.put(_END)
            except Exception as error:  # also the HTTP client's own, which an SDK passes on
                events.put(self._server_error(error) or _broken(error))

        Thread(target=read, daemon=True, name="provider-stream").start()
        try:
            return self._collect(self._watched(events, deadline, should_stop), answer)
        finally:
            connection.cut()

    def _connected(self, connection: Connection, seconds: float) -> Any:
        """Return the SDK's client, watched by ``connection``; a read takes at most ``seconds``."""
        return self.client(
            base_url=self._base_url or self.default_url,
            api_key=self._api_key or "none",
            timeout=seconds,
            max_retries=0,
            http_client=self.sdk.DefaultHttpxClient(event_hooks=connection.hooks),
        )

    def _server_error(self, error: Exception) -> Refused | None:
        """Return the meaning of an error that the server sent, None for any other error."""
        if isinstance(error, self.sdk.APITimeoutError):
            return Refused("PROVIDER_TIMEOUT")
        if not isinstance(error, self.sdk.APIError):
            return None
        # Some servers send the code, or a number, as the type.
        names = tuple(str(getattr(error, name, None)) for name in (self.error_code, "type"))
        names = (CONTENT_FILTER, *names) if is_flagged(error.body) else names
        is_status = isinstance(error, self.sdk.APIStatusError)
        if is_status and error.status_code != 200:
            return refused(error.status_code, names, error.message, error.response.headers)
        # An error inside a stream: Anthropic's has status 200, others have a body and no status.
        in_stream = is_status or error.body is not None
        return refused_in_stream(names, error.message) if in_stream else None

    def _watched(
        self, events: SimpleQueue[Any], deadline: float, should_stop: Callable[[], bool]
    ) -> Iterator[Any]:
        """Yield the stream's chunks until it ends. Raises CANCELED and PROVIDER_TIMEOUT."""
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
        """Return the answer with only its JSON: without thoughts, a fence or text around it."""
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
    """Return the failure of a stream that broke: unreadable output, or a lost connection."""
    is_output = isinstance(error, ValueError | AttributeError | TypeError)
    return Refused("PROVIDER_FAILED", reason="broken_output" if is_output else "connection")
