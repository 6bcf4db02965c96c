"""Rings every queued job that nobody rang, or whose ring was lost; run again and again by the scheduler."""

from __future__ import annotations

from typing import Final

from sqlalchemy import or_, select

from app.executions import limits, queries
from app.executions.model import ExecutionJob
from app.executions.states import Status
from app.infra import queue
from app.infra.db import database_now, db

RING_AGAIN_AFTER: Final = 30.0
BATCH: Final = 500


def dispatch() -> int:
    """Ring the queued jobs whose time has come and whose last ring is over 30 s old; return how many."""
    waiting = db.session.execute(
        select(ExecutionJob.id, ExecutionJob.attempt, ExecutionJob.operation)
        .where(
            ExecutionJob.status == Status.QUEUED,
            ExecutionJob.available_at <= database_now(),
            or_(ExecutionJob.rung_at.is_(None), ExecutionJob.rung_at < database_now(-RING_AGAIN_AFTER)),
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
        queries.mark_rung(rung)
    return len(rung)
