"""Canceling, on both databases."""

from __future__ import annotations

from functools import partial

import pytest
from flask import Flask

from app.executions import service
from app.executions.claims import claim_job
from app.executions.queries import get_job
from app.failures import ServiceFailure
from tests.executions.conftest import (
    Garden,
    check_history,
    events,
    fail,
    finish,
    job_of,
    race,
    refused,
)
from tests.support.together import together


def test_a_queued_job_is_canceled_and_never_runs(garden: Garden) -> None:
    job_id = garden.queued()
    job = service.cancel(get_job(garden.account_id, job_id))
    assert (job.status, job.failure and job.failure["code"]) == ("canceled", "CANCELED")
    assert job.canceled_at is not None
    assert job.completed_at is not None
    assert claim_job(job_id) is None
    assert events(job_id) == ["JOB_CREATED", "JOB_CANCELED"]
    check_history(job_id)


def test_a_running_job_is_canceled_and_its_claim_is_gone(garden: Garden) -> None:
    taken = garden.claimed()
    service.cancel(get_job(garden.account_id, taken.job_id))
    finish(taken)
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
    finish(taken) if end == "succeeded" else fail(taken.job_id)
    with pytest.raises(ServiceFailure) as error:
        service.cancel(get_job(garden.account_id, taken.job_id))
    assert refused(error) == "JOB_ALREADY_TERMINAL"
    assert error.value.failure.details == {"status": end}


def test_a_cancel_and_a_success_at_once_agree(app: Flask, garden: Garden) -> None:
    for _ in range(20):
        taken = garden.claimed()
        _, answer = race(
            app,
            partial(finish, taken),
            lambda job_id=taken.job_id: service.cancel(get_job(garden.account_id, job_id)),
        )
        refused = isinstance(answer, ServiceFailure)
        assert job_of(taken.job_id).status == ("succeeded" if refused else "canceled")
        check_history(taken.job_id)
