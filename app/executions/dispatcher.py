"""Rings the jobs that are next in line: nobody rang them, or their ring was lost.

Each account has a line for each operation, and only the head of a line is rung: as many as the account may
start now. So a ring waits behind a few of each other account, however many jobs one of them has queued. A
place in the line becomes free when a job is claimed or ends, and the next one is rung at once; the scheduler
looks at all lines again and again.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from sqlalchemy import Select, bindparam, func, or_, select, true
from sqlalchemy.orm import aliased

from app.executions import limits, queries
from app.executions.model import ExecutionJob
from app.executions.states import Status
from app.infra import queue
from app.infra.db import database_now, db
from app.infra.faults import Point, reach

ENQUEUE_AGAIN_AFTER: Final = 7.0
"""Seconds. A ring goes with the worker that heard it and died; one in vain costs a look at the row."""
BATCH: Final = 500

_OF = aliased(ExecutionJob)


def dispatch() -> int:
    """Ring what is next in line and was not rung within ENQUEUE_AGAIN_AFTER; return how many.

    When Redis lost what it had, no ring counts any more: neither of those that are next, nor of those that
    cannot be claimed at this moment.
    """
    if queue.was_emptied():
        queries.forget_all_enqueued()
        queue.set_marker()
    return _ring(_next_in_line(limits.running_limits()))


def enqueue_next(job_id: int) -> int:
    """Ring what is next in line in a job's account, unless it was; return how many."""
    return _ring(_next_in_line(limits.running_limits(), of_one_account=True), job_id)


@cache  # making the statement takes longer than asking the database
def _next_in_line(running: limits.Running, of_one_account: bool = False) -> Select[int, int, str]:
    owner = select(_OF.account_id).where(_OF.id == bindparam("job_id")).scalar_subquery()
    first_come = (ExecutionJob.available_at, ExecutionJob.id)
    line = (
        select(
            ExecutionJob.id, ExecutionJob.attempt, ExecutionJob.operation, ExecutionJob.account_id,
            ExecutionJob.available_at, ExecutionJob.enqueued_at,
            func.row_number()
            .over(partition_by=(ExecutionJob.account_id, ExecutionJob.operation), order_by=first_come)
            .label("place"),
        )
        .where(
            ExecutionJob.status == Status.QUEUED,
            ExecutionJob.available_at <= database_now(),
            limits.no_running_duplicate(),
            ExecutionJob.account_id == owner if of_one_account else true(),
        )
        .subquery()
    )  # fmt: skip
    unheard = or_(line.c.enqueued_at.is_(None), line.c.enqueued_at < database_now(-ENQUEUE_AGAIN_AFTER))
    return (
        select(line.c.id, line.c.attempt, line.c.operation)
        .where(
            # The first bound spares counting what runs for every job of a long line.
            line.c.place <= limits.longest_head(running),
            line.c.place <= limits.head_of_line(line.c.account_id, line.c.operation, running),
            unheard,
        )
        .order_by(line.c.place, line.c.available_at)
        .limit(BATCH)
    )


def _ring(next_in_line: Select[int, int, str], job_id: int | None = None) -> int:
    waiting = db.session.execute(next_in_line, {"job_id": job_id}).all()
    db.session.commit()  # a slow Redis must not hold a transaction
    rung = []
    for job in waiting:
        if not queue.enqueue_execution(job.id, job.attempt + 1, limits.deadline(job.operation) + 60):
            break
        rung.append((job.id, job.attempt))
    if rung:
        reach(Point.DISPATCHER_BETWEEN_ENQUEUE_AND_MARK)
        queries.mark_enqueued(rung)
    return len(rung)
