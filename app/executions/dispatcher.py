"""Enqueues the jobs that are next in line.

Each account has a line for each operation, oldest job first. Only the head of a line is on the queue: as
many jobs as the account may start now. So a job waits behind a few of each other account, however many jobs
one of them has queued. When a job is claimed or ends, the account's next one is enqueued at once. The
scheduler checks all lines every few seconds and enqueues what Redis or a worker has lost.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam, func, or_, select, true, tuple_, update
from sqlalchemy.orm import aliased

from app.executions import limits
from app.executions.model import ExecutionJob
from app.executions.states import Status
from app.infra import queue
from app.infra.db import changed_rows, database_now, db
from app.infra.faults import Point, reach

ENQUEUE_AGAIN_AFTER: Final = 7.0
"""Seconds. A queue entry is lost with the worker that took it; a superfluous one costs a look at the row."""
BATCH: Final = 500

_OF = aliased(ExecutionJob)


def dispatch() -> int:
    """Enqueue what is next in line and was not enqueued within ENQUEUE_AGAIN_AFTER; return how many.

    When Redis was emptied, all queued jobs count as not enqueued, also those that cannot be claimed now.
    """
    if queue.was_emptied():
        _set_enqueued(None, ExecutionJob.enqueued_at.is_not(None))
        queue.set_marker()
    return _enqueue(_next_in_line(limits.running_limits()))


def enqueue_next(job_id: int) -> int:
    """Enqueue what is next in line in a job's account, unless it was enqueued; return how many."""
    return _enqueue(_next_in_line(limits.running_limits(), of_one_account=True), job_id)


def forget_enqueued(job_id: int) -> None:
    """Let the dispatcher enqueue a queued job again as soon as it can be claimed."""
    _set_enqueued(None, ExecutionJob.id == job_id)


@cache  # building the statement takes longer than executing it
def _next_in_line(running: limits.Running, of_one_account: bool = False) -> Select[int, int, str]:
    owner = select(_OF.account_id).where(_OF.id == bindparam("job_id")).scalar_subquery()
    oldest_first = (ExecutionJob.available_at, ExecutionJob.id)
    line = (
        select(
            ExecutionJob.id,
            ExecutionJob.attempt,
            ExecutionJob.operation,
            ExecutionJob.account_id,
            ExecutionJob.available_at,
            ExecutionJob.enqueued_at,
            func.row_number()
            .over(partition_by=(ExecutionJob.account_id, ExecutionJob.operation), order_by=oldest_first)
            .label("place"),
        )
        .where(
            ExecutionJob.status == Status.QUEUED,
            ExecutionJob.available_at <= database_now(),
            limits.no_running_duplicate(),
            ExecutionJob.account_id == owner if of_one_account else true(),
        )
        .subquery()
    )
    return (
        select(line.c.id, line.c.attempt, line.c.operation)
        .where(
            # The first bound avoids counting the running jobs for every job of a long line.
            line.c.place <= limits.longest_head(running),
            line.c.place <= limits.head_of_line(line.c.account_id, line.c.operation, running),
            or_(line.c.enqueued_at.is_(None), line.c.enqueued_at < database_now(-ENQUEUE_AGAIN_AFTER)),
        )
        .order_by(line.c.place, line.c.available_at)
        .limit(BATCH)
    )


def _enqueue(next_in_line: Select[int, int, str], job_id: int | None = None) -> int:
    waiting = db.session.execute(next_in_line, {"job_id": job_id}).all()
    db.session.commit()  # no transaction stays open while Redis is slow
    enqueued: list[tuple[int, int]] = []
    for job in waiting:
        if not queue.enqueue_execution(job.id, job.attempt + 1, limits.deadline(job.operation) + 60):
            break
        enqueued.append((job.id, job.attempt))
    if enqueued:
        reach(Point.DISPATCHER_BETWEEN_ENQUEUE_AND_MARK)
        mark_enqueued(enqueued)
    return len(enqueued)


def mark_enqueued(jobs: Sequence[tuple[int, int]]) -> None:
    """Record that jobs, given by id and attempt, were enqueued, if they are still queued."""
    _set_enqueued(database_now(), tuple_(ExecutionJob.id, ExecutionJob.attempt).in_(jobs))


def _set_enqueued(value: Any, condition: ColumnElement[bool]) -> None:
    changed_rows(
        update(ExecutionJob).where(ExecutionJob.status == Status.QUEUED, condition).values(enqueued_at=value)
    )
    db.session.commit()
