"""Watches what the process connects to, below every library: by the interpreter's own audit events.

A connection to anything but the loopback is written down and refused, so that a test may aim at a public
address without leaving the machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_watching: list[list[tuple[str, int]]] = []


@contextmanager
def watched() -> Iterator[list[tuple[str, int]]]:
    """Give the (address, port) of every connection attempted within, in their order."""
    attempts: list[tuple[str, int]] = []
    _watching.append(attempts)
    try:
        yield attempts
    finally:
        _watching.remove(attempts)


def _look(event: str, arguments: tuple[object, ...]) -> None:
    if event != "socket.connect" or not _watching:
        return
    place = arguments[1]
    if not isinstance(place, tuple):
        return  # a socket in the file system
    address, port = str(place[0]), int(place[1])
    for attempts in _watching:
        attempts.append((address, port))
    if address != "::1" and not address.startswith("127."):
        raise ConnectionRefusedError("Tests stay on the loopback.")


sys.addaudithook(_look)  # for good: a hook cannot be removed, so it looks away when nothing is watched
