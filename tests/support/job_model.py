"""A small model of jobs, and the means to compare the database with it after each step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from unittest.mock import patch

from hypothesis.stateful import RuleBasedStateMachine, invariant
from sqlalchemy import bindparam, delete, select, update

from app.content.model import BlogPost
from app.executions import service
from app.executions.claims import Claim
from app.executions.model import ExecutionJob, IdempotencyKey, JobHistory
from app.executions.queries import get_job
from app.executions.service import Submitted
from app.failures import ServiceFailure
from app.infra.db import database_now, db
from app.pages.model import SitemapSync
from app.publishing.lease import PublicationLease
from app.publishing.model import Publication
from tests.support.guarantees import GENERATES, SeenJob, check_job, look

UNDERWAY = ("intent", "sending")
DEADLINE, SYNC_DEADLINE = timedelta(seconds=600), timedelta(seconds=1800)


@dataclass
class Job:
    """What the model knows of a job; ``publication`` is the state of its post's, if it has one.

    ``sync_of``: the project that it syncs; None for one that writes a post.
    """

    id: int
    sync_of: int | None = None
    status: str = "queued"
    claims: list[Claim] = field(default_factory=list)
    post_id: int | None = None
    rolled_back: bool = False
    publication: str | None = None
    publisher: int = 0
    leases: dict[int, PublicationLease] = field(default_factory=dict)

    def is_held_by(self, claim: Claim) -> bool:
        return self.status == "running" and self.claims[-1] is claim


class JobModel(RuleBasedStateMachine):
    """What should be so, and the check that it is; the rules are added by the test."""

    def __init__(self, account_id: int) -> None:
        super().__init__()
        for model in (Publication, BlogPost, SitemapSync, IdempotencyKey, JobHistory, ExecutionJob):
            db.session.execute(delete(model))
        db.session.commit()
        self.account_id = account_id
        self.jobs: list[Job] = []
        self.keys: dict[str, Job] = {}
        self.seen = look()

    @invariant()
    def everything_is_as_the_model_has_it(self) -> None:
        before, self.seen = self.seen, look()
        expected = {job.id: job.status for job in self.jobs}
        found = {job_id: seen.status for job_id, seen in self.seen.jobs.items()}
        assert found == expected, f"{found}, not {expected}"
        assert set(self.seen.keys.values()) == {job.id for job in self.keys.values()}, "keys and jobs differ"
        for job in self.jobs:
            seen = self.seen.jobs[job.id]
            check_job(seen, before.jobs.get(job.id))
            rolled_back = seen.values["rollback_state"] == "completed"
            assert rolled_back == job.rolled_back, f"rollback {seen.values['rollback_state']} of job {job.id}"
            assert (seen.posts == ["published"]) == (job.publication == "live"), seen.posts
            assert (seen.posts == ["publishing"]) == (job.publication in UNDERWAY), seen.posts

    def submitted(self, key: str, made: Submitted, sync_of: int | None = None) -> None:
        """Compare with the model what a key was answered with: its job, a queued sync or a new job."""
        known = self.keys.get(key)
        assert made.replayed == (known is not None), f"key {key}: replayed {made.replayed}"
        job = known or self.queued_sync(sync_of)
        assert made.created == (job is None), f"key {key}: created {made.created}"
        if job is None:
            job = Job(made.job.id, sync_of)
            self.jobs.append(job)
        self.keys[key] = job
        assert made.job.id == job.id, f"key {key}: job {made.job.id}, not {job.id}"

    def attempt_failed(self, job: Job, claim: Claim, *, again: bool) -> None:
        """Move the model as a failed attempt moves a job; a lost claim moves nothing.

        A sync that is queued takes the place of one that would be tried again.
        """
        if job.is_held_by(claim):
            replaced = self.queued_sync(job.sync_of) is not None
            job.status = "queued" if again and claim.attempt < 3 and not replaced else "failed"

    def queued_sync(self, project_id: int | None) -> Job | None:
        """The sync of a project that is queued, if there is one."""
        queued = [job for job in self.jobs if job.sync_of == project_id and job.status == "queued"]
        return queued[0] if project_id is not None and queued else None

    @contextmanager
    def nothing_changes_unless(self, ours: bool) -> Iterator[None]:
        """Assert that a stale claim, or a publication in other hands, leaves everything as it is."""
        before = None if ours else look()
        yield
        assert before is None or look() == before, "something changed that was not ours"

    def written(self) -> list[Job]:
        return [job for job in self.jobs if job.post_id is not None]

    def drafts(self) -> list[Job]:
        return [job for job in self.written() if job.publication is None and not job.rolled_back]

    def running(self) -> list[Job]:
        return [job for job in self.jobs if job.status == "running"]

    def claims(self) -> list[tuple[Job, Claim]]:
        return [(job, claim) for job in self.jobs for claim in job.claims]

    def leases(self) -> list[tuple[Job, int]]:
        return [(job, publisher) for job in self.jobs for publisher in job.leases]

    def pick(self, number: int, jobs: list[Job] | None = None) -> Job:
        """One of the newest jobs."""
        jobs = jobs or self.jobs
        return jobs[-1 - number % len(jobs)]

    def pick_claim(self, number: int) -> tuple[Job, Claim]:
        """One of the newest claims, current or stale."""
        return self.claims()[-1 - number % len(self.claims())]

    def row(self, job: Job) -> ExecutionJob:
        db.session.rollback()
        return get_job(self.account_id, job.id)

    def stuck(self) -> dict[int, bool]:
        """The running jobs whose lease is over, and whether they are over their time too."""
        now = db.session.scalar(select(database_now()))
        jobs = look().jobs.values()
        return {
            seen.values["id"]: seen.values["started_at"] < now - _deadline(seen)
            for seen in jobs if seen.status == "running" and seen.values["lease_until"] < now
        }  # fmt: skip

    def shift(self, model: type[Any], columns: tuple[str, ...], by: timedelta) -> None:
        """Move times of all rows, as if the database's clock had gone the other way."""
        table = model.__table__
        rows = db.session.execute(select(table.c.id, *(table.c[name] for name in columns))).all()
        moved = [
            {
                "row": row.id,
                **{f"new_{name}": at and at + by for name in columns for at in [getattr(row, name)]},
            }
            for row in rows
        ]
        values = {name: bindparam(f"new_{name}") for name in columns}
        statement = update(table).where(table.c.id == bindparam("row")).values(values)
        db.session.connection().execute(statement, moved)
        db.session.commit()
        self.seen = look()


def _deadline(job: SeenJob) -> timedelta:
    return DEADLINE if job.values["operation"] == GENERATES else SYNC_DEADLINE


@contextmanager
def refusal(expected: str | None) -> Iterator[None]:
    """Assert that a service refuses with this code, or not at all."""
    code = None
    try:
        yield
    except ServiceFailure as refused:
        db.session.rollback()
        code = refused.failure.code
    assert code == expected, f"answered {code}, not {expected}"


@contextmanager
def blind_to_keys_once() -> Iterator[None]:
    """Let the next look for a key find nothing, as a look does that comes before an equal request commits."""
    real, looks = service.job_of_key, iter([True])

    def blind(*arguments: Any) -> ExecutionJob | None:
        return None if next(looks, False) else real(*arguments)

    with patch.object(service, "job_of_key", blind):
        yield
