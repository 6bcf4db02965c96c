"""The only place where a job's status changes: one conditional UPDATE, one history row, one transaction.

Nothing here commits. Readers of the history: GET of a job, the dashboard's timeline, the guarantees' tests.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, func, insert, update
from sqlalchemy.orm import InstrumentedAttribute

from app.executions.model import ExecutionJob, JobHistory
from app.executions.states import TERMINAL, TRANSITIONS, Event, Status
from app.infra.db import database_now, db, later_of, seconds_between, table_of

# A history never goes back in time, even if the database's clock does.
_CHANGE_TIME = later_of(ExecutionJob.updated_at.expression, database_now())

_ENDED: Final[Mapping[str, ColumnElement[Any]]] = {
    "completed_at": database_now(),
    "seconds": func.coalesce(seconds_between(ExecutionJob.started_at.expression, database_now()), 0.0),
}

# The tables rather than the models: the ORM would double the time of these frequent statements.
_JOBS = table_of(ExecutionJob)
_HISTORY = table_of(JobHistory)

Changed = Row[Any]


def move(
    job_id: int,
    old: Iterable[Status],
    new: Status,
    event: Event,
    *,
    guards: Iterable[ColumnElement[bool]] = (),
    details: Mapping[str, Any] | Callable[[Changed], Mapping[str, Any]] | None = None,
    returning: Iterable[InstrumentedAttribute[Any]] = (),
    **values: Any,
) -> Changed | None:
    """Move a job to ``new`` if it is in one of ``old`` and every guard is met.

    A job that ends gets its time of completion and its duration. Returns updated_at, attempt, fence and
    ``returning`` of the changed row, or None when the move is refused and nothing changed. ``details`` may be
    a function of that row. Raises ValueError for a transition that is not allowed.
    """
    states = tuple(old)
    if not all(new in TRANSITIONS[state] for state in states):
        raise ValueError(f"no transition from {states} to {new}")
    ended = _ENDED if new in TERMINAL else {}
    statement = (
        update(_JOBS)
        .where(ExecutionJob.id == job_id, ExecutionJob.status.in_(states), *guards)
        .values(status=new, updated_at=_CHANGE_TIME, **ended, **values)
        .returning(ExecutionJob.updated_at, ExecutionJob.attempt, ExecutionJob.fence, *returning)
    )
    row = db.session.execute(statement).one_or_none()
    if row is not None:
        record([job_id], row.updated_at, event, new, details(row) if callable(details) else details)
    return row


def note(
    job_id: int,
    event: Event,
    *,
    guards: Iterable[ColumnElement[bool]],
    details: Mapping[str, Any] | None,
    **values: Any,
) -> bool:
    """Write a history row without changing the status, if every guard is met; return whether they were."""
    statement = (
        update(_JOBS)
        .where(ExecutionJob.id == job_id, *guards)
        .values(updated_at=_CHANGE_TIME, **values)
        .returning(ExecutionJob.updated_at, ExecutionJob.status)
    )
    row = db.session.execute(statement).one_or_none()
    if row is None:
        return False
    record([job_id], row.updated_at, event, Status(row.status), details)
    return True


def record(
    job_ids: Iterable[int], at: datetime, event: Event, status: Status, details: Mapping[str, Any] | None
) -> None:
    """Append the same history row for each of some jobs, at least one."""
    common = {"at": at, "event": event, "status": status, "details": dict(details) if details else None}
    db.session.execute(insert(_HISTORY), [{"job_id": job_id, **common} for job_id in job_ids])


def owned_by(fence: int) -> tuple[ColumnElement[bool], ...]:
    """Return the guards of a worker's write: the job is running and the fence is its own."""
    return (ExecutionJob.status == Status.RUNNING, ExecutionJob.fence == fence)
