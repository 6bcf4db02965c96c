"""One attempt of a job, from its work to its end, on both databases."""

from __future__ import annotations

import logging
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import select

from app.content.model import BlogPost
from app.executions import failing, runner, service
from app.executions.queries import get_job
from app.failures import ServiceFailure, failure
from app.infra.db import db
from app.infra.logs import request_id
from app.operations.base import JobResult, Stopped
from app.projects.model import Project
from tests.executions.conftest import (
    Garden,
    ago,
    another_claim,
    change,
    check_history,
    claim,
    events,
    finish,
    history,
    job_of,
    making_a_post,
    posts,
    race,
    work_of,
    writing,
)
from tests.support.publishing import post_of
from tests.support.working import run_job


def test_a_generation_runs_to_a_post(garden: Garden) -> None:
    job_id = garden.queued()
    run_job(job_id)
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


def test_a_worker_logs_the_request_that_asked_for_the_job(garden: Garden) -> None:
    logged: list[tuple[str, str]] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            logged.append((record.getMessage(), request_id.get()))

    listener = Listener()
    logging.getLogger("app").addHandler(listener)
    try:
        asked, scheduled = garden.queued(request_id="r-1"), garden.queued()
        for job_id in (asked, scheduled):
            run_job(job_id)
    finally:
        logging.getLogger("app").removeHandler(listener)
    assert (f"job {asked}: GENERATE_BLOG_POST, attempt 1", "r-1") in logged
    assert (f"job {scheduled}: GENERATE_BLOG_POST, attempt 1", "-") in logged


def test_a_job_that_ran_does_not_run_again(garden: Garden) -> None:
    job_id = garden.queued()
    run_job(job_id)
    before = events(job_id)
    db.session.rollback()
    run_job(job_id)
    assert events(job_id) == before
    assert posts() == 1


def test_effect_and_status_are_written_together(garden: Garden) -> None:
    taken = garden.claimed()
    finish(taken, writing(garden, taken))
    job = job_of(taken.job_id)
    assert (job.status, job.result) == ("succeeded", {"words": 3, "made": True})
    assert posts() == 1


def test_an_effect_that_fails_leaves_nothing(garden: Garden) -> None:
    taken = garden.claimed()

    def effect() -> None:
        making_a_post(garden, taken.job_id)
        db.session.flush()
        raise RuntimeError("secret words")

    finish(taken, JobResult(effect=effect))
    job = job_of(taken.job_id)
    assert posts() == 0
    assert (job.status, job.failure and job.failure["code"]) == ("queued", "EXECUTION_FAILED")
    assert "secret" not in str([row.details for row in history(taken.job_id)])


def test_an_effect_that_the_database_refuses_leaves_nothing(garden: Garden) -> None:
    post_of(db.session.get_one(Project, garden.project_id), slug="taken")
    taken = garden.claimed()
    finish(taken, JobResult(effect=partial(making_a_post, garden, taken.job_id, "taken")))
    assert posts() == 1
    assert job_of(taken.job_id).status == "queued"
    check_history(taken.job_id)


def test_an_effect_that_a_rule_refuses_fails_the_job_with_that_rule(garden: Garden) -> None:
    taken = garden.claimed()

    def effect() -> None:
        making_a_post(garden, taken.job_id)
        raise ServiceFailure("INSUFFICIENT_SOURCE_MATERIAL")

    finish(taken, JobResult(effect=effect))
    job = job_of(taken.job_id)
    assert posts() == 0
    assert (job.status, job.failure and job.failure["code"]) == ("failed", "INSUFFICIENT_SOURCE_MATERIAL")


def test_a_job_canceled_before_its_end_is_written_writes_nothing(garden: Garden) -> None:
    taken = garden.claimed()
    service.cancel(get_job(garden.account_id, taken.job_id))
    finish(taken, writing(garden, taken))
    assert (job_of(taken.job_id).status, posts()) == ("canceled", 0)
    check_history(taken.job_id)


def test_a_stale_fence_changes_nothing(garden: Garden) -> None:
    stale = garden.claimed()
    current = another_claim(stale)
    before = (job_of(stale.job_id), events(stale.job_id))
    finish(stale, writing(garden, stale))
    runner._fail(stale, failure("EXECUTION_FAILED"), partial(making_a_post, garden, stale.job_id))
    runner._fail(stale, failure("SITEMAP_INVALID"))
    assert not failing.requeue(stale.job_id, stale.fence, failure("WORKER_LOST"), 0)
    db.session.rollback()
    work = work_of(stale)
    assert not work.renew_lease()
    assert not work.is_claimed()
    assert work_of(current).is_claimed()
    with pytest.raises(Stopped):
        work.progress("late", 1, 2)
    after = job_of(stale.job_id)
    assert (after.status, after.fence, after.progress) == ("running", current.fence, None)
    assert (after.updated_at, events(stale.job_id)) == (before[0].updated_at, before[1])
    assert posts() == 0
    finish(current, writing(garden, current))
    assert (job_of(stale.job_id).status, posts()) == ("succeeded", 1)


def test_two_ends_at_once_make_one_post(app: Flask, garden: Garden) -> None:
    for number in range(10):
        taken = garden.claimed()
        outcome = JobResult(effect=partial(making_a_post, garden, taken.job_id, f"made-{number}"))
        race(app, partial(finish, taken, outcome), partial(finish, taken, outcome))
        assert (job_of(taken.job_id).status, posts()) == ("succeeded", number + 1)
        assert events(taken.job_id).count("JOB_SUCCEEDED") == 1


def test_a_history_never_goes_back_in_time_when_the_clock_does(garden: Garden) -> None:
    job_id = garden.queued()
    change(job_id, updated_at=ago(-300))
    finish(claim(job_id))
    check_history(job_id)
    assert history(job_id)[-1].at == job_of(job_id).updated_at
