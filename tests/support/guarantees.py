"""Reads jobs from the database, and checks the guarantees that must be true at any moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from app.content.model import BlogPost
from app.executions.model import ExecutionJob, IdempotencyKey, JobHistory
from app.executions.states import TRANSITIONS, Status
from app.infra.db import db
from app.publishing.model import Publication

MOST_ATTEMPTS = 3
GENERATES = "GENERATE_BLOG_POST"


@dataclass(frozen=True)
class Line:
    """A row of a history."""

    id: int
    at: datetime
    event: str
    status: str
    details: Any


@dataclass
class SeenJob:
    """A job, its history, and the status of each of its posts."""

    values: dict[str, Any]
    lines: list[Line] = field(default_factory=list)
    posts: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        return str(self.values["status"])


@dataclass
class Seen:
    """Everything that is known of jobs; two looks are equal when nothing has changed."""

    jobs: dict[int, SeenJob]
    keys: dict[str, int]
    publications: list[dict[str, Any]]


def look() -> Seen:
    """Read everything; no transaction is left open."""
    db.session.rollback()
    jobs = {row["id"]: SeenJob(row) for row in _rows(ExecutionJob)}
    for row in _rows(JobHistory):
        lines = jobs[row["job_id"]].lines
        lines.append(Line(row["id"], row["at"], row["event"], row["status"], row["details"]))
    for row in _rows(BlogPost):
        jobs[row["job_id"]].posts.append(row["status"])
    keys = {f"{row['scope']} {row['key']}": row["job_id"] for row in _rows(IdempotencyKey)}
    seen = Seen(jobs, keys, _rows(Publication))
    db.session.rollback()
    return seen


def _rows(model: type[Any]) -> list[dict[str, Any]]:
    table = model.__table__
    return [dict(row) for row in db.session.execute(select(table).order_by(table.c.id)).mappings()]


def check_job(job: SeenJob, before: SeenJob | None) -> None:
    """Assert the guarantees of one job; ``before`` is how it was seen the last time."""
    _check_path(job)
    if before is not None:
        assert job.lines[: len(before.lines)] == before.lines, "a history lost or rewrote a row"
    starts = sum(line.event == "JOB_STARTED" for line in job.lines)
    assert starts == job.values["attempt"] == job.values["fence"], f"{starts} claims, not as the row says"
    assert starts <= MOST_ATTEMPTS, f"{starts} attempts"
    rolled_back = job.values["rollback_state"] == "completed"
    has_post = job.values["operation"] == GENERATES and job.status == Status.SUCCEEDED and not rolled_back
    expected = 1 if has_post else 0
    assert len(job.posts) == expected, f"{len(job.posts)} posts of a job that is {job.status}"


def _check_path(job: SeenJob) -> None:
    assert job.lines[0].status == Status.QUEUED, "a history does not begin with queued"
    assert job.lines[-1].status == job.status, "a history does not end with its job's status"
    for old, new in pairwise(job.lines):
        note = old.status == new.status and new.event.startswith("JOB_ROLLBACK")
        assert note or Status(new.status) in TRANSITIONS[Status(old.status)], f"{old.status} → {new.status}"
        assert old.at <= new.at, "a history went back in time"
