"""What one process spends: CPU and wall seconds, and the peak of its memory above where it began."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devtools.local import ROOT

_STATUS = Path("/proc/self/status")
_MEGABYTE = 1024  # of kilobytes


class Spending:
    """A with block whose cost is known afterwards; ``others`` are processes that work for it, memory aside.

    Memory is counted from what the process used at its first block.
    """

    _idle: int | None = None

    def __init__(self, *others: int) -> None:
        self._others = others
        self.cpu = self.wall = self.memory = 0.0

    def __enter__(self) -> Spending:
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak
        if Spending._idle is None:
            Spending._idle = _kilobytes("VmRSS")
        self._cpu, self._wall = self._spent(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall = time.perf_counter() - self._wall
        self.cpu = self._spent() - self._cpu
        self.memory = (_kilobytes("VmHWM") - (Spending._idle or 0)) / _MEGABYTE

    def as_dict(self) -> dict[str, float]:
        """The costs: seconds, and megabytes."""
        return {"cpu": self.cpu, "wall": self.wall, "memory": self.memory}

    def so_far(self) -> float:
        """CPU seconds since the block began."""
        return self._spent() - self._cpu

    def _spent(self) -> float:
        return time.process_time() + sum(map(_cpu_of, self._others))


def _kilobytes(name: str) -> int:
    return next(int(line.split()[1]) for line in _STATUS.read_text().splitlines() if line.startswith(name))


def _cpu_of(pid: int) -> float:
    """CPU seconds of another process, by the scheduler's nanoseconds: clock ticks are too coarse."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


@dataclass
class Failed(Exception):
    """A measured process ended badly; this is what it said."""

    output: str


def measured(module: str, *arguments: str, env: Mapping[str, str]) -> Any:
    """Run ``python -m module arguments`` and return what it printed last, as JSON."""
    words = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(words, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)
    return json.loads(done.stdout.splitlines()[-1])
