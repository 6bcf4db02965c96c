"""Name resolution with checked addresses, and the deadline of a connection."""

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
"""Returns the IP addresses, as text, of a name and a port. Raises OSError if it finds none."""


class _HasSocket(Protocol):
    sock: socket.socket | None


class Watchdog:
    """Shuts down the watched connection at the deadline, whatever it is waiting for.

    A socket's timeout applies to each receive, so a server that sends a byte a second would never reach it.
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
        """Watch ``connection``. Call it again when the connection has its socket."""
        self._connection = connection
        self._socket = connection.sock  # the connection drops it after "Connection: close"

    def remaining(self) -> float:
        """Return the seconds left. Raises FetchError if there are none."""
        self.check()
        return max(0.001, self._deadline - time.monotonic())

    def check(self) -> None:
        """Raise FetchError after the deadline."""
        if time.monotonic() >= self._deadline:
            raise FetchError(FetchErrorKind.TIMEOUT, "The complete response did not arrive in time.")

    def _expire(self) -> None:
        connection = self._connection
        watched = self._socket or (connection.sock if connection else None)
        if watched is not None:
            with contextlib.suppress(OSError):
                watched.shutdown(socket.SHUT_RDWR)


def resolve(endpoint: Endpoint, allow: AllowedPairs, seconds: float, resolver: Resolver) -> list[str]:
    """Return the checked addresses of an endpoint. The caller connects to these and never resolves again.

    Raises FetchError ``dns`` if none is found in time, ``blocked`` if any of them is not allowed.
    """
    addresses = [endpoint.host] if endpoint.is_address else _lookup(endpoint, seconds, resolver)
    if not addresses:
        raise FetchError(FetchErrorKind.DNS, f"There is no server named {endpoint.host}.", sent=False)
    if not all(is_reachable(endpoint, address, allow) for address in addresses):
        raise FetchError(
            FetchErrorKind.BLOCKED, "The URL leads to an address that is not public.", sent=False
        )
    return addresses


def system_resolver(host: str, port: int) -> list[str]:
    """Return the addresses that the system's resolver finds for a name. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _lookup(endpoint: Endpoint, seconds: float, resolver: Resolver) -> list[str]:
    """Call the resolver in a thread, which may outlive the call because getaddrinfo has no timeout."""
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
