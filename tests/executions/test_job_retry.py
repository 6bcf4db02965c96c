"""Retrying, on both databases."""

from __future__ import annotations

import pytest
from flask import Flask

from app.executions import service
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.failures import ServiceFailure
from app.infra.db import db
from tests.executions.conftest import (
    Garden,
    claim,
    count,
    fail,
    finish,
    history,
    job_of,
    refused,
    summary,
)
from tests.support.together import together


def retried(garden: Garden, job_id: int, key: str) -> service.Submitted:
    return service.retry(get_job(garden.account_id, job_id), key, requested_by="Alice")


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
    made = together(app, lambda: summary(retried(garden, old, "again")), 12)
    assert len({job_id for job_id, _ in made}) == 1
    assert [created for _, created in made].count(True) == 1


@pytest.mark.parametrize("status", ["queued", "running", "succeeded"])
def test_a_job_that_did_not_fail_is_not_retried(garden: Garden, status: str) -> None:
    old = garden.queued()
    if status != "queued":
        taken = claim(old)
        if status == "succeeded":
            finish(taken)
    with pytest.raises(ServiceFailure) as error:
        retried(garden, old, "again")
    assert refused(error) == "RETRY_NOT_ALLOWED"
    db.session.rollback()
    assert count(ExecutionJob) == 1
