"""A listener of the web server in this process, whose clock the test sets."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from app.edge.listener import Listener, adjustments
from tests.support.waiting import eventually

App = Callable[[dict[str, Any], Any], Any]


class Edge:
    """The listener; it turns only while somebody waits for it, and its time passes only by ``pass_time``."""

    def __init__(self, app: App, keep_alive: float = 5) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._map: dict[int, Any] = {}
        self._threads = ThreadedTaskDispatcher()
        self._threads.set_thread_count(2)
        self._now = time.monotonic()
        options: Adjustments = adjustments(connections=10, backlog=50)
        options.cleanup_interval = 3600  # only by pass_time
        self.listener = Listener.on(self._socket, app, self._map, self._threads, options, keep_alive)

    def connect(self, data: bytes = b"") -> socket.socket:
        """Return the socket of a new client that has sent ``data``."""
        client = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(data)
        client.setblocking(False)
        self.until(lambda: self._knows(client), "the connection is accepted")
        return client

    def answer(self, client: socket.socket) -> bytes:
        """Return one response that the client gets, with its headers, once the thread is done with it."""
        found = self._read(client, _is_whole)
        channels = self.listener.active_channels
        self.until(lambda: not any(each.requests for each in channels.values()), "the threads are done")
        return found

    def rest(self, client: socket.socket) -> bytes:
        """Return what the client gets until its connection is closed."""
        return self._read(client, lambda _found: False)

    def pass_time(self, seconds: float, steps: int = 1) -> None:
        """Let the listener look at its connections, now and after each of these steps."""
        for _ in range(steps):
            self._look()
            self._now += seconds / steps
            self._look()

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Turn the listener until the condition is true."""

        def turned() -> object:
            wasyncore.poll2(0.01, self._map)
            return condition()

        eventually(turned, what, pause=0)

    def close(self) -> None:
        self._threads.shutdown()
        wasyncore.close_all(self._map)

    def _read(self, client: socket.socket, is_enough: Callable[[bytes], bool]) -> bytes:
        found = b""

        def is_over() -> bool:
            nonlocal found
            try:
                data = client.recv(65_536)
            except BlockingIOError:
                return False
            found += data
            return not data or is_enough(found)

        self.until(is_over, "the response is over")
        return found

    def _look(self) -> None:
        for _ in range(3):
            wasyncore.poll2(0.0, self._map)
        for channel in list(self.listener.active_channels.values()):
            channel.check(self._now)

    def _knows(self, client: socket.socket) -> bool:
        return any(each.addr == client.getsockname() for each in self.listener.active_channels.values())


def _is_whole(response: bytes) -> bool:
    head, blank, body = response.partition(b"\r\n\r\n")
    length = re.search(rb"Content-Length: ([0-9]+)", head)
    return bool(blank) and len(body) >= int(length[1] if length else 0)


MakeEdge = Callable[..., Edge]


@pytest.fixture
def edge() -> Iterator[MakeEdge]:
    """Call it as ``edge(app, keep_alive=5)``."""
    made: list[Edge] = []

    def make(app: App, keep_alive: float = 5) -> Edge:
        made.append(Edge(app, keep_alive))
        return made[-1]

    yield make
    for each in made:
        each.close()
