"""What can happen to sync jobs in the model of jobs, and what has to be so of them at any moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule
from sqlalchemy import select, true

from app.executions import limits, service
from app.executions.claims import claim_job
from app.executions.model import ExecutionJob
from app.executions.service import Submission
from app.infra.db import db
from app.operations import sync_sitemap
from app.pages.model import SitemapSync
from app.projects.model import Project
from tests.support.job_model import Job, JobModel

RUNNING_SYNCS = 2
PLACES = st.integers(0, RUNNING_SYNCS)
"""One of the projects, of which there is one more than may be synced at once."""
KEYS = st.sampled_from("abcdef")


class SyncModel(JobModel):
    """Jobs of an account, some of which sync one of these projects."""

    def __init__(self, account_id: int, projects: Sequence[int]) -> None:
        super().__init__(account_id)
        self.projects = projects

    @rule(place=PLACES, key=KEYS)
    def ask_for_a_sync(self, place: int, key: str) -> None:
        project_id, key = self.projects[place], f"sync {key}"
        asked = Submission(
            project=db.session.get_one(Project, project_id),
            operation=sync_sitemap.OPERATION, payload={}, scope=f"create:{project_id}", key=key,
        )  # fmt: skip
        self.submitted(f"{project_id} {key}", service.submit(asked), project_id)

    @rule(place=PLACES, key=KEYS)
    def ask_for_a_sync_as_another_does_who_saw_none_queued_either(self, place: int, key: str) -> None:
        self.ask_for_a_sync(place, key)
        with blind_to_queued_syncs_once():
            self.ask_for_a_sync(place, f"another {key}")

    @precondition(lambda self: self.syncs("queued"))
    @rule(pick=st.integers(0, 7))
    def claim_a_sync(self, pick: int) -> None:
        self.claim_job(self.pick(pick, self.syncs("queued")))

    @precondition(lambda self: self.held_up())
    @rule(pick=st.integers(0, 7))
    def claim_a_sync_without_seeing_the_one_that_runs(self, pick: int) -> None:
        with patch.object(limits, "no_running_duplicate", true):
            assert claim_job(self.pick(pick, self.held_up()).id) is None

    @invariant()
    def no_more_syncs_run_or_wait_than_may(self) -> None:
        for status in ("queued", "running"):
            jobs = (job.values for job in self.seen.jobs.values() if job.status == status)
            found = [job["project_id"] for job in jobs if job["operation"] == sync_sitemap.OPERATION.name]
            assert max(Counter(found).values(), default=0) <= 1, f"{status} syncs of one project: {found}"
            assert status == "queued" or len(found) <= RUNNING_SYNCS, f"{len(found)} running syncs"

    @invariant()
    def each_sync_that_ended_by_itself_left_its_row(self) -> None:
        left = sorted(db.session.scalars(select(SitemapSync.job_id)))
        db.session.rollback()
        assert left == sorted(job.id for job in (*self.syncs("succeeded"), *self.syncs("failed")))

    def syncs(self, status: str) -> list[Job]:
        return [job for job in self.jobs if job.sync_of is not None and job.status == status]

    def held_up(self) -> list[Job]:
        """The queued syncs whose project is being synced."""
        busy = [job.sync_of for job in self.syncs("running")]
        return [job for job in self.syncs("queued") if job.sync_of in busy]

    def must_wait(self, job: Job) -> bool:
        """Whether a sync may not run now, because others do."""
        return job.sync_of is not None and (
            job in self.held_up() or len(self.syncs("running")) >= RUNNING_SYNCS
        )


@contextmanager
def blind_to_queued_syncs_once() -> Iterator[None]:
    """Let the next look for a queued sync find none, as one does that comes before another commits."""
    real, looks = service._queued_duplicate, iter([True])

    def blind(*arguments: Any) -> ExecutionJob | None:
        return None if next(looks, False) else real(*arguments)

    with patch.object(service, "_queued_duplicate", blind):
        yield
