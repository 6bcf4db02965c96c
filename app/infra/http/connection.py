"""Two guards of the door in ``http``: names resolved once and judged, a deadline no slow peer can outlast."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Protocol, Self

from app.infra.http.address_rules import AllowedPairs, Endpoint, is_reachable
from app.infra.http.errors import FetchError, FetchErrorKind

Resolver = Callable[[str, int], Sequence[str]]
"""Answers a name and a port with IP addresses in text form; raises OSError when it finds none."""


class _HasSocket(Protocol):
    sock: socket.socket | None


class Watchdog:
    """Ends the watched connection when the total time is over, whatever it is waiting for.

    Socket timeouts count one receive each, so a peer that sends a byte a second would never meet them.
    """

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True
        self._connection: _HasSocket | None = None
        self._socket: socket.socket | None = None

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        self._connection = self._socket = None

    def watch(self, connection: _HasSocket) -> None:
        """Make ``connection`` the one to end at the deadline. To be told again when it has its socket."""
        self._connection = connection
        self._socket = connection.sock  # the connection forgets it when the answer says "Connection: close"

    def remaining(self) -> float:
        """Return the seconds left; raises FetchError when there are none."""
        self.check()
        return max(0.001, self._deadline - time.monotonic())

    def check(self) -> None:
        """Raise FetchError when the time is over."""
        if time.monotonic() >= self._deadline:
            raise FetchError(FetchErrorKind.TIMEOUT, "The whole answer did not arrive in time.")

    def _expire(self) -> None:
        connection = self._connection
        watched = self._socket or (connection.sock if connection else None)
        if watched is not None:
            with contextlib.suppress(OSError):
                watched.shutdown(socket.SHUT_RDWR)


def resolve(endpoint: Endpoint, allow: AllowedPairs, seconds: float, resolver: Resolver) -> list[str]:
    """Return the endpoint's addresses, every one judged; the caller connects to these and never asks again.

    Raises FetchError ``dns`` when there are none in time, ``blocked`` when any single one is not reachable.
    """
    addresses = [endpoint.host] if endpoint.is_address else _lookup(endpoint, seconds, resolver)
    if not addresses:
        raise FetchError(FetchErrorKind.DNS, f"The name {endpoint.host} has no address.", sent=False)
    if not all(is_reachable(endpoint, address, allow) for address in addresses):
        raise FetchError(
            FetchErrorKind.BLOCKED, "The URL leads to an address that is not public.", sent=False
        )
    return addresses


def system_resolver(host: str, port: int) -> list[str]:
    """Return the addresses that the system finds for a name. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _lookup(endpoint: Endpoint, seconds: float, resolver: Resolver) -> list[str]:
    """Ask the resolver. getaddrinfo knows no timeout, so its thread may be left behind."""
    answer: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

    def ask() -> None:
        try:
            found: Sequence[str] = resolver(endpoint.host, endpoint.port)
        except (OSError, UnicodeError):
            found = []
        answer.put(list(dict.fromkeys(found)))

    threading.Thread(target=ask, daemon=True).start()
    try:
        return answer.get(timeout=seconds)
    except queue.Empty:
        raise FetchError(
            FetchErrorKind.DNS, f"The name {endpoint.host} could not be resolved in time.", sent=False
        ) from None
