"""Those who only want an answer, while others drip."""

from __future__ import annotations

import http.client
import itertools
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

TIMEOUT: Final = 10.0


@dataclass(frozen=True)
class Request:
    """A request, and the status that answers it. ``is_new``: each has an Idempotency-Key of its own."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    status: tuple[int, ...] = (200,)
    waits: bool = False
    is_new: bool = False

    def sent_headers(self) -> dict[str, str]:
        """The headers of one request."""
        return {**self.headers, "Idempotency-Key": uuid.uuid4().hex} if self.is_new else self.headers


@dataclass
class Answers:
    """What became of requests: the seconds of those that were answered, and why others were not."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    refused: int = 0

    @property
    def sent(self) -> int:
        """How many requests reached the server."""
        return len(self.seconds) + len(self.failures)


class Customers:
    """Threads that send their requests one after the other until the block ends.

    With ``pause`` each waits between two requests. With ``keep`` each keeps its connection.
    """

    def __init__(
        self, port: int, requests: Sequence[Request], threads: int, *, pause: float = 0.0, keep: bool = False
    ) -> None:
        self.answers = Answers()
        self._port = port
        self._pause = pause
        self._keep = keep
        self._over = threading.Event()
        self._threads = [
            threading.Thread(
                target=self._work, args=(requests[number % len(requests) :], requests), daemon=True
            )
            for number in range(threads)
        ]

    def __enter__(self) -> Answers:
        for thread in self._threads:
            thread.start()
        return self.answers

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _work(self, first: Sequence[Request], requests: Sequence[Request]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT)
        for request in itertools.chain(first, itertools.cycle(requests)):
            if self._over.is_set():
                break
            began = time.perf_counter()
            self._ask(connection, request, began)
            self._over.wait(max(0.0, self._pause - (time.perf_counter() - began)))
        connection.close()

    def _ask(self, connection: http.client.HTTPConnection, request: Request, began: float) -> None:
        try:
            if connection.sock is None:
                connection.connect()
        except ConnectionRefusedError:
            self.answers.refused += 1
            self._over.wait(0.05)
            return
        except OSError as error:
            self.answers.failures.append(type(error).__name__)
            return
        try:
            connection.request(request.method, request.path, request.body, request.sent_headers())
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.answers.failures.append(type(error).__name__)
            connection.close()
            return
        if answer.status in request.status:
            self.answers.seconds.append(time.perf_counter() - began)
        else:
            self.answers.failures.append(str(answer.status))
        if not self._keep:
            connection.close()


def until(moment: float) -> Callable[[], bool]:
    """Return whether the moment, of the monotonic clock, is over."""
    return lambda: time.monotonic() >= moment
