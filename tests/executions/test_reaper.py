"""Ending and handing back what is stuck, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.executions import reaper
from app.executions.claims import Claim
from app.executions.failing import attempt_failed
from app.executions.reaper import reap, worker_lost
from app.executions.states import Status
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
    race,
)
from tests.support.together import together


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {
        "JOB_DEADLINE": "100",
        "SYNC_DEADLINE": "500",
        "RUNNING_GENERATIONS": "50",
        "QUEUED_EXECUTIONS": "50",
    }


def silent(garden: Garden, attempt: int = 1) -> Claim:
    """A running job whose worker says nothing any more."""
    taken = garden.claimed()
    change(taken.job_id, lease_until=ago(0.1), attempt=attempt)
    return taken


def ended(job_id: int) -> tuple[str, str | None]:
    job = job_of(job_id)
    return job.status, job.failure["code"] if job.failure else None


def test_a_job_whose_lease_is_over_goes_back_to_the_queue(garden: Garden) -> None:
    taken = silent(garden)
    assert reap() == 1
    job = job_of(taken.job_id)
    assert (job.status, job.enqueued_at, job.lease_until) == ("queued", None, None)
    assert 0.9 < (job.available_at - job.updated_at).total_seconds() < 2.1
    line = history(taken.job_id)[-1]
    assert line.details is not None
    assert (line.event, line.details["reason"], line.details["attempt"]) == ("JOB_REQUEUED", "WORKER_LOST", 1)
    check_history(taken.job_id)


def test_a_worker_that_wakes_after_its_lease_changes_nothing(garden: Garden) -> None:
    taken = silent(garden)
    reap()
    finish(taken)
    assert job_of(taken.job_id).status == "queued"
    change(taken.job_id, available_at=ago(0.1))
    finish(claim(taken.job_id))
    assert events(taken.job_id).count("JOB_SUCCEEDED") == 1


def test_a_job_with_a_lease_is_left_alone(garden: Garden) -> None:
    taken = garden.claimed()
    assert reap() == 0
    assert job_of(taken.job_id).status == "running"


def test_a_worker_lost_for_the_third_time_ends_the_job(garden: Garden) -> None:
    second, third = silent(garden, 2), silent(garden, 3)
    assert reap() == 2
    assert ended(second.job_id) == ("queued", "WORKER_LOST")
    assert ended(third.job_id) == ("failed", "WORKER_LOST")
    assert job_of(third.job_id).completed_at is not None


@pytest.mark.parametrize(("operation", "deadline"), [("GENERATE_BLOG_POST", 100), (SYNC, 500)])
def test_a_job_over_its_deadline_is_ended_and_not_tried_again(
    garden: Garden, operation: str, deadline: int
) -> None:
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    taken = garden.claimed(operation)
    change(taken.job_id, started_at=ago(deadline + 1), lease_until=ago(0.1))
    assert reap() == 1
    assert ended(taken.job_id) == ("failed", "JOB_TIMEOUT")
    check_history(taken.job_id)


def test_a_worker_over_its_deadline_may_end_its_job_while_it_has_its_lease(garden: Garden) -> None:
    taken = garden.claimed()
    change(taken.job_id, started_at=ago(105))
    assert reap() == 0
    finish(taken)
    assert job_of(taken.job_id).status == "succeeded"


def test_the_deadline_counts_from_the_start_of_the_attempt(garden: Garden) -> None:
    taken = garden.claimed()
    change(taken.job_id, created_at=ago(5000), queued_at=ago(5000), started_at=ago(50), lease_until=ago(0.1))
    reap()
    assert ended(taken.job_id) == ("queued", "WORKER_LOST")


def test_a_job_that_nobody_ran_for_a_day_is_ended(garden: Garden) -> None:
    old, young = garden.queued(), garden.queued()
    change(old, available_at=ago(24 * 3600 + 5))
    change(young, available_at=ago(24 * 3600 - 60))
    assert reap() == 1
    assert ended(old) == ("failed", "QUEUE_TIMEOUT")
    assert ended(young) == ("queued", None)
    check_history(old)


def test_reapers_at_once_do_nothing_twice(app: Flask, garden: Garden) -> None:
    lost = [silent(garden).job_id for _ in range(6)]
    used_up = [silent(garden, 3).job_id for _ in range(6)]
    forgotten = [garden.queued() for _ in range(6)]
    for job_id in forgotten:
        change(job_id, available_at=ago(25 * 3600))
    assert sum(together(app, reap, 4)) == 18
    assert {events(job_id).count("JOB_REQUEUED") for job_id in lost} == {1}
    assert {events(job_id).count("JOB_FAILED") for job_id in used_up + forgotten} == {1}
    for job_id in lost + used_up + forgotten:
        check_history(job_id)


def test_a_reaper_and_a_late_worker_agree(app: Flask, garden: Garden) -> None:
    for _ in range(15):
        taken = silent(garden)
        race(app, reap, lambda late=taken: finish(late))
        assert job_of(taken.job_id).status in (Status.QUEUED, Status.SUCCEEDED)
        check_history(taken.job_id)
        change(taken.job_id, status="canceled")


def test_the_job_of_a_dead_child_process_is_requeued_at_once(garden: Garden) -> None:
    taken = garden.claimed()
    assert worker_lost(taken.job_id, taken.fence, taken.attempt)
    assert ended(taken.job_id) == ("queued", "WORKER_LOST")
    assert not worker_lost(taken.job_id, taken.fence, taken.attempt)
    assert events(taken.job_id).count("JOB_REQUEUED") == 1


def test_the_death_of_an_earlier_attempts_child_process_changes_nothing(garden: Garden) -> None:
    taken = garden.claimed()
    change(taken.job_id, attempt=2, fence=taken.fence + 1)
    assert not worker_lost(taken.job_id, taken.fence, 1)
    assert job_of(taken.job_id).status == "running"


def test_a_lost_sync_ends_when_another_is_queued_which_takes_its_place(garden: Garden) -> None:
    garden.set_project(sitemap_url="https://example.com/sitemap.xml")
    lost, waiting = garden.claimed(SYNC), garden.queued(SYNC)
    other = silent(garden)
    change(lost.job_id, lease_until=ago(1))
    assert reap() == 2
    assert ended(lost.job_id) == ("failed", "WORKER_LOST")
    assert ended(other.job_id) == ("queued", "WORKER_LOST")
    assert claim(waiting).job_id == waiting
    check_history(lost.job_id)


def test_a_job_that_cannot_be_reaped_does_not_delay_the_others(
    garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, other = silent(garden), silent(garden)

    def unless_broken(job_id: int, *rest: Any) -> bool:
        if job_id == broken.job_id:
            raise ValueError("nobody foresaw this")
        return attempt_failed(job_id, *rest)

    monkeypatch.setattr(reaper, "attempt_failed", unless_broken)
    assert reap() == 1
    assert (job_of(broken.job_id).status, job_of(other.job_id).status) == ("running", "queued")
