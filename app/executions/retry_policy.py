"""When a failed attempt is followed by another, and after how long (pure)."""

from __future__ import annotations

import random
from typing import Final

from app.failures import Failure

MAX_ATTEMPTS: Final = 3

# A failure that may be over a moment later. Others need a person, or would fail the same way again. A text
# provider has been tried again within the attempt by then, and another one would pay for all of it anew.
TRANSIENT: Final = frozenset(
    {
        "EXECUTION_FAILED",
        "SERVICE_UNAVAILABLE",
        "WORKER_LOST",
    }
)


def another_attempt(failure: Failure, attempt: int, transient: bool = False) -> bool:
    """Whether a job whose attempt number ``attempt`` (from 1) failed so is tried again."""
    return attempt < MAX_ATTEMPTS and (transient or failure.code in TRANSIENT)


def backoff(attempt: int, rng: random.Random | None = None) -> float:
    """Return the seconds to wait after attempt number ``attempt``: 2, 8, … with half of it as jitter."""
    longest = 2.0 * 4.0 ** (attempt - 1)
    return longest * (rng or random.Random()).uniform(0.5, 1.0)  # noqa: S311
