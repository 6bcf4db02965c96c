"""The states of an execution job and the moves between them (pure)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Status(StrEnum):
    """The canonical status model."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"


class Event(StrEnum):
    """What a line of a job's history tells."""

    JOB_CREATED = "JOB_CREATED"
    JOB_RETRIED = "JOB_RETRIED"
    JOB_STARTED = "JOB_STARTED"
    JOB_PROGRESS = "JOB_PROGRESS"
    JOB_REQUEUED = "JOB_REQUEUED"
    JOB_SUCCEEDED = "JOB_SUCCEEDED"
    JOB_FAILED = "JOB_FAILED"
    JOB_CANCELED = "JOB_CANCELED"
    JOB_ROLLBACK_COMPLETED = "JOB_ROLLBACK_COMPLETED"
    JOB_ROLLBACK_BLOCKED = "JOB_ROLLBACK_BLOCKED"


MOVES: Final[dict[Status, frozenset[Status]]] = {
    Status.QUEUED: frozenset({Status.RUNNING, Status.FAILED, Status.CANCELED}),
    Status.RUNNING: frozenset(
        {Status.RUNNING, Status.QUEUED, Status.SUCCEEDED, Status.FAILED, Status.CANCELED}
    ),
    Status.SUCCEEDED: frozenset(),
    Status.FAILED: frozenset(),
    Status.CANCELED: frozenset(),
}

ACTIVE: Final = (Status.QUEUED, Status.RUNNING)
TERMINAL: Final = (Status.SUCCEEDED, Status.FAILED, Status.CANCELED)


def may_move(old: Status, new: Status) -> bool:
    """Whether a job may go from ``old`` to ``new``."""
    return new in MOVES[old]
