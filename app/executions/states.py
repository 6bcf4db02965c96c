"""The states of an execution job and the allowed transitions between them (pure)."""

from enum import StrEnum
from typing import Final


class Status(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"


class Event(StrEnum):
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


TRANSITIONS: Final[dict[Status, frozenset[Status]]] = {
    Status.QUEUED: frozenset({Status.RUNNING, Status.FAILED, Status.CANCELED}),
    Status.RUNNING: frozenset(Status),
    Status.SUCCEEDED: frozenset(),
    Status.FAILED: frozenset(),
    Status.CANCELED: frozenset(),
}

ACTIVE: Final = (Status.QUEUED, Status.RUNNING)
TERMINAL: Final = (Status.SUCCEEDED, Status.FAILED, Status.CANCELED)
