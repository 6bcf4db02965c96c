"""How long the details of ended jobs are kept.

``prune`` removes a job's artefacts after ``ARTEFACT_RETENTION_DAYS``. After ``JOB_RETENTION_DAYS`` it
removes the input, the result and what they say the job is about, the progress, the history except its last
row, and the hints and details of failures. The job, its idempotency keys and its final status stay for ever.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, ScalarSelect, delete, func, select, update

from app.executions.model import ExecutionJob, JobHistory
from app.infra.clock import utc_now
from app.infra.db import changed_rows, database_now, db
from app.infra.settings import current_settings

BATCH: Final = 200
ROUNDS: Final = 10


def prune() -> int:
    """Prune the jobs whose retention is over, with a commit for each batch; return how many rows changed.

    It may run twice, or in two processes at once.
    """
    return _rounds(_prune_jobs) + _rounds(_drop_artefacts)


def _rounds(batch: Callable[[], int]) -> int:
    done = 0
    for _ in range(ROUNDS):
        found = batch()
        db.session.commit()
        done += found
        if found < BATCH:
            break
    return done


def _drop_artefacts() -> int:
    ended = _ended_before(current_settings().artefact_retention_days)
    ids = _lock_batch(ExecutionJob.artefacts.is_not(None), ended)
    _change(ids, artefacts=None)
    return len(ids)


def _prune_jobs() -> int:
    ids = _lock_batch(ExecutionJob.pruned_at.is_(None), _ended_before(current_settings().job_retention_days))
    _prune_history(ids)
    _prune_failures(ids)
    details: dict[str, Any] = {"payload": {}, "result": None, "progress": None, "artefacts": None}
    _change(ids, **details, subject="", post_id=None, pruned_at=database_now())
    return len(ids)


def _ended_before(days: int) -> ColumnElement[bool]:
    # A value: with the database's clock, which may change within a statement, the index could not be used.
    return ExecutionJob.completed_at < utc_now() - timedelta(days=days)


def _lock_batch(*conditions: ColumnElement[bool]) -> list[int]:
    statement = (
        select(ExecutionJob.id)
        .where(ExecutionJob.completed_at.is_not(None), *conditions)
        .order_by(ExecutionJob.completed_at)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    return list(db.session.scalars(statement))


def _prune_history(job_ids: Sequence[int]) -> None:
    changed_rows(delete(JobHistory).where(JobHistory.job_id.in_(job_ids), JobHistory.id != _last_row()))
    rows = db.session.execute(
        select(JobHistory.id, JobHistory.details).where(JobHistory.job_id.in_(job_ids))
    ).all()
    for row in rows:
        kept = {name: value for name, value in (row.details or {}).items() if name != "failure"}
        changed_rows(
            update(JobHistory).where(JobHistory.id == row.id).values(details={**kept, "pruned": True})
        )


def _last_row() -> ScalarSelect[int]:
    other = JobHistory.__table__.alias()
    return select(func.max(other.c.id)).where(other.c.job_id == JobHistory.job_id).scalar_subquery()


def _prune_failures(job_ids: Sequence[int]) -> None:
    rows = db.session.execute(
        select(ExecutionJob.id, ExecutionJob.failure, ExecutionJob.rollback_failure).where(
            ExecutionJob.id.in_(job_ids)
        )
    ).all()
    for row in rows:
        _change([row.id], failure=_bare(row.failure), rollback_failure=_bare(row.rollback_failure))


def _bare(failure: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if failure is None:
        return None
    return {**failure, "remediation_hints": [], "details": None}


def _change(job_ids: Sequence[int], **values: Any) -> None:
    changed_rows(update(ExecutionJob).where(ExecutionJob.id.in_(job_ids)).values(**values))
