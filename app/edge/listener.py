"""A listening socket with its connections, and which of them make room for others."""

from __future__ import annotations

import logging
import socket
import time
from typing import Any, Final

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from app.edge.channel import LINGER, PATIENCE, Channel
from app.edge.request import LARGEST_BODY, LARGEST_HEADERS

MOST_UNFINISHED_BYTES: Final = 200_000_000
"""Bytes of bodies that are not complete yet, of all connections together."""

BUSY: Final = 2
"""Threads that may work before a process counts as busy."""

KEPT: Final = 10
"""Requests of one connection before a busy process closes it."""

_IN_MEMORY: Final = 65_536
"""Bytes of a body, or of a response that waits for its client, that are kept in memory and not in a file."""

_SPARE: Final = 50
"""Connections on top, for when each one is being served and none can make room."""

_AT_ONCE: Final = 50
"""Connections that a crowded process accepts before it looks at the others again."""

_TICK: Final = 1

_log = logging.getLogger(__name__)


def adjustments(connections: int, backlog: int) -> Adjustments:
    """Return the options of waitress for at most so many open connections of a process."""
    return Adjustments(
        connection_limit=connections + _SPARE,
        max_request_header_size=LARGEST_HEADERS,
        max_request_body_size=LARGEST_BODY + 1,
        inbuf_overflow=_IN_MEMORY,
        outbuf_overflow=_IN_MEMORY,
        cleanup_interval=_TICK,
        clear_untrusted_proxy_headers=False,
        log_socket_errors=False,
        backlog=backlog,
        ident=None,
    )


class Listener(TcpWSGIServer):  # type: ignore[misc]
    """One listening socket, and the connections that it accepted."""

    channel_class = Channel

    def __init__(self, *args: Any, keep_alive: float, **kwargs: Any) -> None:
        self._keep_alive = keep_alive
        self._is_stopped = False
        self._displaced = 0
        super().__init__(*args, **kwargs)

    @classmethod
    def on(
        cls,
        sock: socket.socket,
        wsgi: Any,
        connections: dict[int, Any],
        threads: ThreadedTaskDispatcher,
        options: Adjustments,
        keep_alive: float,
    ) -> Listener:
        """Listen on a socket that is bound. ``connections`` is what ``wasyncore.poll2`` gets."""
        return cls(
            wsgi,
            connections,
            _sock=sock,
            dispatcher=threads,
            adj=options,
            sockinfo=(sock.family, sock.type, sock.proto, sock.getsockname()),
            bind_socket=False,
            keep_alive=keep_alive,
        )

    def closes_after(self, request: int) -> bool:
        """Return whether the response that begins now, to the first, second … request, ends its connection.

        A busy process keeps none for long, so that its clients can come to another one: who connects to
        several processes at once mostly gets the same one. Opening a connection takes a fifth of a request.
        """
        if not self._keep_alive or self._is_stopped:
            return True
        return request >= KEPT and self.task_dispatcher.active_count > BUSY

    def patience_with_idle(self, *, has_served: bool) -> float:
        """Return how many seconds a connection may be open without a request."""
        if self._is_stopped:
            return LINGER
        return self._keep_alive if has_served else PATIENCE

    def handle_accept(self) -> None:
        """Accept one connection and leave the next to other processes; accept many if this one is crowded."""
        most = self.adj.connection_limit - _SPARE
        for _ in range(_AT_ONCE if len(self.active_channels) > most // 2 else 1):
            known = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == known:
                return
            if known >= most:
                self._make_room()

    def maintenance(self, _now: float) -> None:
        """Check all connections, and the memory that they use together."""
        now = time.monotonic()
        for channel in self._channels():
            channel.check(now)
        if self._displaced:
            _log.warning("%d waiting connections were closed to accept others", self._displaced)
            self._displaced = 0
        self._free_bodies()

    def stop(self) -> None:
        """Accept what the system has accepted already, and no more. Open connections stay."""
        known = -1
        while len(self.active_channels) != known:
            known = len(self.active_channels)
            self.handle_accept()
        self._is_stopped = True
        wasyncore.dispatcher.close(self)

    def _free_bodies(self) -> None:
        """Cut the connections with the largest unfinished bodies while all together have too much."""
        unfinished = sum(each.unfinished_bytes for each in self._channels())
        for channel in sorted(self._channels(), key=lambda each: -each.unfinished_bytes):
            if unfinished <= MOST_UNFINISHED_BYTES:
                return
            unfinished -= channel.unfinished_bytes
            channel.cut("sent too much")

    def _make_room(self) -> None:
        oldest = next((each for each in self._channels() if each.waits_for_client), None)
        if oldest is not None:
            oldest.cut("closed to accept another connection")
            self._displaced += 1

    def _channels(self) -> list[Channel]:
        """Return the connections, the oldest first. A thread may close one meanwhile."""
        return list(self.active_channels.values())
