"""Real servers on the loopback that answer with any bytes, and the client that requests them."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from app.infra.http.client import Fetcher
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.response import FetchPolicy, SmallResponse
from tests.support.outside import watched
from tests.support.ssrf import Outbound

OK = b"HTTP/1.1 200 OK\r\n"
Behaviour = Callable[[socket.socket, bytes], None]


@dataclass
class Server:
    """Answers every connection in a thread of its own by calling ``behave(connection, request)``."""

    behave: Behaviour
    requests: list[bytes] = field(default_factory=list)
    connections: int = 0
    tls: ssl.SSLContext | None = None
    place: tuple[str, int] = ("127.0.0.1", 0)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(self.place)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with suppress(OSError), self._spoken(connection) as spoken:
            request = _request(spoken)
            self.requests.append(request)
            self.behave(spoken, request)

    def _spoken(self, connection: socket.socket) -> socket.socket:
        return self.tls.wrap_socket(connection, server_side=True) if self.tls else connection


def _request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += (piece := connection.recv(65536))
        if not piece or data[0] == 0x16:  # the other side has left, or says hello in TLS
            return data
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0
    )
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


@pytest.fixture
def serve() -> Iterator[Callable[[bytes | Behaviour], Server]]:
    """Start a server with a fixed answer or a behaviour."""
    servers: list[Server] = []

    def start(answer: bytes | Behaviour) -> Server:
        if isinstance(answer, bytes):
            servers.append(Server(lambda connection, _: connection.sendall(answer)))
        else:
            servers.append(Server(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


Serve = Callable[[bytes | Behaviour], Server]


def fetcher(*servers: Server, **policy: object) -> Fetcher:
    """Return a Fetcher that may request these servers."""
    allow = frozenset(("127.0.0.1", server.port) for server in servers)
    defaults: dict[str, object] = {"total_seconds": 5.0, "max_bytes": 1_000_000}
    return Fetcher(FetchPolicy(user_agent="Test/1", allow=allow, **{**defaults, **policy}))  # type: ignore[arg-type]


def get(url: str, outbound: Fetcher, headers: dict[str, str] | None = None) -> SmallResponse:
    """Ask for an address and read the whole answer."""
    with outbound.get(url, headers) as response:
        return SmallResponse(response.status, response.headers, response.read(), response.url)


def failed(url: str, outbound: Fetcher, headers: dict[str, str] | None = None) -> FetchErrorKind:
    """Ask for an address, which has to fail; returns how it failed."""
    with pytest.raises(FetchError) as error:
        get(url, outbound, headers)
    return error.value.kind


def whole(body: bytes, *headers: str) -> bytes:
    """An answer with its length."""
    lines = "".join(f"{header}\r\n" for header in headers)
    return OK + f"Content-Length: {len(body)}\r\n{lines}\r\n".encode() + body


def redirect(location: str, status: int = 302) -> bytes:
    """An answer that leads elsewhere."""
    return f"HTTP/1.1 {status} Go\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()


@pytest.fixture
def canary(serve: Serve) -> Iterator[Server]:
    """A server on the loopback that no request may reach: checked when the test is over."""
    server = serve(whole(b"the secret"))
    yield server
    assert (server.connections, server.requests) == (0, [])


@pytest.fixture
def outbound() -> Iterator[Outbound]:
    """Return the client, without allowed private pairs, while every connection is recorded."""
    with watched() as attempts:
        yield Outbound(attempts)
