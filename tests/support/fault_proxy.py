"""A proxy in front of a publish target that spoils chosen calls."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from tests.support.servers import Reply, Request, SiteServer

_OWN_HEADERS: Final = frozenset({"host", "connection", "content-length", "transfer-encoding", "keep-alive"})
_PAGE: Final = {"Content-Type": "text/html"}

AFTER: Final = ("dropped", "hang", "bad_gateway", "redirect_after", "garbage", "slow_body")
"""Faults of calls that the target has carried out."""
BEFORE: Final = ("redirect", "rate_limit", "reset")
"""Faults of calls that the target never gets."""
FAULTS: Final = (*AFTER, *BEFORE)
SLOW: Final = ("hang", "slow_body")
"""Faults that end only when the caller gives up."""


class FaultProxy(SiteServer):
    """Passes each request on to ``upstream``, except those that ``spoil`` names.

    Headers that are ``removed`` do not arrive there.
    """

    def __init__(self, upstream: str) -> None:
        self._upstream = urlsplit(upstream).netloc
        self.fault = ""
        self.removed: frozenset[str] = frozenset()
        self._left = 0
        self._is_meant: Callable[[Request], bool] = lambda _: False
        self._lock = threading.Lock()
        self._closing = threading.Event()
        super().__init__()

    def spoil(self, fault: str, is_meant: Callable[[Request], bool], times: int = 1) -> None:
        """Spoil the next requests that are meant; no others from now on."""
        self.fault, self._is_meant, self._left = fault, is_meant, times

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        if not self._takes_fault(request):
            return self._passed_on(request)
        if self.fault in AFTER:
            return self._spoiled(self._passed_on(request))
        if self.fault == "rate_limit":
            return Reply(429, {**_PAGE, "Retry-After": "30"}, b"<h1>Too many requests</h1>")
        return Reply(hang_up=True) if self.fault == "reset" else self._elsewhere()

    def close(self) -> None:
        self._closing.set()
        super().close()

    def _takes_fault(self, request: Request) -> bool:
        with self._lock:
            if self._left == 0 or not self._is_meant(request):
                return False
            self._left -= 1
            return True

    def _spoiled(self, reply: Reply) -> Reply:
        if self.fault == "dropped":
            return Reply(hang_up=True)
        if self.fault == "hang":
            return Reply(hold=self._closing, hang_up=True)
        if self.fault == "slow_body":
            size = str(len(reply.body) + 10_000)
            return Reply(reply.status, {"Content-Length": size}, reply.body[:20])
        if self.fault == "redirect_after":
            return self._elsewhere()
        return Reply(502 if self.fault == "bad_gateway" else 200, _PAGE, b"<h1>Something else</h1>")

    def _elsewhere(self) -> Reply:
        return Reply(302, {"Location": f"{self.url}/elsewhere"})

    def _passed_on(self, request: Request) -> Reply:
        connection = http.client.HTTPConnection(self._upstream, timeout=60)
        headers = {
            name: value for name, value in request.headers.items() if name not in _OWN_HEADERS | self.removed
        }
        try:
            connection.request(request.method, request.path, request.body, headers)
            response = connection.getresponse()
            kept = [
                (name, value) for name, value in response.getheaders() if name.lower() not in _OWN_HEADERS
            ]
            return Reply(response.status, kept, response.read())
        finally:
            connection.close()
