"""One attempt of a job: claim, perform, settle, on both databases."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from flask import Flask
from rq.timeouts import JobTimeoutException
from sqlalchemy import func, select

from app.content.model import BlogPost
from app.executions import runner, service
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.executions.work import MOST_PROGRESS_ROWS, Claim, Heartbeat
from app.failures import ServiceFailure, failure
from app.infra.db import db
from app.operations.base import OperationFailed, Outcome, Stopped
from app.pages.model import SitemapSync
from app.projects.model import Project
from tests.executions.conftest import (
    SYNC,
    Garden,
    ago,
    change,
    check_history,
    claim,
    events,
    history,
    job_of,
    race,
    settle,
    work_of,
)
from tests.support.publishing import post_of
from tests.support.servers import SiteServer
from tests.support.together import together
from tests.support.waiting import eventually


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address, "RUNNING_GENERATIONS": "2"}


def posts() -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(BlogPost)) or 0


def making_a_post(garden: Garden, job_id: int, slug: str = "made") -> Mapping[str, Any]:
    """An effect: adds a post without committing."""
    db.session.add(
        BlogPost(
            project_id=garden.project_id, job_id=job_id, title="Made", slug=slug, language="en", content="x",
            draft_kind="full", engine="extractive",
        )
    )  # fmt: skip
    return {"made": True}


def writing(garden: Garden, taken: Claim) -> Outcome:
    return Outcome({"words": 3}, partial(making_a_post, garden, taken.job_id))


def another_claim(taken: Claim) -> Claim:
    """The job is handed back, as after a lost lease, and claimed by somebody else."""
    assert runner.hand_back(taken.job_id, taken.fence, failure("WORKER_LOST"), 0)
    db.session.commit()
    return claim(taken.job_id)


def test_a_generation_runs_to_a_post(garden: Garden) -> None:
    job_id = garden.queued()
    runner.run(job_id)
    job = job_of(job_id)
    assert job.status == "succeeded"
    assert job.result is not None
    assert job.progress is not None
    assert job.progress["done"] == job.progress["total"] > 0
    assert (job.failure, job.lease_until) == (None, None)
    post = db.session.scalars(select(BlogPost).where(BlogPost.job_id == job_id)).one()
    assert (job.result["blog_post_id"], job.result["slug"], post.status) == (post.id, post.slug, "draft")
    assert events(job_id)[0 :: len(events(job_id)) - 1] == ["JOB_CREATED", "JOB_SUCCEEDED"]
    check_history(job_id)


def test_a_job_that_ran_does_not_run_again(garden: Garden) -> None:
    job_id = garden.queued()
    runner.run(job_id)
    before = events(job_id)
    db.session.rollback()
    runner.run(job_id)
    assert events(job_id) == before
    assert posts() == 1


def test_a_claim_raises_the_fence_and_the_attempt_and_takes_a_lease(garden: Garden) -> None:
    taken = garden.claimed()
    job = job_of(taken.job_id)
    assert (job.status, job.attempt, job.fence) == ("running", 1, 1)
    assert (taken.attempt, taken.fence) == (1, 1)
    assert job.started_at is not None
    assert job.lease_until is not None
    assert 5 < (job.lease_until - job.started_at).total_seconds() < 7
    assert [(row.event, row.details) for row in history(taken.job_id)][-1] == ("JOB_STARTED", {"attempt": 1})
    second = another_claim(taken)
    assert (second.attempt, second.fence) == (2, 2)


def test_of_many_claims_at_once_one_gets_the_job(app: Flask, garden: Garden) -> None:
    for _ in range(5):
        job_id = garden.queued()
        claims = [each for each in together(app, lambda job=job_id: runner.take(job), 8) if each is not None]
        assert len(claims) == 1
        settle(claims[0])
        assert events(job_id).count("JOB_STARTED") == 1


def test_a_job_is_not_claimed_before_its_time(garden: Garden) -> None:
    job_id = garden.queued()
    change(job_id, available_at=ago(-60))
    assert runner.take(job_id) is None
    change(job_id, available_at=ago(0.1))
    assert runner.take(job_id) is not None


def test_an_account_runs_no_more_generations_than_it_may(app: Flask, garden: Garden) -> None:
    ids = [garden.queued() for _ in range(8)]
    claims = [each for each in race(app, *(partial(runner.take, job_id) for job_id in ids)) if each]
    assert all(isinstance(each, Claim) for each in claims)
    assert len(claims) == 2
    settle(claims[0])
    waiting = next(job_id for job_id in ids if job_of(job_id).status == "queued")
    assert runner.take(waiting) is not None


def test_syncs_do_not_count_as_generations(garden: Garden) -> None:
    garden.claimed(), garden.claimed()
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    assert runner.take(garden.queued(SYNC)) is not None


def test_a_project_runs_one_sync_at_a_time(garden: Garden) -> None:
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    first = garden.claimed(SYNC)
    second = garden.queued(SYNC)
    assert runner.take(second) is None
    settle(first)
    assert runner.take(second) is not None


def test_a_refused_job_may_be_rung_again_at_once(garden: Garden) -> None:
    garden.claimed(), garden.claimed()
    waiting = garden.queued()
    assert job_of(waiting).rung_at is not None
    runner.run(waiting)
    assert (job_of(waiting).status, job_of(waiting).rung_at) == ("queued", None)


def test_effect_and_status_are_written_together(garden: Garden) -> None:
    taken = garden.claimed()
    settle(taken, writing(garden, taken))
    job = job_of(taken.job_id)
    assert (job.status, job.result) == ("succeeded", {"words": 3, "made": True})
    assert posts() == 1


def test_an_effect_that_fails_leaves_nothing(garden: Garden) -> None:
    taken = garden.claimed()

    def effect() -> None:
        making_a_post(garden, taken.job_id)
        db.session.flush()
        raise RuntimeError("secret words")

    settle(taken, Outcome(effect=effect))
    job = job_of(taken.job_id)
    assert posts() == 0
    assert (job.status, job.failure and job.failure["code"]) == ("queued", "EXECUTION_FAILED")
    assert "secret" not in str([row.details for row in history(taken.job_id)])


def test_an_effect_that_the_database_refuses_leaves_nothing(garden: Garden) -> None:
    post_of(db.session.get_one(Project, garden.project_id), slug="taken")
    taken = garden.claimed()
    settle(taken, Outcome(effect=partial(making_a_post, garden, taken.job_id, "taken")))
    assert posts() == 1
    assert job_of(taken.job_id).status == "queued"
    check_history(taken.job_id)


def test_an_effect_that_a_rule_refuses_fails_the_job_with_that_rule(garden: Garden) -> None:
    taken = garden.claimed()

    def effect() -> None:
        making_a_post(garden, taken.job_id)
        raise ServiceFailure("INSUFFICIENT_SOURCE_MATERIAL")

    settle(taken, Outcome(effect=effect))
    job = job_of(taken.job_id)
    assert posts() == 0
    assert (job.status, job.failure and job.failure["code"]) == ("failed", "INSUFFICIENT_SOURCE_MATERIAL")


def test_a_job_canceled_between_perform_and_settle_writes_nothing(garden: Garden) -> None:
    taken = garden.claimed()
    service.cancel(get_job(garden.account_id, taken.job_id))
    settle(taken, writing(garden, taken))
    assert (job_of(taken.job_id).status, posts()) == ("canceled", 0)
    check_history(taken.job_id)


def test_a_stale_fence_changes_nothing(garden: Garden) -> None:
    stale = garden.claimed()
    current = another_claim(stale)
    before = (job_of(stale.job_id), events(stale.job_id))
    settle(stale, writing(garden, stale))
    runner._fail(stale, failure("EXECUTION_FAILED"), partial(making_a_post, garden, stale.job_id))
    runner._fail(stale, failure("SITEMAP_INVALID"))
    assert not runner.hand_back(stale.job_id, stale.fence, failure("WORKER_LOST"), 0)
    db.session.rollback()
    work = work_of(stale)
    assert not work.renew()
    assert not work.is_ours()
    with pytest.raises(Stopped):
        work.progress("late", 1, 2)
    after = job_of(stale.job_id)
    assert (after.status, after.fence, after.progress) == ("running", current.fence, None)
    assert (after.updated_at, events(stale.job_id)) == (before[0].updated_at, before[1])
    assert posts() == 0
    settle(current, writing(garden, current))
    assert (job_of(stale.job_id).status, posts()) == ("succeeded", 1)


def test_two_settlements_at_once_make_one_post(app: Flask, garden: Garden) -> None:
    for number in range(10):
        taken = garden.claimed()
        outcome = Outcome(effect=partial(making_a_post, garden, taken.job_id, f"made-{number}"))
        race(app, partial(settle, taken, outcome), partial(settle, taken, outcome))
        assert (job_of(taken.job_id).status, posts()) == ("succeeded", number + 1)
        assert events(taken.job_id).count("JOB_SUCCEEDED") == 1


def failing(taken: Claim, code: str, transient: bool = False) -> None:
    runner._fail(taken, failure(code), transient=transient)


def test_a_transient_failure_goes_back_to_the_queue_for_a_while(garden: Garden) -> None:
    taken = garden.claimed()
    failing(taken, "PROVIDER_TIMEOUT")
    job = job_of(taken.job_id)
    assert (job.status, job.rung_at, job.lease_until) == ("queued", None, None)
    assert 0.9 < (job.available_at - job.updated_at).total_seconds() < 2.1
    assert job.failure is not None
    assert job.failure["code"] == "PROVIDER_TIMEOUT"
    line = history(taken.job_id)[-1]
    assert (line.event, line.status) == ("JOB_REQUEUED", "queued")
    assert line.details is not None
    assert (line.details["reason"], line.details["attempt"]) == ("PROVIDER_TIMEOUT", 1)
    db.session.rollback()
    assert runner.take(taken.job_id) is None


def test_the_third_attempt_is_the_last(garden: Garden) -> None:
    taken = garden.claimed()
    for attempt in (1, 2, 3):
        assert taken.attempt == attempt
        failing(taken, "PROVIDER_FAILED")
        if attempt < 3:
            change(taken.job_id, available_at=ago(0.1))
            taken = claim(taken.job_id)
    assert job_of(taken.job_id).status == "failed"
    assert events(taken.job_id) == [
        "JOB_CREATED",
        *("JOB_STARTED", "JOB_REQUEUED"),
        *("JOB_STARTED", "JOB_REQUEUED"),
        *("JOB_STARTED", "JOB_FAILED"),
    ]
    check_history(taken.job_id)


def test_a_success_clears_the_failure_of_an_earlier_attempt(garden: Garden) -> None:
    taken = garden.claimed()
    failing(taken, "PROVIDER_FAILED")
    change(taken.job_id, available_at=ago(0.1))
    settle(claim(taken.job_id))
    assert (job_of(taken.job_id).status, job_of(taken.job_id).failure) == ("succeeded", None)
    assert any((row.details or {}).get("reason") == "PROVIDER_FAILED" for row in history(taken.job_id))


def test_an_operation_says_itself_that_another_attempt_may_help(garden: Garden) -> None:
    once, again = garden.claimed(), garden.claimed()
    failing(once, "SITEMAP_UNREACHABLE")
    failing(again, "SITEMAP_UNREACHABLE", transient=True)
    assert (job_of(once.job_id).status, job_of(again.job_id).status) == ("failed", "queued")


def test_what_goes_with_a_failure_is_written_with_it(garden: Garden) -> None:
    taken = garden.claimed()
    runner._fail(taken, failure("SITEMAP_INVALID"), partial(making_a_post, garden, taken.job_id))
    assert (job_of(taken.job_id).status, posts()) == ("failed", 1)


def test_a_job_fails_even_when_what_goes_with_its_failure_cannot_be_written(garden: Garden) -> None:
    taken = garden.claimed()

    def effect() -> None:
        making_a_post(garden, taken.job_id)
        raise RuntimeError

    runner._fail(taken, failure("SITEMAP_INVALID"), effect)
    assert (job_of(taken.job_id).status, posts()) == ("failed", 0)


def test_an_unreachable_sitemap_fails_the_job_and_is_noted(garden: Garden, site: SiteServer) -> None:
    url = site.serve("/sitemap.xml", status=404)
    garden.set_project(url=f"{site.url}/", identity=f"{site.url}/", sitemap_url=url)
    job_id = garden.queued(SYNC)
    runner.run(job_id)
    job = job_of(job_id)
    assert (job.status, job.failure and job.failure["code"]) == ("failed", "SITEMAP_UNREACHABLE")
    assert db.session.scalars(select(SitemapSync.state)).all() == ["failed"]
    check_history(job_id)


def perform_with(garden: Garden, error: Exception) -> ExecutionJob:
    """The job after its operation raised ``error``, through the runner's own judgement."""
    taken = garden.claimed("GENERATE_BLOG_POST")
    work = work_of(taken)

    def progress(*_: Any) -> None:
        raise error

    work.progress = progress  # type: ignore[method-assign]
    runner._perform(work)()
    return job_of(taken.job_id)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (RuntimeError("secret"), "queued", "EXECUTION_FAILED"),
        (JobTimeoutException(), "failed", "JOB_TIMEOUT"),
        (ServiceFailure("PROVIDER_AUTH"), "failed", "PROVIDER_AUTH"),
        (ServiceFailure("PROVIDER_RATE_LIMITED"), "queued", "PROVIDER_RATE_LIMITED"),
        (OperationFailed(failure("SITEMAP_UNREACHABLE"), transient=True), "queued", "SITEMAP_UNREACHABLE"),
    ],
)
def test_what_an_operation_raises_decides_how_the_job_goes_on(
    garden: Garden, error: Exception, status: str, code: str
) -> None:
    job = perform_with(garden, error)
    assert (job.status, job.failure and job.failure["code"]) == (status, code)
    assert "secret" not in str(job.failure)
    assert posts() == 0


def test_an_operation_that_was_stopped_writes_nothing(garden: Garden) -> None:
    job = perform_with(garden, Stopped())
    assert (job.status, job.failure) == ("running", None)


def test_the_deadline_ends_the_work(garden: Garden) -> None:
    taken = garden.claimed()
    work = work_of(taken, deadline=0)
    assert work.should_stop()
    runner._perform(work)()
    job = job_of(taken.job_id)
    assert (job.status, job.failure and job.failure["code"], posts()) == ("failed", "JOB_TIMEOUT", 0)


def test_progress_is_kept_in_the_history_up_to_a_bound(garden: Garden) -> None:
    taken = garden.claimed()
    work = work_of(taken)
    for number in range(MOST_PROGRESS_ROWS + 20):
        work.progress("reading", number, 100, f"{number} of 100")
    assert events(taken.job_id).count("JOB_PROGRESS") == MOST_PROGRESS_ROWS
    assert job_of(taken.job_id).progress == {"stage": "reading", "done": 79, "total": 100}
    settle(taken)
    check_history(taken.job_id)


def test_progress_renews_the_lease(garden: Garden) -> None:
    taken = garden.claimed()
    change(taken.job_id, lease_until=ago(0))
    work_of(taken, lease=500).progress("reading", 0, 2)
    job = job_of(taken.job_id)
    assert job.lease_until is not None
    assert 490 < (job.lease_until - job.updated_at).total_seconds() < 510


def test_a_history_never_goes_back_in_time_when_the_clock_does(garden: Garden) -> None:
    job_id = garden.queued()
    change(job_id, updated_at=ago(-300))
    settle(claim(job_id))
    check_history(job_id)
    assert history(job_id)[-1].at == job_of(job_id).updated_at


def test_the_heartbeat_renews_the_lease(garden: Garden) -> None:
    taken = garden.claimed()
    change(taken.job_id, lease_until=ago(0))
    with Heartbeat(work_of(taken, lease=300), every=0.05):
        eventually(lambda: left(taken.job_id) > 200, "the lease is renewed")


def left(job_id: int) -> float:
    job = job_of(job_id)
    return (job.lease_until - job.updated_at).total_seconds() if job.lease_until else 0


def test_the_heartbeat_notices_a_cancel(garden: Garden) -> None:
    taken = garden.claimed()
    work = work_of(taken)
    with Heartbeat(work, every=0.05):
        service.cancel(get_job(garden.account_id, taken.job_id))
        db.session.rollback()
        assert work.lost.wait(5)
    with pytest.raises(Stopped):
        work.check()


def test_the_heartbeat_notices_that_another_worker_has_the_job(garden: Garden) -> None:
    taken = garden.claimed()
    work = work_of(taken)
    with Heartbeat(work, every=0.05):
        another_claim(taken)
        assert work.lost.wait(5)


def test_lost_work_that_does_not_stop_is_abandoned(garden: Garden) -> None:
    taken = garden.claimed()
    abandoned = threading.Event()
    with Heartbeat(work_of(taken), 0.05, abandoned.set):
        another_claim(taken)
        assert abandoned.wait(5)


def test_lost_work_that_stops_is_not(garden: Garden) -> None:
    taken = garden.claimed()
    work, abandoned = work_of(taken), threading.Event()
    with Heartbeat(work, 0.05, abandoned.set):
        another_claim(taken)
        assert work.lost.wait(5)
    assert not abandoned.is_set()


def test_the_heartbeat_ends_with_the_deadline(garden: Garden) -> None:
    taken = garden.claimed()
    beat = Heartbeat(work_of(taken, deadline=0), every=0.05)
    with beat:
        eventually(lambda: not beat._thread.is_alive(), "the heartbeat has ended")
