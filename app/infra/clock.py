"""Time: the UTC wall clock, its text form, and waiting. Leases use the database's clock (infra/db)."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 0.5


def utc_now() -> datetime:
    """Return the current time, aware, in UTC."""
    return datetime.now(UTC)


def rfc3339(moment: datetime | None) -> str | None:
    """Return a time as RFC 3339 in UTC with ``Z`` and milliseconds, such as ``2026-01-31T09:30:00.125Z``."""
    if moment is None:
        return None
    text = moment.astimezone(UTC).isoformat("T", "milliseconds")
    return f"{text[:-6]}Z"  # in place of +00:00


def wait_until(deadline: float, stop: Callable[[], bool]) -> bool:
    """Wait until the monotonic clock reaches ``deadline`` or ``stop`` returns True; return whether it did.

    ``stop`` is called again and again, first after 50 ms and later every 500 ms, and once more at the
    deadline.
    """
    pause = _FIRST_PAUSE
    while not stop():
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
        pause = min(_LONGEST_PAUSE, pause * 1.5)
    return True
