"""Clients that drip: of headers, of a body, or of what they read, one byte now and then."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

_HOST: Final = "Host: service.example\r\n"
BEGINNINGS: Final[Mapping[str, str]] = {
    "headers": f"GET /sign-in HTTP/1.1\r\n{_HOST}X-Slow: ",
    "body": f"POST /public-api/projects HTTP/1.1\r\n{_HOST}Content-Type: application/json\r\n"
    "Content-Length: 100000\r\n\r\n{",
    "reader": f"GET /api/openapi.json HTTP/1.1\r\n{_HOST}\r\n",
}
_SMALL: Final = 2_048
_SEGMENT: Final = 1_400


@dataclass
class SlowClient:
    """One connection: since when it is open, what was answered, and when it was cut."""

    kind: str
    socket: socket.socket
    opened: float = field(default_factory=time.monotonic)
    answer: bytes = b""
    cut_after: float | None = None
    bytes: int = 0

    def is_due(self, now: float, pause: float) -> bool:
        """Whether its next byte is due; the bytes of all clients are spread over the pause."""
        return self.cut_after is None and now >= self.opened + pause * (1 + self.bytes)


class SlowClients:
    """So many clients of each kind, kept at that number while ``run`` runs: who is cut comes again."""

    def __init__(self, port: int, numbers: Mapping[str, int], pause: float = 1.0) -> None:
        self._port = port
        self._pause = pause
        self._selector = selectors.DefaultSelector()
        self.all = [self._connect(kind) for kind, number in numbers.items() for _ in range(number)]

    def run(self, is_over: Callable[[], bool], *, again: bool = False) -> None:
        """Drip until ``is_over``. With ``again`` a client that is cut connects again."""
        while not is_over():
            for key, _ in self._selector.select(timeout=0.02):
                self._notice(key.data, again=again)
            now = time.monotonic()
            for client in [each for each in self.all if each.is_due(now, self._pause)]:
                self._drip(client, again=again)

    def cut(self, kind: str) -> list[float]:
        """After how many seconds clients of this kind were cut."""
        return [each.cut_after for each in self.all if each.kind == kind and each.cut_after is not None]

    def close(self) -> None:
        """Close what is open."""
        for client in self.all:
            client.socket.close()
        self._selector.close()

    def _connect(self, kind: str) -> SlowClient:
        connected = socket.socket()
        if kind == "reader":
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL)
            # As on a network: the loopback's segments make the system buffer megabytes for the server.
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, _SEGMENT)
        connected.settimeout(10)
        connected.connect(("127.0.0.1", self._port))
        connected.sendall(BEGINNINGS[kind].encode())
        connected.setblocking(False)
        client = SlowClient(kind, connected)
        if kind != "reader":  # who is told what there is to read is no slow reader
            self._selector.register(connected, selectors.EVENT_READ, client)
        return client

    def _notice(self, client: SlowClient, *, again: bool) -> None:
        try:
            data = client.socket.recv(65_536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        client.answer += data
        if not data:
            self._end(client, again=again)

    def _drip(self, client: SlowClient, *, again: bool) -> None:
        client.bytes += 1
        try:
            is_open = self._read_one(client) if client.kind == "reader" else client.socket.send(b"a") == 1
        except OSError:
            is_open = False
        if not is_open:
            self._end(client, again=again)

    @staticmethod
    def _read_one(client: SlowClient) -> bool:
        if client.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            return False  # reset, though there is something left to read
        try:
            data = client.socket.recv(1)
        except BlockingIOError:
            return True
        client.answer += data
        return bool(data)

    def _end(self, client: SlowClient, *, again: bool) -> None:
        client.cut_after = time.monotonic() - client.opened
        if client.kind != "reader":
            self._selector.unregister(client.socket)
        client.socket.close()
        if again:
            self.all.append(self._connect(client.kind))
