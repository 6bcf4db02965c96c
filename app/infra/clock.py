"""Time: the UTC wall clock, its text form, and waiting. Leases use the database's clock (infra/db)."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

_RFC3339: Final = "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ"
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 0.5


def utc_now() -> datetime:
    return datetime.now(UTC)


def rfc3339(moment: datetime | None) -> str | None:
    """Return a time as RFC 3339 in UTC with ``Z`` and milliseconds, such as ``2026-01-31T09:30:00.125Z``."""
    if moment is None:
        return None
    at = moment.astimezone(UTC)
    members = at.year, at.month, at.day, at.hour, at.minute, at.second, at.microsecond // 1000
    return _RFC3339 % members  # half the time of isoformat(): lists have hundreds of times


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
