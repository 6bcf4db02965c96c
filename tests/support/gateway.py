"""A server between the service and a publish target, which spoils answers as networks and proxies do."""

from __future__ import annotations

import http.client
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from tests.support.servers import Reply, Request, SiteServer

Forward = Callable[[Request], Reply]
Matches = Callable[[Request], bool]
Fault = Callable[[Request, Forward], Reply]


@dataclass
class _Spoiled:
    matches: Matches
    fault: Fault
    left: float = 1


class Gateway(SiteServer):
    """Passes requests on to ``forward``, except those that are to be spoiled. ``requests`` has all."""

    def __init__(self, forward: Forward) -> None:
        self.forward = forward
        self._spoiled: list[_Spoiled] = []
        super().__init__()

    def spoil_once(self, matches: Matches, fault: Fault) -> None:
        """Let a fault answer the next request that matches."""
        self._spoiled.append(_Spoiled(matches, fault))

    def spoil(self, matches: Matches, fault: Fault) -> None:
        """Let a fault answer each request that matches, until ``mend``."""
        self._spoiled.append(_Spoiled(matches, fault, math.inf))

    def mend(self) -> None:
        """Spoil nothing any more."""
        self._spoiled.clear()

    def was_spoiled(self) -> bool:
        """Return whether every fault of one request has had its request."""
        return all(spoiled.left in (0, math.inf) for spoiled in self._spoiled)

    def answer(self, request: Request) -> Reply:
        """Return the target's answer, or what a fault makes of it."""
        self.requests.append(request)
        for spoiled in self._spoiled:
            if spoiled.left > 0 and spoiled.matches(request):
                spoiled.left -= 1
                return spoiled.fault(request, self.forward)
        return self.forward(request)


def to_server(port: int) -> Forward:
    """Return a forward to a server on the loopback."""

    def forward(request: Request) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            own = ("connection", "content-length")
            headers = {name: value for name, value in request.headers.items() if name not in own}
            connection.request(request.method, request.path, request.body or None, headers)
            response = connection.getresponse()
            dropped = ("connection", "transfer-encoding", "content-length", "date", "server")
            kept = [(name, value) for name, value in response.getheaders() if name.lower() not in dropped]
            return Reply(response.status, kept, response.read())
        finally:
            connection.close()

    return forward


def to_site(address: str) -> Forward:
    """Return a forward to a site on the loopback that knows only its own address, ``host:port``.

    In requests its address takes the place of the gateway's, in answers the other way round.
    """
    to_its_port = to_server(int(address.rpartition(":")[2]))

    def forward(request: Request) -> Reply:
        gateway = request.headers["host"]
        headers = {**request.headers, "host": address, "accept-encoding": "identity"}
        body = request.body.replace(gateway.encode(), address.encode())
        reply = to_its_port(replace(request, headers=headers, body=body))
        pairs = reply.headers.items() if isinstance(reply.headers, Mapping) else reply.headers
        renamed = [(name, value.replace(address, gateway)) for name, value in pairs]
        return Reply(reply.status, renamed, reply.body.replace(address.encode(), gateway.encode()))

    return forward


def _instead(reply: Reply) -> Fault:
    """A fault before the target: it does not get the request."""
    return lambda _request, _forward: reply


def _afterwards(reply: Reply) -> Fault:
    """A fault behind the target: it did what was asked, but its answer is lost."""

    def fault(request: Request, forward: Forward) -> Reply:
        forward(request)
        return reply

    return fault


def _endless(request: Request, forward: Forward) -> Reply:
    """Answer with a body whose end does not come."""
    reply = forward(request)
    return Reply(reply.status, {"Content-Length": str(len(reply.body) + 1)}, reply.body)


_NEVER: Final = threading.Event()
FAULTS: Final[Mapping[str, Fault]] = {
    "answer dropped after the write": _afterwards(Reply(hang_up=True)),
    "hang after the write": _afterwards(Reply(hold=_NEVER)),
    "502 after the write": _afterwards(
        Reply(502, {"Content-Type": "text/html"}, b"<h1>502 Bad Gateway</h1>")
    ),
    "redirect after the write": _afterwards(Reply(302, {"Location": "/elsewhere/"})),
    "garbage after the write": _afterwards(
        Reply(200, {"Content-Type": "text/html"}, b"<!DOCTYPE html><p>Hi")
    ),
    "slow body after the write": _endless,
    "reset before the write": _instead(Reply(hang_up=True)),
    "redirect before the write": _instead(Reply(301, {"Location": "/elsewhere/"})),
    "429 before the write": _instead(Reply(429, {"Retry-After": "7"})),
}
SLOW: Final = ("hang after the write", "slow body after the write")
"""Faults that end only when the caller gives up."""
