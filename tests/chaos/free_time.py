"""When the service could have done more than it did: a worker was free, and what it needs was there."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Final

from tests.chaos.faults import Faults
from tests.chaos.system import System
from tests.support.process_tree import children

_EVERY: Final = 0.1
_READY: Final = b"] ready"


class Looks:
    """What was found when somebody looked; in between it was so if it was so at both ends."""

    def __init__(self) -> None:
        self._found: list[tuple[float, bool]] = []

    def add(self, moment: float, is_free: bool) -> None:
        """Take note of a look, later than all before."""
        self._found.append((moment, is_free))

    def seconds(self, since: float, until: float) -> float:
        """How long a worker was free between two times."""
        return sum(
            max(0.0, min(then, until) - max(before, since))
            for (before, was_free), (then, is_free) in pairwise(self._found)
            if was_free and is_free
        )


class FreeTimeWatch:
    """Looks whether a worker, which waits for jobs and has none, could take one."""

    def __init__(self, system: System, faults: Faults) -> None:
        self.looks = Looks()
        self._system = system
        self._faults = faults
        self._ready: set[int] = set()
        self._next = 0.0

    def look(self) -> None:
        """Look ten times a second."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _EVERY
        self.looks.add(time.time(), self._is_free())

    def _is_free(self) -> bool:
        if not self._faults.servers_are_there() or not self._ready_pids("scheduler"):
            return False
        return any(not children(pid) for pid in self._ready_pids("worker"))

    def _ready_pids(self, name: str) -> list[int]:
        """The processes of a name that have started up and are neither frozen nor told to stop."""
        for run in self._system.running(name):
            if run.process.pid not in self._ready and _READY in run.log.read_bytes():
                self._ready.add(run.process.pid)
        pids = [run.process.pid for run in self._system.running(name)]
        return [pid for pid in pids if pid in self._ready and not self._faults.is_stopped(pid)]
