"""An autopilot writes and publishes at its times, once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.autopilot import service
from app.autopilot.model import Autopilot
from app.autopilot.runs import GRACE, continue_runs, start_due_runs
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from tests.autopilot.conftest import Pilot, ended, jobs
from tests.support.publishing import fresh, job_now
from tests.support.together import together
from tests.support.working import run_job


def test_a_due_autopilot_writes_about_the_most_searched_keyword_and_moves_on(pilot: Pilot) -> None:
    due_at = pilot.due()
    assert start_due_runs() == 1
    (run,) = pilot.runs()
    assert (run.state, run.subject, run.due_at) == ("writing", "garden diary", due_at)
    assert run.job_id is not None
    job = job_now(run.job_id)
    assert (job.operation, job.requested_by) == ("GENERATE_BLOG_POST", "the autopilot")
    following = pilot.now().next_run_at
    assert following is not None
    assert following > utc_now()
    assert start_due_runs() == 0


def test_what_was_written_is_published_as_its_mode_says(pilot: Pilot) -> None:
    pilot.due("live")
    start_due_runs()
    assert continue_runs() == 0
    post_id = pilot.written()
    assert continue_runs() == 1
    (run,) = pilot.runs()
    assert run.state == "publishing"
    assert run.publish_job_id is not None
    run_job(run.publish_job_id)
    assert continue_runs() == 1
    assert pilot.runs()[0].state == "done"
    assert fresh(post_id).status == "published"
    assert len(pilot.receiver.deliveries) == 1


def test_write_only_leaves_a_draft(pilot: Pilot) -> None:
    pilot.due("write")
    start_due_runs()
    post_id = pilot.written()
    assert continue_runs() == 1
    assert pilot.runs()[0].state == "done"
    assert (fresh(post_id).status, jobs()) == ("draft", 1)


def test_switched_off_it_publishes_nothing_more(pilot: Pilot) -> None:
    pilot.due("live")
    start_due_runs()
    pilot.written()
    service.switch_off(pilot.project)
    assert continue_runs() == 1
    assert (pilot.runs()[0].state, jobs()) == ("done", 1)


def test_each_subject_is_tried_once(pilot: Pilot) -> None:
    for _ in range(3):
        pilot.due()
        start_due_runs()
        ended(pilot.runs()[-1].job_id, "canceled")
        continue_runs()
    assert [run.subject for run in pilot.runs()] == ["garden diary", "seed swap", "frost dates"]


def test_two_processes_at_once_start_one_run(app: Flask, pilot: Pilot) -> None:
    for number in range(1, 4):
        pilot.due()
        assert sum(together(app, start_due_runs, 6)) == 1
        assert jobs() == number


def test_two_processes_at_once_publish_once(app: Flask, pilot: Pilot) -> None:
    pilot.due()
    start_due_runs()
    pilot.written()
    assert sum(together(app, continue_runs, 6)) == 1
    assert jobs() == 2


def test_after_an_outage_of_days_one_run_is_missed_and_none_is_made_up_for(pilot: Pilot) -> None:
    pilot.due(late=timedelta(days=9))
    assert start_due_runs() == 0
    assert start_due_runs() == 0
    assert ([run.state for run in pilot.runs()], jobs()) == (["missed"], 0)
    following = pilot.now().next_run_at
    assert following is not None
    assert utc_now() < following < utc_now() + timedelta(days=2)


def test_a_run_that_is_a_little_late_is_started(pilot: Pilot) -> None:
    pilot.due(late=GRACE - timedelta(minutes=5))
    assert start_due_runs() == 1


def test_a_clock_that_was_set_back_starts_nothing_twice(pilot: Pilot) -> None:
    due_at = pilot.due()
    start_due_runs()
    db.session.execute(update(Autopilot).values(next_run_at=due_at))
    db.session.commit()
    assert start_due_runs() == 0
    assert jobs() == 1
    assert pilot.now().next_run_at != due_at


def test_the_next_run_is_skipped_or_moved_once(pilot: Pilot) -> None:
    autopilot = pilot.set()
    first, second, third = service.next_slots(autopilot, 3)
    service.skip_next(autopilot, first)
    assert service.next_slots(pilot.now(), 2) == [second, third]
    with pytest.raises(ServiceFailure, match="RUN_CHANGED"):
        service.skip_next(pilot.now(), first)
    moved = second + timedelta(hours=3)
    service.move_next(pilot.now(), second, moved)
    assert service.next_slots(pilot.now(), 2) == [moved, third]


def test_a_target_without_drafts_takes_no_drafts(pilot: Pilot) -> None:
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
        pilot.set("draft")
