"""Sliding windows in the memory of one process, for the time in which Redis cannot count."""

import math
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

MOST: Final = 50_000
"""Buckets that are kept. The one that was not asked for longest makes room for a new one."""


@dataclass(frozen=True)
class Verdict:
    """Whether a request is allowed; ``remaining`` more are, until the limit renews in ``reset_seconds``."""

    allowed: bool
    limit: int
    remaining: int
    reset_seconds: int


@dataclass
class _Window:
    began: float
    former: int = 0
    present: int = 0


class LocalWindows:
    """Counts requests as the sliding windows in Redis do: those of the last window fade out evenly.

    A bucket's first request begins its first window.
    """

    def __init__(self) -> None:
        self._windows: OrderedDict[tuple[str, int, int], _Window] = OrderedDict()
        self._lock = Lock()

    def hit(self, name: str, limit: int, per_seconds: int, now: float) -> Verdict:
        """Count one request of the bucket ``name`` at ``now``, in seconds, unless it is over the limit."""
        with self._lock:
            window = self._window((name, limit, per_seconds), now)
            left = window.began + per_seconds - now
            used = math.floor(window.former * left / per_seconds) + window.present
            allowed = used < limit
            window.present += allowed
            wait = left % (per_seconds / window.former) if window.former else left
        return Verdict(allowed, limit, max(0, limit - used - allowed), max(1, math.ceil(wait)))

    def _window(self, key: tuple[str, int, int], now: float) -> _Window:
        seconds = key[-1]
        window = self._windows.setdefault(key, _Window(now))
        self._windows.move_to_end(key)
        passed = math.floor((now - window.began) / seconds)
        if passed > 0:  # threads may come with their times in another order
            window.former = window.present if passed == 1 else 0
            window.began, window.present = window.began + passed * seconds, 0
        if len(self._windows) > MOST:
            self._windows.popitem(last=False)
        return window
