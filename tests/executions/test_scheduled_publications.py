"""Scheduled publications become jobs once, at their time."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import delete, func, select, update

from app.content.model import BlogPost
from app.executions.schedule import submit_due_publications
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import database_now, db
from app.infra.faults import Point
from app.infra.settings import current_settings
from app.publishing import scheduled
from app.publishing.model import ScheduledPublication
from devtools.local import ROOT
from tests.support.environment import service_environment
from tests.support.publishing import (
    fresh,
    job_now,
)
from tests.support.scheduling import Planned, job_id_of, jobs, scheduled_now
from tests.support.servers import SiteServer
from tests.support.together import together
from tests.support.working import run_job

SUBMIT = (
    "import wsgi; wsgi.app.app_context().push();"
    "from app.executions.schedule import submit_due_publications; print(submit_due_publications())"
)


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def test_a_due_publication_becomes_a_job_that_publishes_the_post(planned: Planned) -> None:
    row_id = planned.due()
    assert submit_due_publications() == 1
    run_job(job_id_of(row_id))
    job = job_now(job_id_of(row_id))
    assert (job.status, job.requested_by) == ("succeeded", "the schedule, set by Alice")
    assert fresh(planned.post_id).status == "published"
    assert submit_due_publications() == 0
    assert len(planned.receiver.deliveries) == 1


def test_what_is_not_due_yet_waits(planned: Planned) -> None:
    row_id = planned.due(60)
    assert submit_due_publications() == 0
    assert scheduled_now(row_id).state == "waiting"


def test_two_schedulers_at_once_create_one_job(app: Flask, planned: Planned) -> None:
    for number in range(1, 6):
        planned.due()
        assert sum(together(app, submit_due_publications, 6)) == 1
        assert jobs() == number


def test_a_text_that_was_edited_meanwhile_is_the_one_that_is_published(planned: Planned) -> None:
    row_id = planned.due()
    post = fresh(planned.post_id)
    post.title = "Another title for the garden notes"
    db.session.commit()
    submit_due_publications()
    run_job(job_id_of(row_id))
    assert [each["title"] for each in planned.receiver.posts.values()] == [
        "Another title for the garden notes"
    ]


def test_a_canceled_publication_is_not_submitted(planned: Planned) -> None:
    row_id = planned.due()
    scheduled.cancel(scheduled_now(row_id))
    assert submit_due_publications() == 0
    assert jobs() == 0


def test_a_schedule_goes_with_its_post(planned: Planned) -> None:
    planned.due()
    db.session.execute(delete(BlogPost).where(BlogPost.id == planned.post_id))
    db.session.commit()
    assert submit_due_publications() == 0
    assert db.session.scalar(select(func.count()).select_from(ScheduledPublication)) == 0


def test_a_clock_that_was_set_back_publishes_nothing_twice(planned: Planned) -> None:
    row_id = planned.due(-300)
    assert submit_due_publications() == 1
    # As if the clock had been set back by five minutes: the time is now in the future, then it comes again.
    for seconds in (300, -1):
        values = {"publish_at": database_now(seconds), "next_try_at": database_now(seconds)}
        db.session.execute(update(ScheduledPublication).values(**values))
        db.session.commit()
        assert submit_due_publications() == 0
    assert jobs() == 1
    assert scheduled_now(row_id).state == "submitted"


def test_a_time_in_the_past_or_too_far_away_is_refused(planned: Planned) -> None:
    row = scheduled_now(planned.due(3600))
    for moment in (utc_now() - timedelta(seconds=2), utc_now() + timedelta(days=367)):
        with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
            scheduled.move(row, moment)


@pytest.mark.thorough
def test_a_scheduler_that_is_killed_after_the_claim_loses_nothing(planned: Planned, tmp_path: Path) -> None:
    row_id = planned.due()
    db.session.remove()
    (tmp_path / Point.SCHEDULE_AFTER_CLAIM_BEFORE_COMMIT).touch()
    killed = submit_in_a_process(tmp_path)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert (scheduled_now(row_id).state, jobs()) == ("waiting", 0)
    db.session.remove()
    assert [submit_in_a_process(tmp_path).stdout.strip() for _ in range(2)] == ["1", "0"]
    assert (scheduled_now(row_id).state, jobs()) == ("submitted", 1)


def submit_in_a_process(faults: Path) -> subprocess.CompletedProcess[str]:
    settings = current_settings()
    places = {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}
    env = service_environment(**places, FAULT_DIRECTORY=str(faults))
    return subprocess.run(
        [sys.executable, "-c", SUBMIT], cwd=ROOT, env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
