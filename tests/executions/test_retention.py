"""What is kept of old jobs, on both databases: enough for every key to answer as before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from app.executions import reaper, retention, runner, service
from app.executions.claims import Claim
from app.executions.model import ExecutionJob, IdempotencyKey
from app.executions.queries import get_job
from app.executions.rollback import roll_back
from app.executions.service import Submitted
from app.failures import ServiceFailure, failure
from app.infra.clock import utc_now
from app.infra.db import db
from app.operations.base import JobResult
from tests.executions.conftest import (
    Garden,
    ago,
    change,
    claim,
    count,
    events,
    finish,
    history,
    job_of,
    posts,
    refused,
    work_of,
    writing,
)
from tests.support.together import together

PROVIDER_FAILURE = failure("PROVIDER_FAILED", details={"url": "https://alice.example/private"})


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"QUEUED_EXECUTIONS": "1000"}


def aged(job_id: int, days: float) -> int:
    """The same job, as if it had ended so long ago."""
    change(job_id, completed_at=utc_now() - timedelta(days=days))
    return job_id


def written(garden: Garden) -> int:
    """A generation that has succeeded, with progress, a post and artefacts."""
    taken = garden.claimed()
    work_of(taken).progress("reading", 1, 2)
    finish(taken, JobResult({"words": 3}, writing(garden, taken).effect, {"brief": {"topic": "notes"}}))
    return taken.job_id


def failed(garden: Garden, key: str | None = None) -> int:
    taken = claim(garden.submit(key).job.id)
    change(taken.job_id, attempt=3)
    runner._fail(
        Claim(taken.job_id, garden.project_id, taken.operation, {}, 3, taken.fence, ""), PROVIDER_FAILURE
    )
    return taken.job_id


def retried(garden: Garden, job_id: int, key: str) -> Submitted:
    return service.retry(get_job(garden.account_id, job_id), key)


def test_a_pruned_job_keeps_its_status_and_the_last_row_of_its_history(garden: Garden) -> None:
    job_id = aged(written(garden), 401)
    before = job_of(job_id)
    assert retention.prune() == 1
    job = job_of(job_id)
    assert (job.payload, job.result, job.progress, job.artefacts) == ({}, None, None, None)
    assert (job.status, job.completed_at) == ("succeeded", before.completed_at)
    assert job.pruned_at is not None
    (line,) = history(job_id)
    assert (line.event, line.status, line.details) == (
        "JOB_SUCCEEDED", "succeeded", {"attempt": 1, "pruned": True},
    )  # fmt: skip
    assert posts() == 1


def test_a_pruned_failure_keeps_its_code_and_loses_its_details(garden: Garden) -> None:
    job_id = aged(failed(garden), 401)
    retention.prune()
    kept = job_of(job_id).failure
    assert kept == {**PROVIDER_FAILURE.to_dict(), "details": None, "remediation_hints": []}
    (line,) = history(job_id)
    assert line.details == {"attempt": 3, "reason": "PROVIDER_FAILED", "pruned": True}


def test_a_key_answers_with_its_pruned_job_for_ever(garden: Garden) -> None:
    job_id = aged(failed(garden, "once"), 401)
    retention.prune()
    again = garden.submit("once")
    assert (again.job.id, again.job.status, again.created, again.replayed) == (job_id, "failed", False, True)
    with pytest.raises(ServiceFailure) as conflict:
        garden.submit("once", payload={"topic": "Something else"})
    assert refused(conflict) == "IDEMPOTENCY_KEY_CONFLICT"


def test_a_pruned_job_is_not_retried_and_answers_the_keys_of_before(garden: Garden) -> None:
    job_id = failed(garden)
    copy = retried(garden, job_id, "again").job.id
    aged(job_id, 401)
    retention.prune()
    replay = retried(garden, job_id, "again")
    assert (replay.job.id, replay.created, replay.replayed) == (copy, False, True)
    with pytest.raises(ServiceFailure) as refusal:
        retried(garden, job_id, "anew")
    assert refused(refusal) == "RETRY_NOT_ALLOWED"
    assert count(IdempotencyKey) == 2


def test_a_pruned_job_can_still_be_rolled_back(garden: Garden) -> None:
    job_id = aged(written(garden), 401)
    retention.prune()
    assert roll_back(get_job(garden.account_id, job_id)).rollback_state == "completed"
    assert posts() == 0
    assert events(job_id) == ["JOB_SUCCEEDED", "JOB_ROLLBACK_COMPLETED"]
    aged(written(garden), 401)
    assert retention.prune() == 1
    assert job_of(job_id).rollback_state == "completed"


def test_artefacts_go_first(garden: Garden) -> None:
    young, old = written_twice(garden)
    aged(young, 29)
    aged(old, 31)
    before = events(old)
    assert retention.prune() == 1
    assert job_of(young).artefacts == {"brief": {"topic": "notes"}}
    job = job_of(old)
    assert (job.artefacts, job.result, job.pruned_at) == (None, {"words": 3, "made": True}, None)
    assert events(old) == before
    assert retention.prune() == 0


def written_twice(garden: Garden) -> tuple[int, int]:
    first = written(garden)
    roll_back(get_job(garden.account_id, first))
    db.session.rollback()
    return written(garden), first


def test_jobs_that_have_not_ended_are_never_touched(garden: Garden) -> None:
    queued, running = garden.queued(), garden.claimed().job_id
    for job_id in (queued, running):
        change(job_id, created_at=ago(500 * 86400), queued_at=ago(500 * 86400))
    aged(failed(garden), 399)
    assert retention.prune() == 0
    assert job_of(queued).payload == job_of(running).payload == {"topic": "Keeping garden notes"}


def test_two_at_once_prune_each_job_once(app: Flask, garden: Garden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 3)
    ids = [garden.queued() for _ in range(12)]
    for job_id in ids:
        service.cancel(get_job(garden.account_id, job_id))
        aged(job_id, 401)
    assert sum(together(app, retention.prune, 4)) <= 12
    while retention.prune():
        pass
    assert all(events(job_id) == ["JOB_CANCELED"] for job_id in ids)
    assert not db.session.scalars(select(ExecutionJob.id).where(ExecutionJob.pruned_at.is_(None))).all()
    db.session.rollback()
    assert reaper.reap() == 0


def test_a_run_is_bounded_and_the_next_goes_on(garden: Garden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    monkeypatch.setattr(retention, "ROUNDS", 2)
    for job_id in [garden.queued() for _ in range(5)]:
        service.cancel(get_job(garden.account_id, job_id))
        aged(job_id, 401)
    assert [retention.prune(), retention.prune(), retention.prune()] == [4, 1, 0]
