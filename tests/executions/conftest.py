"""Alice's project and its jobs, moved by the services and the runner themselves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update
from sqlalchemy.orm import undefer

from app.accounts.model import Account
from app.content.model import BlogPost
from app.executions import failing, runner, service
from app.executions.claims import Claim, claim_job
from app.executions.job_run import JobRun
from app.executions.model import ExecutionJob
from app.executions.queries import HistoryEntry, get_job, history_of
from app.executions.service import Submission, Submitted
from app.executions.states import TRANSITIONS, Event, Status
from app.executions.transitions import move
from app.failures import ServiceFailure, failure
from app.infra.db import database_now, db
from app.operations.base import JobResult, Operation, Stopped
from app.operations.registry import operation_named
from app.projects.model import Project
from tests.support.publishing import Receiver, alice_project, post_of
from tests.support.scheduling import Planned
from tests.support.servers import SiteServer
from tests.support.together import together

GENERATE = "GENERATE_BLOG_POST"
SYNC = "SYNC_SITEMAP"
PUBLISH = "PUBLISH_BLOG_POST"

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Garden:
    """Alice's project, by its ids: threads and transactions come and go."""

    account_id: int
    project_id: int

    def account(self) -> Account:
        """Alice's account."""
        return db.session.get_one(Account, self.account_id)

    def submission(self, key: str | None = None, operation: str = GENERATE, **options: Any) -> Submission:
        """A request of Alice; without a key it gets one of its own."""
        payload = options.pop("payload", {"topic": "Keeping garden notes"} if operation == GENERATE else {})
        return Submission(
            project=db.session.get_one(Project, self.project_id),
            operation=operation_named(operation),
            payload=payload,
            scope=f"create:{self.project_id}",
            key=key or f"key-{next(_numbers)}",
            **options,
        )

    def submit(self, key: str | None = None, operation: str = GENERATE, **options: Any) -> Submitted:
        """Submit a request of Alice."""
        return service.submit(self.submission(key, operation, **options))

    def queued(self, operation: str = GENERATE, **options: Any) -> int:
        """The id of a new queued job; no transaction is left open."""
        job_id = self.submit(None, operation, **options).job.id
        db.session.commit()
        return job_id

    def stuck(self) -> int:
        """The id of a job whose worker fell silent, never seen as queued by anybody."""
        job_id = service._submit_once(self.submission(), "mark").job.id
        move(
            job_id, [Status.QUEUED], Status.RUNNING, Event.JOB_STARTED, attempt=1, fence=1,
            started_at=database_now(), lease_until=ago(1),
        )  # fmt: skip
        db.session.commit()
        return job_id

    def claimed(self, operation: str = GENERATE) -> Claim:
        """A new job that this process runs."""
        return claim(self.queued(operation))

    def set_project(self, **values: Any) -> None:
        """Change the project's row."""
        db.session.execute(update(Project).where(Project.id == self.project_id).values(**values))
        db.session.commit()


@pytest.fixture
def garden(db_app: Flask) -> Iterator[Garden]:
    project = alice_project()
    yield Garden(project.account_id, project.id)
    db.session.remove()


def claim(job_id: int) -> Claim:
    """Claim a job, which has to succeed."""
    taken = claim_job(job_id)
    assert taken is not None
    return taken


def work_of(taken: Claim, deadline: float = 60, lease: float = 30) -> JobRun:
    return JobRun(taken, deadline, lease)


def finish(taken: Claim, outcome: JobResult | None = None) -> None:
    """Let the runner end a claimed job as succeeded."""
    runner._succeed(work_of(taken), outcome or JobResult())


def job_of(job_id: int) -> ExecutionJob:
    """A job as the database has it now; no transaction is left open."""
    db.session.rollback()
    job = db.session.scalars(
        select(ExecutionJob)
        .where(ExecutionJob.id == job_id)
        .options(undefer(ExecutionJob.artefacts))
        .execution_options(populate_existing=True)
    ).one()
    db.session.expunge(job)
    db.session.commit()
    return job


def perform_and_cancel_at(stage: str, operation: Operation, account_id: int, taken: Claim) -> None:
    """Perform a claimed job that is canceled as it enters a stage; assert that it stops, canceled."""
    work = work_of(taken)
    go_on = work.progress

    def progress(name: str, done: int, total: int, message: str = "") -> None:
        if name == stage:
            service.cancel(get_job(account_id, taken.job_id))
        go_on(name, done, total, message)

    work.progress = progress  # type: ignore[method-assign]
    with pytest.raises(Stopped):
        operation.perform(work)
    assert job_of(taken.job_id).status == "canceled"


def history(job_id: int) -> list[HistoryEntry]:
    db.session.rollback()
    return history_of([job_id])[job_id]


def events(job_id: int) -> list[str]:
    return [row.event for row in history(job_id)]


def change(job_id: int, **values: Any) -> None:
    """Write to a job's row past every rule, as time or a fault would have left it."""
    db.session.execute(update(ExecutionJob).where(ExecutionJob.id == job_id).values(**values))
    db.session.commit()


def ago(seconds: float) -> Any:
    """A time in the past by the database's clock."""
    return database_now(-seconds)


def check_history(job_id: int) -> None:
    """Assert that a history is a path of the transition table to the job's status, never back in time."""
    rows = history(job_id)
    states = [Status(row.status) for row in rows]
    assert states[0] == Status.QUEUED
    assert states[-1] == job_of(job_id).status
    for row, (old, new) in zip(rows[1:], itertools.pairwise(states), strict=True):
        note = old == new and row.event.startswith("JOB_ROLLBACK")
        assert note or new in TRANSITIONS[old], f"{old} → {new} by {row.event}"
    times = [row.at for row in rows]
    assert times == sorted(times)
    db.session.rollback()


def trying(act: Callable[[], Any]) -> Callable[[], Any]:
    """The same, with what it raises returned: threads are judged when all have ended."""

    def tried() -> Any:
        try:
            return act()
        except Exception as error:
            return error

    return tried


def race(app: Flask, *acts: Callable[[], Any]) -> list[Any]:
    """Do different things at the same moment, each in its thread; returns what they returned or raised."""
    numbers = itertools.count()
    results: list[Any] = [None] * len(acts)

    def one() -> None:
        mine = next(numbers)
        results[mine] = trying(acts[mine])()

    together(app, one, len(acts))
    return results


def count(model: type) -> int:
    """How many rows a table has."""
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(model)) or 0


def refused(error: pytest.ExceptionInfo[ServiceFailure]) -> str:
    """The code of a refusal that was caught."""
    return error.value.failure.code


def fail(job_id: int) -> None:
    """Leave a job failed, past every rule."""
    change(job_id, status="failed", failure=failure("EXECUTION_FAILED").to_dict())


def summary(made: Submitted) -> tuple[int, bool]:
    """A job's id and whether it is new: what outlives the thread that submitted it."""
    return made.job.id, made.created


def posts() -> int:
    """How many posts there are."""
    return count(BlogPost)


def making_a_post(garden: Garden, job_id: int, slug: str = "made") -> Mapping[str, Any]:
    """An effect: adds a post without committing."""
    db.session.add(
        BlogPost(
            project_id=garden.project_id, job_id=job_id, title="Made", slug=slug, language="en", content="x",
            draft_kind="full", engine="extractive",
        )
    )  # fmt: skip
    return {"made": True}


def writing(garden: Garden, taken: Claim) -> JobResult:
    """An outcome of three words and a post."""
    return JobResult({"words": 3}, partial(making_a_post, garden, taken.job_id))


def another_claim(taken: Claim) -> Claim:
    """The job is requeued, as after a lost lease, and claimed by somebody else."""
    assert failing.requeue(taken.job_id, taken.fence, failure("WORKER_LOST"), 0)
    db.session.commit()
    return claim(taken.job_id)


@pytest.fixture
def planned(db_app: Flask, site: SiteServer) -> Iterator[Planned]:
    """A post of Alice that can be scheduled for publishing at a webhook."""
    project, receiver = alice_project(), Receiver(site)
    target_id = receiver.add_to(project).id
    yield Planned(post_of(project).id, target_id, receiver)
    db.session.remove()
