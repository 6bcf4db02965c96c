"""Submitting, canceling, retrying and waiting, on both databases."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest
from flask import Flask
from redis import Redis
from rq import Queue
from sqlalchemy import func, select

from app.config import Settings
from app.executions import runner, service
from app.executions.model import ExecutionJob, IdempotencyKey, JobHistory
from app.executions.queries import get_job
from app.failures import ServiceFailure, failure
from app.infra.db import db
from tests.executions.conftest import (
    GENERATE,
    SYNC,
    Garden,
    change,
    check_history,
    claim,
    events,
    history,
    job_of,
    race,
    settle,
    trying,
)
from tests.support.together import together

OUTSIDE = {"page_ids": [999]}


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"QUEUED_EXECUTIONS": "3"}


def count(model: type) -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(model)) or 0


def refused(error: pytest.ExceptionInfo[ServiceFailure]) -> str:
    return error.value.failure.code


def fail(job_id: int) -> None:
    change(job_id, status="failed", failure=failure("EXECUTION_FAILED").to_dict())


def retried(garden: Garden, job_id: int, key: str) -> service.Submitted:
    account = garden.submission().account
    return service.retry(get_job(garden.account_id, job_id), account, key, requested_by="Alice")


def test_a_submission_makes_a_job_its_first_line_and_its_key(garden: Garden, settings: Settings) -> None:
    made = garden.submit("key", requested_by="Alice", request_id="r-1")
    job = job_of(made.job.id)
    assert (made.created, made.replayed) == (True, False)
    assert (job.status, job.attempt, job.fence, job.idempotency_key) == ("queued", 0, 0, "key")
    assert (job.requested_by, job.request_id, job.retry_of) == ("Alice", "r-1", None)
    [line] = history(job.id)
    assert (line.event, line.status, line.at) == ("JOB_CREATED", "queued", job.created_at)
    assert count(IdempotencyKey) == 1
    assert job.rung_at is not None
    with Redis.from_url(settings.redis_url) as redis:
        assert Queue("executions", connection=redis).job_ids == [f"execution-{job.id}-1"]


def test_nothing_is_left_of_a_submission_that_did_not_commit(garden: Garden) -> None:
    service._submit_once(garden.submission("key"), "mark")
    db.session.rollback()
    assert (count(ExecutionJob), count(JobHistory), count(IdempotencyKey)) == (0, 0, 0)


def test_a_key_gives_the_same_job_for_ever_as_it_is_now(garden: Garden) -> None:
    job_id = garden.submit("key").job.id
    seen = []
    for act in (
        lambda: None,
        lambda: claim(job_id),
        lambda: service.cancel(get_job(garden.account_id, job_id)),
    ):
        act()
        again = garden.submit("key")
        assert (again.job.id, again.created, again.replayed) == (job_id, False, True)
        seen.append(again.job.status)
    assert seen == ["queued", "running", "canceled"]
    assert count(ExecutionJob) == 1


def test_a_key_with_another_input_is_a_conflict(garden: Garden) -> None:
    job_id = garden.submit("key").job.id
    with pytest.raises(ServiceFailure) as error:
        garden.submit("key", payload={"topic": "Something else"})
    assert refused(error) == "IDEMPOTENCY_KEY_CONFLICT"
    assert error.value.failure.details == {"job_id": job_id}


def test_a_refused_request_does_not_consume_its_key(garden: Garden) -> None:
    with pytest.raises(ServiceFailure) as error:
        garden.submit("key", payload=OUTSIDE)
    assert refused(error) == "INVALID_REQUEST"
    db.session.rollback()
    assert (count(IdempotencyKey), count(ExecutionJob)) == (0, 0)
    assert garden.submit("key").created


def test_24_equal_requests_at_once_make_one_job(app: Flask, garden: Garden) -> None:
    made = together(app, lambda: _summary(garden.submit("key")), 24)
    assert len({job_id for job_id, _ in made}) == 1
    assert sorted(created for _, created in made) == [False] * 23 + [True]
    assert (count(ExecutionJob), count(JobHistory), count(IdempotencyKey)) == (1, 1, 1)


def test_of_unequal_requests_with_one_key_at_once_one_wins(app: Flask, garden: Garden) -> None:
    topics = iter([f"Topic {number}" for number in range(12)])
    lock = threading.Lock()

    def act() -> bool:
        with lock:
            topic = next(topics)
        return garden.submit("key", payload={"topic": topic}).created

    results = together(app, trying(act), 12)
    conflicts = [each for each in results if isinstance(each, ServiceFailure)]
    assert results.count(True) == 1
    assert {each.failure.code for each in conflicts} == {"IDEMPOTENCY_KEY_CONFLICT"}
    assert len(conflicts) == 11
    assert count(ExecutionJob) == 1


def _summary(made: service.Submitted) -> tuple[int, bool]:
    return made.job.id, made.created


def test_a_sync_joins_the_queued_one_but_never_a_running_one(garden: Garden) -> None:
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    first = garden.submit("one", SYNC).job.id
    joined = garden.submit("two", SYNC)
    assert (joined.job.id, joined.created, joined.replayed) == (first, False, False)
    assert count(IdempotencyKey) == 2
    claim(first)
    second = garden.submit("three", SYNC)
    assert second.created
    assert second.job.id != first
    assert garden.submit("two", SYNC).job.id == first


def test_syncs_asked_for_at_once_are_one(app: Flask, garden: Garden) -> None:
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    made = together(app, lambda: _summary(garden.submit(None, SYNC)), 12)
    assert len({job_id for job_id, _ in made}) == 1
    assert [created for _, created in made].count(True) == 1


def test_a_sync_without_a_sitemap_is_refused(garden: Garden) -> None:
    with pytest.raises(ServiceFailure) as error:
        garden.submit("key", SYNC)
    assert refused(error) == "SITEMAP_MISSING"


def test_no_more_jobs_are_queued_than_the_limit_allows(garden: Garden) -> None:
    first, *_others = (garden.queued() for _ in range(3))
    with pytest.raises(ServiceFailure) as error:
        garden.submit("key")
    assert refused(error) == "QUOTA_EXCEEDED"
    assert error.value.headers["Retry-After"]
    db.session.rollback()
    claim(first)
    assert garden.submit("key").created


def test_a_replay_is_not_held_back_by_the_limit(garden: Garden) -> None:
    job_id = garden.submit("key").job.id
    for _ in range(2):
        garden.queued()
    assert garden.submit("key").job.id == job_id


def test_the_limit_holds_for_requests_at_once(app: Flask, garden: Garden) -> None:
    results = together(app, trying(lambda: garden.submit().created), 12)
    assert results.count(True) == 3
    assert count(ExecutionJob) == 3


def test_the_monthly_limit_counts_what_is_under_way(garden: Garden) -> None:
    garden.submission().account.monthly_post_limit = 2
    db.session.commit()
    settle(garden.claimed())
    garden.queued()
    with pytest.raises(ServiceFailure) as error:
        garden.submit()
    assert refused(error) == "QUOTA_EXCEEDED"
    assert error.value.failure.details == {"monthly_post_limit": 2}


def test_a_failed_generation_uses_up_nothing_of_the_month(garden: Garden) -> None:
    garden.submission().account.monthly_post_limit = 1
    db.session.commit()
    fail(garden.queued())
    assert garden.submit().created


def test_a_queued_job_is_canceled_and_never_runs(garden: Garden) -> None:
    job_id = garden.queued()
    job = service.cancel(get_job(garden.account_id, job_id))
    assert (job.status, job.failure and job.failure["code"]) == ("canceled", "CANCELED")
    assert job.canceled_at is not None
    assert job.completed_at is not None
    assert runner.take(job_id) is None
    assert events(job_id) == ["JOB_CREATED", "JOB_CANCELED"]
    check_history(job_id)


def test_a_running_job_is_canceled_and_its_claim_is_gone(garden: Garden) -> None:
    taken = garden.claimed()
    service.cancel(get_job(garden.account_id, taken.job_id))
    settle(taken)
    assert job_of(taken.job_id).status == "canceled"
    assert events(taken.job_id) == ["JOB_CREATED", "JOB_STARTED", "JOB_CANCELED"]


def test_canceling_twice_is_one_cancel(garden: Garden) -> None:
    job_id = garden.queued()
    first = service.cancel(get_job(garden.account_id, job_id)).canceled_at
    assert service.cancel(get_job(garden.account_id, job_id)).canceled_at == first
    assert events(job_id) == ["JOB_CREATED", "JOB_CANCELED"]


def test_canceling_from_many_threads_is_one_cancel(app: Flask, garden: Garden) -> None:
    job_id = garden.queued()
    results = together(app, lambda: service.cancel(get_job(garden.account_id, job_id)).status, 8)
    assert set(results) == {"canceled"}
    assert events(job_id) == ["JOB_CREATED", "JOB_CANCELED"]


@pytest.mark.parametrize("end", ["succeeded", "failed"])
def test_a_job_that_has_ended_cannot_be_canceled(garden: Garden, end: str) -> None:
    taken = garden.claimed()
    settle(taken) if end == "succeeded" else fail(taken.job_id)
    with pytest.raises(ServiceFailure) as error:
        service.cancel(get_job(garden.account_id, taken.job_id))
    assert refused(error) == "JOB_ALREADY_TERMINAL"
    assert error.value.failure.details == {"status": end}


def test_a_cancel_and_a_success_at_once_agree(app: Flask, garden: Garden) -> None:
    for _ in range(20):
        taken = garden.claimed()
        _, answer = race(
            app,
            partial(settle, taken),
            lambda job_id=taken.job_id: service.cancel(get_job(garden.account_id, job_id)),
        )
        refused = isinstance(answer, ServiceFailure)
        assert job_of(taken.job_id).status == ("succeeded" if refused else "canceled")
        check_history(taken.job_id)


def test_a_failed_job_is_retried_as_a_new_one(garden: Garden) -> None:
    old = garden.queued()
    fail(old)
    made = retried(garden, old, "again")
    new = job_of(made.job.id)
    assert (made.created, new.retry_of, new.status, new.attempt) == (True, old, "queued", 0)
    assert new.payload == job_of(old).payload
    [line] = history(new.id)
    assert (line.event, line.status) == ("JOB_RETRIED", "queued")
    assert line.details is not None
    assert line.details["retry_of"] == old
    assert job_of(old).status == "failed"


def test_a_canceled_job_is_retried(garden: Garden) -> None:
    old = garden.queued()
    service.cancel(get_job(garden.account_id, old))
    assert retried(garden, old, "again").created


def test_the_key_of_a_retry_gives_the_same_job(garden: Garden) -> None:
    old = garden.queued()
    fail(old)
    first, second = retried(garden, old, "again"), retried(garden, old, "again")
    assert (second.job.id, second.created, second.replayed) == (first.job.id, False, True)
    assert retried(garden, old, "another").job.id != first.job.id


def test_retries_with_one_key_at_once_are_one_job(app: Flask, garden: Garden) -> None:
    old = garden.queued()
    fail(old)
    made = together(app, lambda: _summary(retried(garden, old, "again")), 12)
    assert len({job_id for job_id, _ in made}) == 1
    assert [created for _, created in made].count(True) == 1


@pytest.mark.parametrize("status", ["queued", "running", "succeeded"])
def test_a_job_that_did_not_fail_is_not_retried(garden: Garden, status: str) -> None:
    old = garden.queued()
    if status != "queued":
        taken = claim(old)
        if status == "succeeded":
            settle(taken)
    with pytest.raises(ServiceFailure) as error:
        retried(garden, old, "again")
    assert refused(error) == "RETRY_NOT_ALLOWED"
    db.session.rollback()
    assert count(ExecutionJob) == 1


def test_waiting_ends_with_the_job(app: Flask, garden: Garden) -> None:
    taken = garden.claimed()

    def end() -> None:
        with app.app_context():
            settle(taken)

    timer = threading.Timer(0.3, end)
    timer.start()
    started = time.monotonic()
    assert service.wait(taken.job_id, 10).status == "succeeded"
    assert time.monotonic() - started < 5
    timer.join()


def test_waiting_ends_with_the_time(garden: Garden) -> None:
    job_id = garden.queued()
    started = time.monotonic()
    assert service.wait(job_id, 0.3).status == "queued"
    assert 0.3 <= time.monotonic() - started < 2


def test_a_job_of_another_account_is_not_found(garden: Garden) -> None:
    job_id = garden.queued()
    with pytest.raises(ServiceFailure) as error:
        get_job(garden.account_id + 1, job_id)
    assert refused(error) == "JOB_NOT_FOUND"


def test_without_redis_a_job_is_made_and_waits_for_its_ring(app: Flask, garden: Garden) -> None:
    app.extensions["redis"] = Redis(unix_socket_path="/nowhere.sock")
    job_id = garden.queued(GENERATE)
    assert (job_of(job_id).status, job_of(job_id).rung_at) == ("queued", None)
