"""Reading execution jobs: one, a page of them, their history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, CompoundSelect, bindparam, func, literal, or_, select, union_all

from app.content.model import BlogPost
from app.executions.model import ExecutionJob, JobHistory
from app.executions.states import ACTIVE
from app.executions.subjects import MOST_CHARACTERS, searchable
from app.failures import ServiceFailure
from app.infra.db import LARGEST_ID, db
from app.projects.model import Project

ORDERS: Final = {
    "newest": (ExecutionJob.id.desc(),),
    "oldest": (ExecutionJob.id,),
    "longest": (ExecutionJob.seconds.desc(), ExecutionJob.id.desc()),
}
"""The orders of a list of jobs; each has an index."""


@dataclass(frozen=True)
class JobFilter:
    """Which jobs a list shows; None does not filter.

    ``q`` is in the topic or in the title of the job's post, in any case, or it is the job's number.
    ``within`` is the project that the reader may see, None for all of the account.
    """

    project_id: int | None = None
    operation: str | None = None
    status: str | None = None
    q: str | None = None
    within: int | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves out any job."""
        return any((self.project_id, self.operation, self.status, self.q))

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the filter as SQL conditions."""
        pairs = (
            (ExecutionJob.project_id, self.project_id),
            (ExecutionJob.project_id, self.within),
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
    account_id: int, where: JobFilter, page: int, page_size: int, order: str = "newest"
) -> tuple[Sequence[ExecutionJob], int]:
    """Return one page of an account's jobs in one of ORDERS, and how many there are in all."""
    conditions = [ExecutionJob.account_id == account_id, *where.conditions(), *_about(account_id, where.q)]
    total = db.session.scalar(select(func.count()).select_from(ExecutionJob).where(*conditions)) or 0
    offset = (page - 1) * page_size
    if offset >= total:
        return [], total
    # An index alone finds the ids, while rows of jobs are large.
    ids = select(ExecutionJob.id).where(*conditions).order_by(*ORDERS[order]).offset(offset).limit(page_size)
    rows = select(ExecutionJob).where(ExecutionJob.id.in_(ids)).order_by(*ORDERS[order])
    return db.session.scalars(rows).all(), total


def _about(account_id: int, q: str | None) -> list[ColumnElement[bool]]:
    """Return the condition that jobs of an account are about ``q``, or have it as their number."""
    sought = (q or "").strip()[:MOST_CHARACTERS]
    if not sought:
        return []
    own = select(Project.id).where(Project.account_id == account_id)
    posts = select(BlogPost.id).where(
        BlogPost.project_id.in_(own), BlogPost.title.icontains(sought, autoescape=True)
    )
    named = ExecutionJob.subject.contains(searchable(sought), autoescape=True)
    found = [named, ExecutionJob.post_id.in_(posts)]
    number = sought.removeprefix("#")
    if number.isascii() and number.isdigit() and int(number) <= LARGEST_ID:
        found.append(ExecutionJob.id == int(number))
    return [or_(*found)]


def latest_jobs(
    project_id: int, most: int, operation: str | None = None, status: str | None = None
) -> Sequence[ExecutionJob]:
    """Return at most ``most`` jobs of a project, newest first; filtered by operation and status if given."""
    where = JobFilter(project_id, operation, status).conditions()
    return db.session.scalars(
        select(ExecutionJob).where(*where).order_by(ExecutionJob.id.desc()).limit(most)
    ).all()


def newest_job(project_id: int, operation: str, status: str | None = None) -> ExecutionJob | None:
    """Return a project's newest job of an operation, and of a status if it is given."""
    return next(iter(latest_jobs(project_id, 1, operation, status)), None)


class HistoryEntry(NamedTuple):
    """A row of a job's history. A list of jobs has hundreds of them, too many to be entities of the ORM."""

    id: int
    job_id: int
    at: datetime
    event: str
    status: str
    details: dict[str, Any] | None


_HISTORY: Final = (
    select(*(getattr(JobHistory, name) for name in HistoryEntry._fields))
    .where(JobHistory.job_id.in_(bindparam("job_ids", expanding=True)), JobHistory.id > bindparam("since"))
    .order_by(JobHistory.job_id, JobHistory.id)
)


def history_of(job_ids: Iterable[int], since: int = 0) -> dict[int, list[HistoryEntry]]:
    """Return the history rows of jobs, oldest first, after the row with id ``since``."""
    ids = list(job_ids)
    histories: dict[int, list[HistoryEntry]] = {job_id: [] for job_id in ids}
    for row in db.session.execute(_HISTORY, {"job_ids": ids, "since": since}):
        histories[row.job_id].append(HistoryEntry(*row))
    return histories


def latest_entry(job_ids: Iterable[int]) -> int:
    """Return the id of the newest history row of these jobs, 0 without one."""
    newest = select(func.max(JobHistory.id)).where(JobHistory.job_id.in_(list(job_ids)))
    return db.session.scalar(newest) or 0


def active_job_ids() -> CompoundSelect[int]:
    """Return the selection of the jobs that are queued or running."""
    # Each state has an index of its own, which databases use only for a state written into the statement.
    states = (literal(str(status), literal_execute=True) for status in ACTIVE)
    return union_all(*(select(ExecutionJob.id).where(ExecutionJob.status == state) for state in states))
