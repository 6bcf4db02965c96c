"""A small real HTTP server on the loopback, whose answers a test sets and changes while it runs."""

from __future__ import annotations

import contextlib
import mimetypes
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest


@dataclass(frozen=True)
class Request:
    """A request that was received; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """An answer. ``hold`` is waited for before anything is sent; ``hang_up`` closes without a word.

    Content-Length is added unless ``headers`` has one, so that a wrong one can be sent. As pairs they may
    name a header several times.
    """

    status: int = 200
    headers: Mapping[str, str] | Sequence[tuple[str, str]] = field(default_factory=dict)
    body: bytes = b""
    hold: threading.Event | None = None
    hang_up: bool = False


Route = Reply | Callable[[Request], Reply]


class SiteServer:
    """Serves ``routes`` by path (with its query first, then without), then ``folder``, else 404."""

    _ports: ClassVar[defaultdict[type, list[int]]] = defaultdict(list)
    """Ports of closed servers: with the same again settings, and so the application, are the same."""

    def __init__(self, folder: Path | None = None) -> None:
        self.routes: dict[str, Route] = {}
        self.folder = folder
        self.requests: list[Request] = []
        self._server = self._listening()
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Its "127.0.0.1:port", as FETCH_ALLOW wants it."""
        return f"127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    def serve(
        self, path: str, body: str | bytes = b"", status: int = 200, headers: Mapping[str, str] | None = None
    ) -> str:
        """Answer ``path`` with this from now on; returns its full address."""
        content = body.encode() if isinstance(body, str) else body
        self.routes[path] = Reply(status, headers or {}, content)
        return self.url + path

    def requests_for(self, path: str) -> list[Request]:
        """What was received for the path, queries aside."""
        return [request for request in self.requests if request.path.partition("?")[0] == path]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._ports[type(self)].append(self.port)

    def answer(self, request: Request) -> Reply:
        """The reply to a request, which is written down."""
        self.requests.append(request)
        bare = request.path.partition("?")[0]
        route = self.routes.get(request.path) or self.routes.get(bare)
        if route is None:
            return self._file(bare)
        return route if isinstance(route, Reply) else route(request)

    def _listening(self) -> _Server:
        ports = self._ports[type(self)]
        while ports:
            with contextlib.suppress(OSError):  # somebody else took it in between
                return _Server(self.answer, ports.pop())
        return _Server(self.answer, 0)

    def _file(self, path: str) -> Reply:
        file = self.folder / path.lstrip("/") if self.folder else None
        if file is None or not file.is_file():
            return Reply(404, {"Content-Type": "text/plain"}, b"not here")
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        return Reply(200, {"Content-Type": kind}, file.read_bytes())


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer: Callable[[Request], Reply], port: int) -> None:
        self.answer = answer
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def respond(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.answer(Request(self.command, self.path, headers, self.rfile.read(length)))
        if reply.hold is not None:
            reply.hold.wait()
        if reply.hang_up:
            self.close_connection = True
        else:
            self._send(reply)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = respond

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        headers = list(reply.headers.items() if isinstance(reply.headers, Mapping) else reply.headers)
        for name, value in headers:
            self.send_header(name, value)
        if not any(name.lower() == "content-length" for name, _ in headers):
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # the other side may go when it likes
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: ``requests`` has it."""


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """A server without an answer yet."""
    server = SiteServer()
    yield server
    server.close()
