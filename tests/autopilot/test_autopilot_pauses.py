"""An autopilot pauses itself with a reason: after failures in a row, and when nothing is left."""

from __future__ import annotations

from sqlalchemy import update

from app.accounts.model import Account
from app.autopilot.runs import MOST_FAILURES, continue_runs, start_due_runs
from app.executions.model import ExecutionJob
from app.executions.service import cancel
from app.failures import failure
from app.infra.clock import utc_now
from app.infra.db import db
from tests.autopilot.conftest import Pilot, ended
from tests.support.publishing import fresh, job_now


def test_three_failures_in_a_row_pause_it_with_the_reason(pilot: Pilot) -> None:
    found = failure("INSUFFICIENT_SOURCE_MATERIAL")
    pilot.set()
    for _ in range(MOST_FAILURES):
        assert pilot.now().state == "on"
        pilot.due_since()
        start_due_runs()
        ended(pilot.runs()[-1].job_id, "failed", failure=found.to_dict())
        continue_runs()
    autopilot = pilot.now()
    assert (autopilot.state, autopilot.next_run_at) == ("paused", None)
    assert autopilot.paused_reason == f"3 posts in a row could not be made. The last one: {found.message}"
    assert pilot.set().state == "on"
    assert pilot.now().failures == 0


def test_a_success_between_failures_keeps_it_on(pilot: Pilot) -> None:
    pilot.set("write")
    for status in ("failed", "succeeded", "failed"):
        pilot.due_since()
        start_due_runs()
        ended(pilot.runs()[-1].job_id, status, failure=failure("EXECUTION_FAILED").to_dict())
        continue_runs()
    assert (pilot.now().state, pilot.now().failures) == ("on", 1)


def test_a_job_that_a_person_canceled_is_no_failure(pilot: Pilot) -> None:
    pilot.due()
    start_due_runs()
    (run,) = pilot.runs()
    assert run.job_id is not None
    cancel(db.session.get_one(ExecutionJob, run.job_id))
    continue_runs()
    assert (pilot.runs()[0].state, pilot.now().failures) == ("failed", 0)


def test_a_post_that_the_checks_block_stays_a_draft_and_counts_as_a_failure(pilot: Pilot) -> None:
    pilot.due("live")
    start_due_runs()
    post = fresh(pilot.written())
    post.content, post.word_count = "", 0
    db.session.commit()
    continue_runs()
    run = pilot.runs()[0]
    assert (run.state, (run.failure or {})["code"]) == ("failed", "PUBLISH_QUALITY_GATE_BLOCKED")
    assert pilot.now().failures == 1


def test_a_quota_that_is_used_up_is_a_failed_run(pilot: Pilot) -> None:
    pilot.due()
    db.session.execute(update(Account).values(monthly_post_limit=0))
    db.session.commit()
    assert start_due_runs() == 0
    run = pilot.runs()[0]
    assert (run.state, (run.failure or {})["code"]) == ("failed", "QUOTA_EXCEEDED")


def test_it_pauses_when_nothing_is_left_to_write_about(pilot: Pilot) -> None:
    for _ in range(3):
        pilot.due()
        start_due_runs()
        ended(pilot.runs()[-1].job_id, "canceled")
        continue_runs()
    pilot.due()
    assert start_due_runs() == 0
    autopilot = pilot.now()
    assert autopilot.state == "paused"
    assert "No keyword without a post" in str(autopilot.paused_reason)


def test_after_the_keywords_come_unused_title_ideas(pilot: Pilot) -> None:
    test_it_pauses_when_nothing_is_left_to_write_about(pilot)
    idea = {"title": "Five ways to label a seed bed", "topic": "Seed beds", "keyword": None}
    now = utc_now()
    db.session.add(
        ExecutionJob(
            account_id=pilot.project.account_id, project_id=pilot.project_id, operation="SUGGEST_TITLES",
            status="succeeded", payload={}, result={"ideas": [idea]}, available_at=now, queued_at=now,
            created_at=now, updated_at=now,
        )
    )  # fmt: skip
    db.session.commit()
    pilot.due()
    assert start_due_runs() == 1
    run = pilot.runs()[-1]
    assert run.job_id is not None
    assert run.subject == "Five ways to label a seed bed"
    assert job_now(run.job_id).payload.items() >= {"topic": "Seed beds", "title": idea["title"]}.items()
