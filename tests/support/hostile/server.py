"""A loopback server that answers as the cases say: whole, cut, stalled, endless, or nothing that is HTTP."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from tests.support.hostile.case import Answer, Case
from tests.support.sitemaps import urlset

SECRET = "https://example.com/inside"
HOME = Answer(b"<!doctype html><html><title>Shop</title></html>", 200, {"Content-Type": "text/html"})
MISSING = Answer(b"not here", 404)
_PATIENCE = 60.0


class Listener:
    """Accepts connections on a port of its own and answers each in a thread."""

    def __init__(self, answers: dict[str, Answer], words: dict[str, str]) -> None:
        self.asked: list[str] = []
        self._answers, self._words = answers, words
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            connection.settimeout(_PATIENCE)
            path = _requested(connection)
            self.asked.append(path)
            answer = self._answers.get(path) or self._answers.get(path.partition("?")[0])
            self._send(connection, path, answer or (HOME if path == "/" else MISSING))
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass

    def _send(self, connection: socket.socket, path: str, answer: Answer) -> None:
        if answer.wire is not None:
            answer.wire(connection)
            return
        words = {**self._words, **_places(path, self._words)}
        body = _filled(answer.body, words)
        headers = {"Content-Length": str(len(body)), **answer.headers, "Connection": "close"}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        sent = _filled(head.encode(), words)
        connection.sendall(b"HTTP/1.1 %d Answer\r\n%b\r\n" % (answer.status, sent) + body)


class HostileServer:
    """Serves cases on two ports that may be requested, and on a third, ``inside``, that must never be."""

    def __init__(self, cases: Iterable[Case]) -> None:
        answers = {f"/{case.name}/{path}": answer for case in cases for path, answer in case.answers.items()}
        words: dict[str, str] = {}
        self._outer = Listener(answers, words)
        self._other = Listener(answers, words)
        self.inside = Listener({"/sitemap.xml": Answer(urlset(SECRET))}, words)
        words.update(
            origin=f"http://{self._outer.address}",
            host=self._outer.address,
            elsewhere=f"http://{self._other.address}",
            inside=f"http://{self.inside.address}",
        )
        self._words = words

    @property
    def allow(self) -> str:
        """What FETCH_ALLOW has to say."""
        return f"{self._outer.address},{self._other.address}"

    def filled(self, case: Case, text: str) -> str:
        """Return a text of a case with its places filled in."""
        path = f"/{case.name}/{case.start}"
        return _filled(text.encode(), {**self._words, **_places(path, self._words)}).decode()

    def start(self, case: Case) -> str:
        """Return the address where reading the case begins."""
        return self.filled(case, f"{{base}}/{case.start}")

    def close(self) -> None:
        for listener in (self._outer, self._other, self.inside):
            listener.close()


@contextmanager
def serving(cases: Iterable[Case]) -> Iterator[HostileServer]:
    """Serve the cases inside the block."""
    server = HostileServer(cases)
    try:
        yield server
    finally:
        server.close()


def _places(path: str, words: dict[str, str]) -> dict[str, str]:
    folder = "/".join(path.split("/")[:3])
    return {"base": words["origin"] + folder, "other": words["elsewhere"] + folder}


def _filled(data: bytes, words: dict[str, str]) -> bytes:
    for word, value in words.items():
        data = data.replace(b"{%b}" % word.encode(), value.encode())
    return data


def _requested(connection: socket.socket) -> str:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            raise OSError
        data += piece
    return data.split(b" ", 2)[1].decode("latin-1")


OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nConnection: close\r\n"


def says(data: bytes) -> Answer:
    """Send exactly these bytes, and end."""
    return Answer(wire=lambda connection: connection.sendall(data))


def stalls(data: bytes) -> Answer:
    """Send these bytes, then nothing until the other side goes."""

    def wire(connection: socket.socket) -> None:
        connection.sendall(data)
        while connection.recv(65536):
            pass

    return Answer(wire=wire)


def drips(data: bytes, then: bytes, every: float = 0.05, times: int | None = None) -> Answer:
    """Send ``data``, then ``then`` byte by byte, over and over or ``times`` times."""

    def wire(connection: socket.socket) -> None:
        connection.sendall(data)
        pause, turn = threading.Event(), 0
        while times is None or turn < times:
            for byte in then:
                connection.sendall(bytes([byte]))
                pause.wait(every)
            turn += 1

    return Answer(wire=wire)


def pours(data: bytes, block: bytes, limit: int | None = None, after: bytes = b"") -> Answer:
    """Send ``data``, then ``block`` without end; or ``limit`` times, and ``after`` then."""

    def wire(connection: socket.socket) -> None:
        connection.sendall(data)
        turn = 0
        while limit is None or turn < limit:
            connection.sendall(block)
            turn += 1
        connection.sendall(after)

    return Answer(wire=wire)


def resets(data: bytes) -> Answer:
    """Send these bytes, then tear the connection down (RST)."""

    def wire(connection: socket.socket) -> None:
        connection.sendall(data)
        # Given time to arrive: a reset makes the other side forget what it has not read yet.
        threading.Event().wait(0.2)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    return Answer(wire=wire)
