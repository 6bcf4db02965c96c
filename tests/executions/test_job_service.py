"""Submitting, under keys and limits, and waiting, on both databases."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest
from flask import Flask
from redis import Redis
from rq import Queue

from app.config import Settings
from app.content.model import BlogPost
from app.executions import service
from app.executions.idempotency import job_of_key
from app.executions.model import ExecutionJob, IdempotencyKey, JobHistory
from app.executions.queries import get_job
from app.failures import ServiceFailure
from app.infra import queue
from app.infra.db import db
from tests.executions.conftest import (
    GENERATE,
    SYNC,
    Garden,
    claim,
    count,
    fail,
    finish,
    history,
    job_of,
    making_a_post,
    refused,
    summary,
    trying,
)
from tests.support.publishing import project_of
from tests.support.together import together

OUTSIDE = {"page_ids": [999]}


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"QUEUED_EXECUTIONS": "3"}


def test_a_submission_makes_a_job_its_first_line_and_its_key(garden: Garden, settings: Settings) -> None:
    made = garden.submit("key", requested_by="Alice", request_id="r-1")
    job = job_of(made.job.id)
    assert (made.created, made.replayed) == (True, False)
    assert (job.status, job.attempt, job.fence, job.idempotency_key) == ("queued", 0, 0, "key")
    assert (job.requested_by, job.request_id, job.retry_of) == ("Alice", "r-1", None)
    [line] = history(job.id)
    assert (line.event, line.status, line.at) == ("JOB_CREATED", "queued", job.created_at)
    assert count(IdempotencyKey) == 1
    assert job.enqueued_at is not None
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


def test_a_key_is_known_in_its_account_and_scope_only(garden: Garden) -> None:
    made = garden.submit("key").job.id
    scope = f"create:{garden.project_id}"
    found = job_of_key(garden.account_id, scope, "key", None)
    assert found is not None
    assert found.id == made
    other = project_of("bob").account_id
    for account_id, place, key in (
        (other, scope, "key"), (garden.account_id, f"{scope}0", "key"), (garden.account_id, scope, "Key"),
        (garden.account_id, scope, None),
    ):  # fmt: skip
        assert job_of_key(account_id, place, key, None) is None


def test_a_refused_request_does_not_consume_its_key(garden: Garden) -> None:
    with pytest.raises(ServiceFailure) as error:
        garden.submit("key", payload=OUTSIDE)
    assert refused(error) == "INVALID_REQUEST"
    db.session.rollback()
    assert (count(IdempotencyKey), count(ExecutionJob)) == (0, 0)
    assert garden.submit("key").created


def test_24_equal_requests_at_once_make_one_job(app: Flask, garden: Garden) -> None:
    made = together(app, lambda: summary(garden.submit("key")), 24)
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
    made = together(app, lambda: summary(garden.submit(None, SYNC)), 12)
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


def test_title_ideas_take_their_places_in_the_queue(garden: Garden) -> None:
    for _ in range(3):
        garden.queued("SUGGEST_TITLES")
    for operation in ("SUGGEST_TITLES", GENERATE):
        with pytest.raises(ServiceFailure) as error:
            garden.submit("key", operation)
        assert error.value.failure.details == {"queued_limit": 3}


def test_a_replay_is_not_subject_to_the_limit(garden: Garden) -> None:
    job_id = garden.submit("key").job.id
    for _ in range(2):
        garden.queued()
    assert garden.submit("key").job.id == job_id


def test_the_limit_applies_to_requests_at_once(app: Flask, garden: Garden) -> None:
    results = together(app, trying(lambda: garden.submit().created), 12)
    assert results.count(True) == 3
    assert count(ExecutionJob) == 3


def test_the_monthly_limit_counts_active_jobs(garden: Garden) -> None:
    garden.account().monthly_post_limit = 2
    db.session.commit()
    finish(garden.claimed())
    garden.queued()
    with pytest.raises(ServiceFailure) as error:
        garden.submit()
    assert refused(error) == "QUOTA_EXCEEDED"
    assert error.value.failure.details == {"monthly_post_limit": 2}


def test_a_refresh_uses_no_post_of_the_month_but_a_place_in_the_queue(
    garden: Garden, settings: Settings
) -> None:
    making_a_post(garden, 999)
    refresh = {"blog_post_id": db.session.query(BlogPost).one().id}
    garden.account().monthly_post_limit = 1
    db.session.commit()
    garden.submit(None, "REFRESH_BLOG_POST", payload=refresh)
    garden.submit()
    with pytest.raises(ServiceFailure):
        garden.submit()
    for _ in range(settings.queued_executions - 2):
        garden.submit(None, "REFRESH_BLOG_POST", payload=refresh)
    with pytest.raises(ServiceFailure) as error:
        garden.submit(None, "REFRESH_BLOG_POST", payload=refresh)
    assert error.value.failure.details == {"queued_limit": settings.queued_executions}


def test_a_failed_generation_uses_up_nothing_of_the_month(garden: Garden) -> None:
    garden.account().monthly_post_limit = 1
    db.session.commit()
    fail(garden.queued())
    assert garden.submit().created


def test_waiting_ends_with_the_job(app: Flask, garden: Garden) -> None:
    taken = garden.claimed()

    def end() -> None:
        with app.app_context():
            finish(taken)

    timer = threading.Timer(0.3, end)
    timer.start()
    started = time.monotonic()
    assert service.wait(taken.job_id, 60).status == "succeeded"
    assert time.monotonic() - started < 30
    timer.join()


def test_waiting_ends_with_the_time(garden: Garden) -> None:
    job_id = garden.queued()
    started = time.monotonic()
    assert service.wait(job_id, 0.3).status == "queued"
    assert 0.3 <= time.monotonic() - started < 10


def test_a_job_of_another_account_is_not_found(garden: Garden) -> None:
    job_id = garden.queued()
    with pytest.raises(ServiceFailure) as error:
        get_job(garden.account_id + 1, job_id)
    assert refused(error) == "JOB_NOT_FOUND"


def test_without_redis_a_job_is_created_and_enqueued_later(
    app: Flask, settings: Settings, garden: Garden
) -> None:
    app.extensions["redis"] = queue.connect(replace(settings, redis_url="unix:///nowhere.sock"))
    job_id = garden.queued(GENERATE)
    assert (job_of(job_id).status, job_of(job_id).enqueued_at) == ("queued", None)
