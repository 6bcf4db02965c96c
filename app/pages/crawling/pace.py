"""One page at a time from a site, and a pause before the next, whichever worker reads it.

Redis keeps the turn, as a key that runs out; while it is away each reader keeps its own pauses.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from redis.exceptions import RedisError

from app.failures import ServiceFailure
from app.infra import queue
from app.infra.http.address_rules import AllowedPairs, check_url
from app.infra.urls import host_of

USUAL: Final = 1.0
"""Seconds between two pages of a site that asks for nothing else."""

# A page and the robots.txt of two sites, each at its slowest, and the page once more.
_LONGEST_TURN: Final = 150.0
_LOOK_EVERY: Final = 0.2


class Pace:
    """Whose turn it is to read from a site. ``exempt`` are the operator's own addresses: no pauses there."""

    def __init__(self, exempt: AllowedPairs, usual: float = USUAL) -> None:
        self.usual = usual
        self._exempt = exempt
        self._free_at: dict[str, float] = {}

    def take_turn(self, url: str, until: float, should_stop: Callable[[], bool]) -> bool:
        """Wait for the site's turn; False when ``until``, a time of the monotonic clock, came before it."""
        if self._is_exempt(url):
            return True
        host = host_of(url)
        while not self._taken(host):
            if should_stop() or time.monotonic() >= until:
                return False
            time.sleep(_LOOK_EVERY)
        return True

    def end_turn(self, url: str, pause: float) -> None:
        """Let the next reader have its turn when ``pause`` seconds have gone by."""
        if self._is_exempt(url):
            return
        host = host_of(url)
        self._free_at[host] = time.monotonic() + pause
        with suppress(RedisError), queue.guarded():
            queue.redis_client().pexpire(_key(host), max(1, round(pause * 1000)))

    def _taken(self, host: str) -> bool:
        if time.monotonic() < self._free_at.get(host, 0.0):
            return False
        try:
            with queue.guarded():
                longest = round(_LONGEST_TURN * 1000)
                return bool(queue.redis_client().set(_key(host), 1, nx=True, px=longest))
        except RedisError:
            return True

    def _is_exempt(self, url: str) -> bool:
        try:
            endpoint = check_url(url, self._exempt)
        except ServiceFailure:
            return True  # it will be refused without a request
        return (endpoint.host, endpoint.port) in self._exempt


def _key(host: str) -> str:
    return f"page-turn:{host}"
