"""What happens on a socket is handled by the connection that it belongs to, and by no later one."""

from __future__ import annotations

import os
import socket
from typing import Any

from app.edge.polling import poll


class Connection:
    """A connection that counts what happens to it."""

    accepting = False

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.events: list[str] = []

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def handle_read_event(self) -> None:
        self.events.append("read")

    def handle_close(self) -> None:
        self.events.append("close")


class Accepting(Connection):
    """Closes another connection and accepts one that gets its file number."""

    def __init__(
        self, sock: socket.socket, connections: dict[int, Any], closed: int, new: Connection
    ) -> None:
        super().__init__(sock)
        self._connections, self._closed, self._new = connections, closed, new

    def handle_read_event(self) -> None:
        os.dup2(self._new.sock.fileno(), self._closed)
        self._connections[self._closed] = self._new


def test_a_connection_gets_nothing_that_happened_to_the_one_whose_number_it_has() -> None:
    pairs = [socket.socketpair() for _ in range(3)]
    (first, one), (old, other), (fresh, _) = pairs
    new, closed = Connection(fresh), Connection(old)
    connections: dict[int, Any] = {}
    connections[first.fileno()] = Accepting(first, connections, old.fileno(), new)
    connections[old.fileno()] = closed
    one.send(b"x")
    other.send(b"x")
    poll(connections, 1)
    assert new.events == []
    assert closed.events == []
    for sock in (each for pair in pairs for each in pair):
        sock.close()


def test_a_connection_handles_what_happens_on_its_socket() -> None:
    near, far = socket.socketpair()
    connection = Connection(near)
    poll({near.fileno(): connection}, 0)
    assert connection.events == []
    far.send(b"x")
    poll({near.fileno(): connection}, 1)
    assert connection.events == ["read"]
    near.close()
    far.close()
