"""Reading execution jobs: one, a page of them, their history."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    Text,
    and_,
    bindparam,
    cast,
    func,
    literal,
    or_,
    select,
    union_all,
)

from app.content.model import BlogPost
from app.executions.model import ExecutionJob, JobHistory
from app.executions.states import ACTIVE
from app.executions.subjects import MOST_CHARACTERS, searchable
from app.failures import existing
from app.infra.db import LARGEST_ID, db, table_of
from app.projects.model import Project

ORDERS: Final = {
    "newest": (ExecutionJob.id.desc(),),
    "oldest": (ExecutionJob.id,),
    "longest": (ExecutionJob.seconds.desc(), ExecutionJob.id.desc()),
}
"""The orders of a list of jobs; each has an index."""

_FILTERED: Final = {
    "project_id": ExecutionJob.project_id,
    "within": ExecutionJob.project_id,
    "operation": ExecutionJob.operation,
    "status": ExecutionJob.status,
}


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
        return any((self.project_id, self.operation, self.status, self.q))

    def given(self) -> dict[str, Any]:
        """Return the values that columns of a job shall have, by their names in _FILTERED."""
        return {name: value for name in _FILTERED if (value := getattr(self, name)) is not None}


def reload(job_id: int) -> ExecutionJob:
    """Return a job as the database has it now. Raises JOB_NOT_FOUND."""
    return existing(db.session.get(ExecutionJob, job_id, populate_existing=True), "JOB_NOT_FOUND")


_OWNED: Final = select(ExecutionJob).where(
    ExecutionJob.id == bindparam("job_id"), ExecutionJob.account_id == bindparam("account_id")
)


def get_job(account_id: int, job_id: int) -> ExecutionJob:
    """Return an account's job. Raises JOB_NOT_FOUND, for another account's job too."""
    job = db.session.scalar(_OWNED, {"job_id": job_id, "account_id": account_id})
    return existing(job, "JOB_NOT_FOUND")


def list_jobs(
    account_id: int, where: JobFilter, page: int, page_size: int, order: str = "newest"
) -> tuple[Sequence[ExecutionJob], int]:
    """Return one page of an account's jobs in one of ORDERS, and how many there are in all."""
    given, about = where.given(), _about(account_id, where.q)
    number, rows = (_make_listing if about else _listing)(tuple(given), order, *about)
    offset = (page - 1) * page_size
    values = {**given, "account_id": account_id, "offset": offset, "page_size": page_size}
    total = db.session.scalar(number, values) or 0
    return db.session.scalars(rows, values).all() if offset < total else [], total


def _make_listing(
    given: tuple[str, ...], order: str, *about: ColumnElement[bool]
) -> tuple[Select[int], Select[ExecutionJob]]:
    values = (_FILTERED[name] == bindparam(name) for name in given)
    conditions = [ExecutionJob.account_id == bindparam("account_id"), *values, *about]
    # An index alone finds the ids, while rows of jobs are large.
    ids = select(ExecutionJob.id).where(*conditions).order_by(*ORDERS[order])
    ids = ids.offset(bindparam("offset")).limit(bindparam("page_size"))
    return (
        select(func.count()).select_from(ExecutionJob).where(*conditions),
        select(ExecutionJob).where(ExecutionJob.id.in_(ids)).order_by(*ORDERS[order]),
    )


_listing: Final = cache(_make_listing)  # making them takes as long as executing them


def _about(account_id: int, q: str | None) -> list[ColumnElement[bool]]:
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
    given = JobFilter(project_id, operation, status).given()
    where = (_FILTERED[name] == value for name, value in given.items())
    return db.session.scalars(
        select(ExecutionJob).where(*where).order_by(ExecutionJob.id.desc()).limit(most)
    ).all()


def newest_job(project_id: int, operation: str, status: str | None = None) -> ExecutionJob | None:
    """Return a project's newest job of an operation, and of a status if it is given."""
    return next(iter(latest_jobs(project_id, 1, operation, status)), None)


def newest_jobs(project_id: int, operations: Iterable[str]) -> dict[str, ExecutionJob]:
    """Return a project's newest job of each of these operations that it has, by one statement."""
    newest = (
        select(func.max(ExecutionJob.id))
        .where(ExecutionJob.project_id == project_id, ExecutionJob.operation == operation)
        .scalar_subquery()
        for operation in operations
    )
    jobs = db.session.scalars(select(ExecutionJob).where(ExecutionJob.id.in_(list(newest))))
    return {job.operation: job for job in jobs}


class HistoryEntry(NamedTuple):
    """A row of a job's history. A list of jobs has hundreds of them, too many to be entities of the ORM."""

    id: int
    job_id: int
    at: datetime
    event: str
    status: str
    details: dict[str, Any] | None


# Of the table rather than the model, which would double its time. The details are decoded all together.
_ROWS: Final = table_of(JobHistory).c
_HISTORY: Final = (
    select(_ROWS.id, _ROWS.job_id, _ROWS.at, _ROWS.event, _ROWS.status, cast(_ROWS.details, Text))
    .where(_ROWS.job_id.in_(bindparam("job_ids", expanding=True)), _ROWS.id > bindparam("since"))
    .order_by(_ROWS.job_id, _ROWS.id)
)


def history_of(job_ids: Iterable[int], since: int = 0) -> dict[int, list[HistoryEntry]]:
    """Return the history rows of jobs, oldest first, after the row with id ``since``."""
    ids = list(job_ids)
    histories: dict[int, list[HistoryEntry]] = {job_id: [] for job_id in ids}
    rows = db.session.execute(_HISTORY, {"job_ids": ids, "since": since}).all()
    all_details = json.loads(f"[{','.join(row[-1] or 'null' for row in rows)}]")
    for (row_id, job_id, at, event, status, _), details in zip(rows, all_details, strict=True):
        histories[job_id].append(HistoryEntry(row_id, job_id, at, event, status, details))
    return histories


class Latest(NamedTuple):
    """A job with the title of its post, None without one, and the id of its newest history row."""

    job: ExecutionJob
    title: str | None
    entry_id: int


def latest_happenings(project_id: int, most: int) -> list[Latest]:
    """Return at most ``most`` jobs of a project, newest first, by one statement."""
    entry = select(func.max(JobHistory.id)).where(JobHistory.job_id == ExecutionJob.id).scalar_subquery()
    own_post = and_(BlogPost.id == ExecutionJob.post_id, BlogPost.project_id == project_id)
    rows = db.session.execute(
        select(ExecutionJob, BlogPost.title, func.coalesce(entry, 0))
        .outerjoin(BlogPost, own_post)
        .where(ExecutionJob.project_id == project_id)
        .order_by(ExecutionJob.id.desc())
        .limit(most)
    )
    return [Latest(*row) for row in rows]


def active_job_ids() -> CompoundSelect[int]:
    """Return the selection of the jobs that are queued or running."""
    # Each state has an index of its own, which databases use only for a state written into the statement.
    states = (literal(str(status), literal_execute=True) for status in ACTIVE)
    return union_all(*(select(ExecutionJob.id).where(ExecutionJob.status == state) for state in states))
