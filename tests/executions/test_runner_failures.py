"""How an attempt that failed decides what becomes of its job, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from rq.timeouts import JobTimeoutException
from sqlalchemy import select

from app.executions import runner
from app.executions.claims import Claim, claim_job
from app.executions.heartbeat import Heartbeat
from app.executions.model import ExecutionJob
from app.executions.reaper import worker_lost
from app.failures import ServiceFailure, failure
from app.infra.db import db
from app.jobs.inline_worker import InlineWorker
from app.operations.base import OperationFailed, Stopped
from app.pages.model import SitemapSync
from tests.executions.conftest import (
    SYNC,
    Garden,
    ago,
    change,
    check_history,
    claim,
    events,
    finish,
    history,
    job_of,
    making_a_post,
    posts,
    work_of,
)
from tests.support.locks import somebody_waits
from tests.support.servers import SiteServer
from tests.support.waiting import eventually
from tests.support.working import run_job


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def failing(taken: Claim, code: str, transient: bool = False) -> None:
    runner._fail(taken, failure(code), transient=transient)


def test_a_transient_failure_goes_back_to_the_queue_for_a_while(garden: Garden) -> None:
    taken = garden.claimed()
    failing(taken, "SERVICE_UNAVAILABLE")
    job = job_of(taken.job_id)
    assert (job.status, job.enqueued_at, job.lease_until) == ("queued", None, None)
    assert 0.9 < (job.available_at - job.updated_at).total_seconds() < 2.1
    assert job.failure is not None
    assert job.failure["code"] == "SERVICE_UNAVAILABLE"
    line = history(taken.job_id)[-1]
    assert (line.event, line.status) == ("JOB_REQUEUED", "queued")
    assert line.details is not None
    assert (line.details["reason"], line.details["attempt"]) == ("SERVICE_UNAVAILABLE", 1)
    db.session.rollback()
    assert claim_job(taken.job_id) is None


def test_the_third_attempt_is_the_last(garden: Garden) -> None:
    taken = garden.claimed()
    for attempt in (1, 2, 3):
        assert taken.attempt == attempt
        failing(taken, "EXECUTION_FAILED")
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
    failing(taken, "EXECUTION_FAILED")
    change(taken.job_id, available_at=ago(0.1))
    finish(claim(taken.job_id))
    assert (job_of(taken.job_id).status, job_of(taken.job_id).failure) == ("succeeded", None)
    assert any((row.details or {}).get("reason") == "EXECUTION_FAILED" for row in history(taken.job_id))


def test_an_operation_says_itself_that_another_attempt_may_help(garden: Garden) -> None:
    once, again = garden.claimed(), garden.claimed()
    failing(once, "SITEMAP_UNREACHABLE")
    failing(again, "SITEMAP_UNREACHABLE", transient=True)
    assert (job_of(once.job_id).status, job_of(again.job_id).status) == ("failed", "queued")


def test_the_effect_of_a_failure_is_written_with_it(garden: Garden) -> None:
    taken = garden.claimed()
    runner._fail(taken, failure("SITEMAP_INVALID"), partial(making_a_post, garden, taken.job_id))
    assert (job_of(taken.job_id).status, posts()) == ("failed", 1)


def test_a_job_fails_even_when_the_effect_of_its_failure_cannot_be_written(garden: Garden) -> None:
    taken = garden.claimed()

    def effect() -> None:
        making_a_post(garden, taken.job_id)
        raise RuntimeError

    runner._fail(taken, failure("SITEMAP_INVALID"), effect)
    assert (job_of(taken.job_id).status, posts()) == ("failed", 0)


def test_an_unreachable_sitemap_fails_the_job_and_is_noted(garden: Garden, site: SiteServer) -> None:
    url = site.serve("/sitemap.xml", status=404)
    garden.set_project(url=f"{site.url}/", sitemap_url=url)
    job_id = garden.queued(SYNC)
    run_job(job_id)
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
        (ServiceFailure("PROVIDER_FAILED"), "failed", "PROVIDER_FAILED"),
        (ServiceFailure("SERVICE_UNAVAILABLE"), "queued", "SERVICE_UNAVAILABLE"),
        (OperationFailed(failure("SITEMAP_UNREACHABLE"), transient=True), "queued", "SITEMAP_UNREACHABLE"),
    ],
)
def test_the_error_of_an_operation_decides_what_follows(
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


class Interrupted(BaseException):
    """As an alarm that strikes where nothing catches it."""


def interrupt(monkeypatch: pytest.MonkeyPatch, once: Callable[[], Any]) -> None:
    """Interrupt the next end of a job between its last statement and its commit, after ``once``."""

    def struck(*_: object) -> None:
        once()
        raise Interrupted

    monkeypatch.setattr(runner, "_commit_if", struck)


def test_nothing_of_an_interrupted_end_is_committed_with_the_requeue(
    garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = garden.claimed()
    interrupt(monkeypatch, lambda: None)
    with pytest.raises(Interrupted):
        runner.execute(taken)
    assert worker_lost(taken.job_id, taken.fence, taken.attempt)
    assert (job_of(taken.job_id).status, posts()) == ("queued", 0)
    check_history(taken.job_id)


def test_a_requeue_commits_nothing_that_an_interrupted_transaction_left(garden: Garden) -> None:
    worker = InlineWorker.__new__(InlineWorker)  # nothing of rq is needed to hand a job back
    worker.claimed = taken = garden.claimed()
    making_a_post(garden, taken.job_id)
    worker.requeue()
    assert (job_of(taken.job_id).status, posts()) == ("queued", 0)


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_an_interrupted_end_does_not_wait_for_a_heartbeat_that_waits_for_it(
    garden: Garden, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    taken = garden.claimed()
    monkeypatch.setattr(runner, "Heartbeat", lambda work, _every, abandon: Heartbeat(work, 0.05, abandon))
    interrupt(monkeypatch, lambda: eventually(somebody_waits, "the heartbeat waits for the job's row"))
    with pytest.raises(Interrupted):
        runner.execute(taken)
    assert "a heartbeat did not reach" not in caplog.text
    assert job_of(taken.job_id).status == "running"
