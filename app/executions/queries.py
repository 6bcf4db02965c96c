"""Reading execution jobs: one, a page of them, their history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, func, select, tuple_, update

from app.executions.model import ExecutionJob, JobHistory
from app.executions.states import ACTIVE, Status
from app.failures import ServiceFailure
from app.infra.db import database_now, db


@dataclass(frozen=True)
class JobFilter:
    """What a list of jobs is narrowed to; None leaves a member open."""

    project_id: int | None = None
    operation: str | None = None
    status: str | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the filter as SQL conditions."""
        pairs = (
            (ExecutionJob.project_id, self.project_id),
            (ExecutionJob.operation, self.operation),
            (ExecutionJob.status, self.status),
        )
        return [column == value for column, value in pairs if value is not None]


def reload(job_id: int) -> ExecutionJob:
    """Return a job as the database has it now. Raises JOB_NOT_FOUND."""
    job = db.session.get(ExecutionJob, job_id, populate_existing=True)
    if job is None:
        raise ServiceFailure("JOB_NOT_FOUND")
    return job


def get_job(account_id: int, job_id: int) -> ExecutionJob:
    """Return an account's job. Raises JOB_NOT_FOUND, for another account's job too."""
    job = db.session.get(ExecutionJob, job_id)
    if job is None or job.account_id != account_id:
        raise ServiceFailure("JOB_NOT_FOUND")
    return job


def list_jobs(
    account_id: int, where: JobFilter, page: int, page_size: int
) -> tuple[Sequence[ExecutionJob], int]:
    """Return one page of an account's jobs, newest first, and how many there are in all."""
    conditions = [ExecutionJob.account_id == account_id, *where.conditions()]
    total = db.session.scalar(select(func.count()).select_from(ExecutionJob).where(*conditions)) or 0
    rows = db.session.scalars(
        select(ExecutionJob)
        .where(*conditions)
        .order_by(ExecutionJob.id.desc())
        .offset((page - 1) * page_size)
        .limit(page_size)
    ).all()
    return rows, total


def history_of(job_ids: Iterable[int], since: int = 0) -> dict[int, list[JobHistory]]:
    """Return the history rows of jobs, oldest first, after the row with id ``since``."""
    ids = list(job_ids)
    histories: dict[int, list[JobHistory]] = {job_id: [] for job_id in ids}
    rows = db.session.scalars(
        select(JobHistory)
        .where(JobHistory.job_id.in_(ids), JobHistory.id > since)
        .order_by(JobHistory.job_id, JobHistory.id)
    )
    for row in rows:
        histories[row.job_id].append(row)
    return histories


def active_job_ids() -> Select[int]:
    """Return the selection of the jobs that are queued or running."""
    return select(ExecutionJob.id).where(ExecutionJob.status.in_(ACTIVE))


def forget_enqueued(job_id: int) -> None:
    """Let a queued job be rung again as soon as it may be claimed."""
    db.session.execute(
        update(ExecutionJob)
        .where(ExecutionJob.id == job_id, ExecutionJob.status == Status.QUEUED)
        .values(enqueued_at=None)
        .execution_options(synchronize_session=False)
    )
    db.session.commit()


def forget_all_enqueued() -> None:
    """Let every queued job be rung again."""
    db.session.execute(
        update(ExecutionJob)
        .where(ExecutionJob.status == Status.QUEUED, ExecutionJob.enqueued_at.is_not(None))
        .values(enqueued_at=None)
        .execution_options(synchronize_session=False)
    )
    db.session.commit()


def mark_enqueued(rung: Iterable[tuple[int, int]]) -> None:
    """Remember that jobs, given by id and attempt, were put on the queue, if they are still queued."""
    db.session.execute(
        update(ExecutionJob)
        .where(
            tuple_(ExecutionJob.id, ExecutionJob.attempt).in_(list(rung)),
            ExecutionJob.status == Status.QUEUED,
        )
        .values(enqueued_at=database_now())
        .execution_options(synchronize_session=False)
    )
    db.session.commit()
