"""Everything that can happen to jobs, in any order, against a small model of it, on both databases."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select, update

from app.accounts.model import Account
from app.content.model import BlogPost
from app.executions import reaper, runner, service
from app.executions.claims import Claim, claim_job
from app.executions.model import ExecutionJob, JobHistory
from app.executions.queries import active_job_ids
from app.executions.rollback import roll_back
from app.failures import failure
from app.infra.db import database_now, db
from app.operations.base import JobResult, Stopped
from app.pages.model import SitemapSync
from app.projects.model import Project
from app.projects.service import create_project
from app.publishing import publications, reconcile
from app.publishing.model import PublishTarget
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, PublishProblem, RemotePost
from tests.executions.conftest import Garden, ago, change, making_a_post, work_of
from tests.support.job_model import UNDERWAY, Job, blind_to_keys_once, refusal
from tests.support.quick import examples
from tests.support.sync_model import KEYS, RUNNING_SYNCS, SyncModel

PICK = st.integers(0, 7)
ACTS = st.sampled_from(
    ["finish", "finish", "renew", "progress", "finish half", "SERVICE_UNAVAILABLE", "JOB_TIMEOUT"]
)
PUBLISHERS = st.sampled_from([9001, 9002])
FIVE_MINUTES = timedelta(minutes=5)
URL = "https://alice.example/blog/made"


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {
        "RUNNING_GENERATIONS": "1000", "QUEUED_EXECUTIONS": "1000", "RUNNING_SYNCS": str(RUNNING_SYNCS)
    }  # fmt: skip


class Executions(SyncModel):
    """The services and the runner, with the database looked at after each step."""

    def __init__(self, garden: Garden, projects: Sequence[int], target_id: int) -> None:
        super().__init__(garden.account_id, projects)
        self.garden = garden
        self.target_id = target_id

    @rule(key=KEYS)
    def create(self, key: str) -> None:
        self.submitted(key, self.garden.submit(key))

    @rule(key=KEYS)
    def create_by_two_who_both_saw_no_such_key(self, key: str) -> None:
        self.submitted(key, self.garden.submit(key))
        with blind_to_keys_once():
            self.submitted(key, self.garden.submit(key))

    @precondition(lambda self: self.jobs)
    @rule(pick=PICK, key=KEYS)
    def retry(self, pick: int, key: str) -> None:
        job = self.pick(pick)
        expected = None if job.status in ("failed", "canceled") else "RETRY_NOT_ALLOWED"
        with refusal(expected):
            self.submitted(f"{job.id} {key}", service.retry(self.row(job), key), job.sync_of)

    @precondition(lambda self: self.jobs)
    @rule(pick=PICK)
    def claim(self, pick: int) -> None:
        self.claim_job(self.pick(pick))

    @rule(key=KEYS, act=ACTS)
    def create_claim_and_act(self, key: str, act: str) -> None:
        self.create(key)
        job = self.keys[key]
        self.claim_job(job)
        if job.claims:
            self.act(act, job, job.claims[-1])

    @precondition(lambda self: self.claims())
    @rule(pick=PICK, act=ACTS)
    def act_for_a_claim_current_or_stale(self, pick: int, act: str) -> None:
        self.act(act, *self.pick_claim(pick))

    @precondition(lambda self: self.running())
    @rule(pick=PICK, act=ACTS)
    def the_worker_wakes_up_after_another_took_over(self, pick: int, act: str) -> None:
        job = self.pick(pick, self.running())
        stale = job.claims[-1]
        change(job.id, lease_until=ago(1))
        self.reap()
        if job.status == "queued":
            change(job.id, available_at=ago(1))
            self.claim_job(job)
        self.act(act, job, stale)

    @precondition(lambda self: self.jobs)
    @rule(pick=PICK)
    def cancel(self, pick: int) -> None:
        job = self.pick(pick)
        ended = job.status in ("succeeded", "failed")
        with refusal("JOB_ALREADY_TERMINAL" if ended else None):
            service.cancel(self.row(job))
        job.status = job.status if ended else "canceled"

    @rule()
    def reap(self) -> None:
        stuck = self.stuck()
        with self.nothing_changes_unless(bool(stuck)):
            assert reaper.reap() == len(stuck)
        for job in self.jobs:
            if job.id in stuck:
                self.attempt_failed(job, job.claims[-1], again=not stuck[job.id])

    @precondition(lambda self: self.jobs)
    @rule(back=st.booleans())
    def the_clock_steps(self, back: bool) -> None:
        shift = FIVE_MINUTES if back else -FIVE_MINUTES
        self.shift(ExecutionJob, ("lease_until", "available_at", "started_at", "updated_at"), shift)
        self.shift(JobHistory, ("at",), shift)

    @precondition(lambda self: self.written())
    @rule(pick=PICK)
    def roll_back(self, pick: int) -> None:
        job = self.pick(pick, self.written())
        expected = None
        if job.publication in UNDERWAY:
            expected = "ROLLBACK_PUBLISH_IN_PROGRESS"
        elif job.publication is not None:
            expected = "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH"
        with refusal(expected):
            assert roll_back(self.row(job)).rollback_state == "completed"
        job.rolled_back = expected is None

    @precondition(lambda self: self.written())
    @rule(pick=PICK, publisher=PUBLISHERS)
    def begin_to_publish(self, pick: int, publisher: int) -> None:
        job = self.pick(pick, self.written())
        expected = None
        if job.rolled_back:
            expected = "BLOG_POST_NOT_FOUND"
        elif job.publication in UNDERWAY and job.publisher != publisher:
            expected = "PUBLISH_IN_PROGRESS"
        self.begin(job, publisher, expected)

    def begin(self, job: Job, publisher: int, expected: str | None) -> None:
        assert job.post_id is not None
        with refusal(expected):
            job.leases[publisher] = publications.begin(job.post_id, self.target_id, publisher)
        if expected is None and job.publication != "live":
            job.publication = {None: "intent", "intent": "intent"}.get(job.publication, "sending")
            job.publisher = publisher

    @precondition(lambda self: self.leases())
    @rule(pick=PICK)
    def send(self, pick: int) -> None:
        job, publisher = self.leases()[pick % len(self.leases())]
        ours = job.publication in UNDERWAY and job.publisher == publisher
        with self.nothing_changes_unless(ours):
            assert publications.mark_sending(job.leases[publisher], "0" * 64) == ours
        job.publication = "sending" if ours else job.publication

    @precondition(lambda self: self.leases())
    @rule(pick=PICK, answer=st.sampled_from(["live", UNKNOWN, NOT_DELIVERED]))
    def hear_from_the_target(self, pick: int, answer: str) -> None:
        job, publisher = self.leases()[pick % len(self.leases())]
        ours = job.publication in UNDERWAY and job.publisher == publisher
        lease = job.leases.pop(publisher)
        with self.nothing_changes_unless(ours):
            if answer == "live":
                changed = publications.record_remote(lease, RemotePost("1", URL))
            else:
                problem = PublishProblem(failure("PUBLISH_TIMEOUT"), answer)
                changed = publications.record_failure(lease, problem)
            db.session.commit()
            assert changed == ours
        if ours:
            job.publication = {"live": "live", UNKNOWN: "unknown"}.get(answer)

    @precondition(lambda self: self.drafts())
    @rule(pick=PICK)
    def publish_and_never_hear_of_it(self, pick: int) -> None:
        job = self.pick(pick, self.drafts())
        self.begin(job, 9001, None)
        assert publications.mark_sending(job.leases[9001], "0" * 64)
        assert publications.record_failure(
            job.leases.pop(9001), PublishProblem(failure("PUBLISH_TIMEOUT"), UNKNOWN)
        )
        db.session.commit()
        job.publication = "unknown"

    @rule()
    def reconcile_what_was_never_sent(self) -> None:
        reconcile.reconcile_publications(active_job_ids())
        for job in self.jobs:
            job.publication = None if job.publication == "intent" else job.publication

    def claim_job(self, job: Job) -> None:
        due = db.session.scalar(
            select(ExecutionJob.id).where(
                ExecutionJob.id == job.id, ExecutionJob.available_at <= database_now()
            )
        )
        db.session.rollback()
        taken = claim_job(job.id)
        ready = job.status == "queued" and not self.must_wait(job)
        assert taken is None or ready, "claimed what may not run"
        assert taken is not None or not ready or due is None, "refused what may run"
        if taken is not None:
            job.claims.append(taken)
            job.status = "running"

    def act(self, name: str, job: Job, claim: Claim) -> None:
        """Let a worker do something with its claim, which counts only while it holds the job."""
        ours = job.is_held_by(claim)
        with self.nothing_changes_unless(ours):
            if name == "renew":
                assert work_of(claim).renew_lease() == ours
            elif name == "progress":
                assert progressed(claim) == ours
            elif name.startswith("finish"):
                runner._succeed(work_of(claim), JobResult(effect=partial(self.effect, job, name)))
            else:
                runner._fail(claim, failure(name))
        if not ours or name in ("renew", "progress"):
            return
        if name == "finish":
            job.status = "succeeded"
            job.post_id = db.session.scalar(select(BlogPost.id).where(BlogPost.job_id == job.id))
        else:
            self.attempt_failed(job, claim, again=name != "JOB_TIMEOUT")

    def effect(self, job: Job, name: str) -> None:
        if job.sync_of is None:
            making_a_post(self.garden, job.id, f"made-{job.id}")
        else:
            db.session.add(
                SitemapSync(
                    project_id=job.sync_of,
                    job_id=job.id,
                    sitemap_url=URL,
                    state="ok",
                    complete=True,
                    problems=[],
                )
            )
        if name == "finish half":
            db.session.flush()
            raise RuntimeError("half way")


def progressed(claim: Claim) -> bool:
    """Whether a stage could be recorded."""
    try:
        work_of(claim).progress("reading", 1, 2)
    except Stopped:
        return False
    return True


def a_project(garden: Garden, name: str) -> int:
    """Another project of Alice."""
    account = db.session.get_one(Account, garden.account_id)
    return create_project(account, {"url": f"https://{name}.alice.example/"}).id


def test_whatever_happens_in_whatever_order_the_guarantees_hold(garden: Garden) -> None:
    target = PublishTarget(
        project_id=garden.project_id, name="Blog", kind="webhook", settings={"url": "http://127.0.0.1:9/"}
    )
    db.session.add(target)
    db.session.commit()
    target_id, projects = target.id, [garden.project_id, *(a_project(garden, name) for name in "bc")]
    db.session.execute(update(Project).values(sitemap_url=URL))
    db.session.commit()
    run_state_machine_as_test(
        partial(Executions, garden, projects, target_id),
        settings=settings(
            max_examples=examples(32, one_in=8), stateful_step_count=40, derandomize=True, deadline=None,
            database=None, phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
