"""Waiting for a job's end inside a request: a few requests at a time, so that the others are answered."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Final

from app.executions import service
from app.executions.model import ExecutionJob
from app.infra.db import reading, release

PLACES: Final = 4
"""How many requests of a process may wait at a time: half of the web process's threads (Procfile)."""

_places: Final = BoundedSemaphore(PLACES)


def waited(job_id: int, seconds: float) -> ExecutionJob:
    """Return a job when it has ended, after ``seconds`` at the latest; at once while others wait already.

    SQLite's writers, such as the worker, are not kept from their work meanwhile.
    """
    release()
    with reading():
        if not _places.acquire(blocking=False):
            return service.wait(job_id, 0)
        try:
            return service.wait(job_id, seconds)
        finally:
            _places.release()
