"""Rings every queued job that nobody rang, or whose ring was lost; run again and again by the scheduler.

A job that could not be claimed now, because of its account's limit or a running twin, is not rung yet.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import or_, select, true

from app.executions import limits, queries
from app.executions.model import ExecutionJob
from app.executions.states import Status
from app.infra import queue
from app.infra.db import database_now, db
from app.infra.faults import Point, reach

RING_AGAIN_AFTER: Final = 30.0
BATCH: Final = 500


def dispatch() -> int:
    """Ring the queued jobs whose time has come and whose last ring is over 30 s old; return how many.

    A Redis that lost what it had is rung for all of them.
    """
    unheard = or_(ExecutionJob.rung_at.is_(None), ExecutionJob.rung_at < database_now(-RING_AGAIN_AFTER))
    waiting = db.session.execute(
        select(ExecutionJob.id, ExecutionJob.attempt, ExecutionJob.operation)
        .where(
            ExecutionJob.status == Status.QUEUED,
            ExecutionJob.available_at <= database_now(),
            true() if queue.lost_everything() else unheard,
            limits.below_running_limit(),
            limits.no_running_twin(),
        )
        .order_by(ExecutionJob.available_at)
        .limit(BATCH)
    ).all()
    db.session.commit()
    rung = []
    for job in waiting:
        if not queue.ring(job.id, job.attempt + 1, limits.deadline(job.operation) + 60):
            break
        rung.append(job.id)
    if rung:
        reach(Point.DISPATCHER_BETWEEN_RING_AND_MARK)
        queries.mark_rung(rung)
    return len(rung)
