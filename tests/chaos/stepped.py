"""Runs a program of the service by a clock that a file steps, as on a machine whose clock is set.

``python -m tests.chaos.stepped CLOCK PROGRAM [ARGUMENT…]``: CLOCK is a file with the seconds it is ahead,
PROGRAM a file or a module. The clocks of PostgreSQL, of Redis and of SQLite's SQL stay true.
"""

from __future__ import annotations

import runpy
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from app.infra import clock


def step(file: Path) -> None:
    """Let this process's wall clock follow the file; to be called before anything has taken the clock."""
    true_time: Callable[[], float] = time.time
    true_now: Callable[[], datetime] = clock.utc_now

    def ahead() -> float:
        return float(file.read_text())

    time.time = lambda: true_time() + ahead()
    clock.utc_now = lambda: true_now() + timedelta(seconds=ahead())


if __name__ == "__main__":
    step(Path(sys.argv[1]))
    sys.argv = sys.argv[2:]
    if sys.argv[0].endswith(".py"):
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
