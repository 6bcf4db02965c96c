"""Waiting for a condition instead of for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds for what comes within a moment on an idle machine. What was promised sooner names its own."""


def eventually(condition: Callable[[], T], what: str, seconds: float = PATIENCE, pause: float = 0.02) -> T:
    """Ask until the answer is true and return it. Raises AssertionError naming ``what`` after ``seconds``."""
    deadline = time.monotonic() + seconds
    while True:
        if answer := condition():
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(pause)
