"""Lock files that a killed program left: Git itself waits for somebody to remove them."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import Final

STALE_SECONDS: Final = 300.0
"""Git and this service hold the lock of a branch for moments."""


def remove_if_stale(lock: Path) -> None:
    """Remove a lock file that has been there for STALE_SECONDS. Raises OSError."""
    folder = os.open(lock.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # Of several processes that find it, only one may remove it: the next one would remove a new lock.
        fcntl.flock(folder, fcntl.LOCK_EX)
        if time.time() - lock.stat().st_mtime > STALE_SECONDS:
            lock.unlink()
    except FileNotFoundError:
        return
    finally:
        os.close(folder)
