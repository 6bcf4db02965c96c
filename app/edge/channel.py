"""A client's connection: it is cut when the client neither sends nor takes what it should in time."""

from __future__ import annotations

import logging
import socket
import struct
from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final

from waitress.channel import HTTPChannel
from waitress.task import Task, WSGITask

from app.edge.refusal import REFUSED
from app.edge.request import Request, RequestTimeout

PATIENCE: Final = 20.0
"""Seconds in which headers must be complete, and in each of which bodies and responses must get on."""

SLOWEST: Final = 500
"""Bytes a second that a client must send of a body, or take of a response."""

LINGER: Final = 2.0
"""Seconds in which a client that is still sending can read why it was refused."""

_RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)
_log = logging.getLogger(__name__)


class _Doing(Enum):
    """What a connection waits for."""

    IDLE = auto()
    RECEIVING = auto()
    SERVING = auto()
    SENDING = auto()
    LINGERING = auto()


class _ClosingTask(Task):  # type: ignore[misc]
    """A task that says whether the connection stays open."""

    def start(self) -> None:
        super().start()
        if self.channel.server.closes_after(self.channel.served):
            self.set_close_on_finish()


class ServedTask(_ClosingTask, WSGITask):  # type: ignore[misc]
    """A request that the application answers."""


class RefusedTask(_ClosingTask, WSGITask):  # type: ignore[misc]
    """A request that the application only refuses, with its own words and headers."""

    def start(self) -> None:
        super().start()
        self.set_close_on_finish()
        self.channel.is_refused = True

    def get_environment(self) -> dict[str, Any]:
        """Return the environment with the status of the refusal."""
        environment: dict[str, Any] = super().get_environment()
        environment[REFUSED] = self.request.error.code
        return environment


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection. ``check`` is to be called about once a second; it and all reading are in one thread."""

    parser_class = Request
    task_class = ServedTask
    error_task_class = RefusedTask

    request: Request | None
    requests: list[Request]
    total_outbufs_len: int
    is_refused = False
    _is_lingering = False
    served = 0
    _moved = 0
    _state: tuple[_Doing, object] | None = None
    _since = 0.0
    _moved_then = 0

    def check(self, now: float) -> None:
        """Cut the connection if the client lets it wait for too long."""
        doing = self._doing()
        if doing != self._state:
            self._begin(doing, now)
            return
        if now - self._since < self._patience(doing[0]):
            return
        if doing[0] in (_Doing.RECEIVING, _Doing.SENDING) and self._gets_on(doing[0], now):
            self._begin(doing, now)
            return
        self._ENDS[doing[0]](self)

    @property
    def waits_for_client(self) -> bool:
        """Whether nothing goes on here before the client sends or takes something."""
        return self._doing()[0] is not _Doing.SERVING

    @property
    def unfinished_bytes(self) -> int:
        """How much of a body has come whose end has not."""
        return 0 if self.request is None else int(self.request.body_bytes_received)

    def cut(self, reason: str) -> None:
        """Close the connection at once. What was not sent yet is lost."""
        _log.debug("%s %s", self.addr[0], reason)  # an attack must not fill the logs
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        super().handle_close()

    def service(self) -> None:
        """Answer one request, in a thread. If even the refusal fails, the connection is closed."""
        self.served += 1
        try:
            super().service()
        except Exception:
            self.cancel()
            raise

    def recv(self, size: int) -> bytes:
        """Read from the client, and count it."""
        data: bytes = super().recv(size)
        self._moved += len(data)
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Write to the client, and count it."""
        sent: int = super().send(data, do_close)
        self._moved += sent
        return sent

    def readable(self) -> bool:
        return self._is_lingering or bool(super().readable())

    def writable(self) -> bool:
        return not self._is_lingering and bool(super().writable())

    def handle_read(self) -> None:
        """Read; what a refused client still sends is thrown away."""
        if self._is_lingering:
            self._drain()
        else:
            super().handle_read()

    def handle_close(self) -> None:
        """Close; a client that was refused while it was sending can read the response first.

        A socket that is closed with unread data resets the connection, and the response is lost.
        """
        if not self.is_refused or self._is_lingering or not self.connected:
            super().handle_close()
            return
        self._is_lingering, self.will_close = True, False
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            super().handle_close()

    def _doing(self) -> tuple[_Doing, object]:
        """Return what the connection does, with what makes it another time that it does so."""
        if self._is_lingering:
            return _Doing.LINGERING, None
        if self.total_outbufs_len:
            return _Doing.SENDING, None
        if self.requests:
            return _Doing.SERVING, None
        if self.request is not None:
            return _Doing.RECEIVING, self.request
        return _Doing.IDLE, self.served

    def _begin(self, doing: tuple[_Doing, object], now: float) -> None:
        self._state, self._since, self._moved_then = doing, now, self._moved

    def _patience(self, doing: _Doing) -> float:
        if doing is _Doing.LINGERING:
            return LINGER
        if doing is _Doing.IDLE:
            return float(self.server.patience_with_idle(has_served=self.served > 0))
        return PATIENCE

    def _gets_on(self, doing: _Doing, now: float) -> bool:
        request = self.request if doing is _Doing.RECEIVING else None
        if request is not None and not request.headers_finished:
            return False
        return self._moved - self._moved_then >= SLOWEST * (now - self._since)

    def _drain(self) -> None:
        try:
            self.recv(self.adj.recv_bytes)  # which closes at the end
        except OSError:
            super().handle_close()

    def _do_nothing(self) -> None:
        """The application works; nobody but itself can end that."""

    def _end_idle(self) -> None:
        self.will_close = True

    def _end_lingering(self) -> None:
        super().handle_close()

    def _refuse_slow_sender(self) -> None:
        _log.debug("%s sends too slowly", self.addr[0])
        with self.requests_lock:
            late, self.request = self.request, None
            if late is not None:
                late.refuse(RequestTimeout(""))
                self.requests.append(late)
                self.server.add_task(self)

    def _reset_slow_reader(self) -> None:
        self.cut("reads too slowly")

    _ENDS: Final[dict[_Doing, Callable[[Channel], None]]] = {
        _Doing.IDLE: _end_idle,
        _Doing.RECEIVING: _refuse_slow_sender,
        _Doing.SERVING: _do_nothing,
        _Doing.SENDING: _reset_slow_reader,
        _Doing.LINGERING: _end_lingering,
    }
