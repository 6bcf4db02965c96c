"""Waits for the sockets of connections, and lets each connection handle what happened on its own."""

import select
from typing import Any

from waitress import wasyncore


def poll(connections: dict[int, Any], seconds: float) -> None:
    """Wait up to ``seconds`` for the sockets of connections, by their file numbers, and handle what happens.

    A connection may be closed meanwhile, by another one, by a check or by a thread, and the next one that is
    accepted gets its number. waitress's own ``poll2`` gives it what happened to the former, and closes it.
    """
    poller, waiting = select.poll(), dict[int, Any]()
    for number, connection in list(connections.items()):
        flags = select.POLLIN | select.POLLPRI if connection.readable() else 0
        if connection.writable() and not connection.accepting:
            flags |= select.POLLOUT
        if flags:
            poller.register(number, flags)
            waiting[number] = connection
    for number, flags in poller.poll(int(seconds * 1000)):
        if connections.get(number) is waiting[number]:
            wasyncore.readwrite(waiting[number], flags)
