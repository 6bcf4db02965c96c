"""Which jobs are claimed, and what a claim takes, on both databases."""

from __future__ import annotations

from functools import partial

import pytest
from flask import Flask

from app.accounts.model import Account
from app.executions.claims import Claim, claim_job
from app.infra.db import db
from app.projects.model import Project
from app.projects.service import create_project
from tests.executions.conftest import (
    SYNC,
    Garden,
    ago,
    another_claim,
    change,
    claim,
    events,
    finish,
    history,
    job_of,
    race,
)
from tests.support.publishing import project_of
from tests.support.sync_jobs import submitted
from tests.support.together import together
from tests.support.working import run_job


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"RUNNING_GENERATIONS": "2", "RUNNING_SYNCS": "2"}


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
        claims = [each for each in together(app, lambda job=job_id: claim_job(job), 8) if each is not None]
        assert len(claims) == 1
        finish(claims[0])
        assert events(job_id).count("JOB_STARTED") == 1


def test_a_job_is_not_claimed_before_its_time(garden: Garden) -> None:
    job_id = garden.queued()
    change(job_id, available_at=ago(-60))
    assert claim_job(job_id) is None
    change(job_id, available_at=ago(0.1))
    assert claim_job(job_id) is not None


def test_an_account_runs_no_more_generations_than_it_may(app: Flask, garden: Garden) -> None:
    ids = [garden.queued() for _ in range(8)]
    claims = [each for each in race(app, *(partial(claim_job, job_id) for job_id in ids)) if each]
    assert all(isinstance(each, Claim) for each in claims)
    assert len(claims) == 2
    finish(claims[0])
    waiting = next(job_id for job_id in ids if job_of(job_id).status == "queued")
    assert claim_job(waiting) is not None


def test_syncs_do_not_count_as_generations(garden: Garden) -> None:
    garden.claimed(), garden.claimed()
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    assert claim_job(garden.queued(SYNC)) is not None


def test_a_project_runs_one_sync_at_a_time(garden: Garden) -> None:
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    first = garden.claimed(SYNC)
    second = garden.queued(SYNC)
    assert claim_job(second) is None
    finish(first)
    assert claim_job(second) is not None


def test_a_job_that_cannot_be_claimed_can_be_enqueued_again_at_once(garden: Garden) -> None:
    garden.claimed(), garden.claimed()
    waiting = garden.queued()
    change(waiting, enqueued_at=ago(1))
    run_job(waiting)
    assert (job_of(waiting).status, job_of(waiting).enqueued_at) == ("queued", None)


def test_an_account_runs_no_more_syncs_than_it_may_and_others_are_not_kept_waiting(garden: Garden) -> None:
    projects = [added_project(garden, f"https://site-{number}.example.com") for number in range(3)]
    first, second, third = (queued_sync(project_id) for project_id in projects)
    assert claim(first).job_id == first
    running = claim(second)
    assert claim_job(third) is None
    assert claim(queued_sync(project_of("bob").id)).operation == SYNC
    finish(running)
    assert claim(third).job_id == third


def added_project(garden: Garden, url: str) -> int:
    account = db.session.get_one(Account, garden.account_id)
    return create_project(account, {"url": url}).id


def queued_sync(project_id: int) -> int:
    project = db.session.get_one(Project, project_id)
    project.sitemap_url = f"{project.url}sitemap.xml"
    db.session.commit()
    return submitted(project_id)
