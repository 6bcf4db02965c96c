"""What becomes of a scheduled publication that cannot be published at its time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update

from app.accounts.model import Account
from app.content.model import BlogPost
from app.executions import service
from app.executions.model import ExecutionJob
from app.executions.schedule import submit_due_publications
from app.failures import failure
from app.infra.db import db
from app.publishing import scheduled
from app.publishing.model import PublishTarget, ScheduledPublication
from app.publishing.service import remove_target
from tests.support.publishing import (
    failure_code,
    fresh,
    job_now,
    post_of,
)
from tests.support.scheduling import Planned, due_again, job_id_of, scheduled_in, scheduled_now
from tests.support.servers import SiteServer
from tests.support.working import run_job


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def test_a_post_that_the_checks_block_fails_visibly(planned: Planned) -> None:
    row_id = planned.due()
    post = fresh(planned.post_id)
    post.content, post.word_count = "", 0
    db.session.commit()
    assert submit_due_publications() == 0
    row = scheduled_now(row_id)
    assert (row.state, (row.failure or {})["code"]) == ("failed", "PUBLISH_QUALITY_GATE_BLOCKED")


def test_a_removed_target_fails_visibly(planned: Planned) -> None:
    row_id = planned.due()
    remove_target(db.session.get_one(PublishTarget, planned.target_id))
    submit_due_publications()
    row = scheduled_now(row_id)
    assert (row.state, (row.failure or {})["code"]) == ("failed", "PUBLISH_TARGET_MISSING")


def test_an_inactive_account_publishes_nothing(planned: Planned) -> None:
    row_id = planned.due()
    db.session.execute(update(Account).values(active=False))
    db.session.commit()
    submit_due_publications()
    assert (scheduled_now(row_id).failure or {})["code"] == "ACCOUNT_INACTIVE"


def test_a_post_that_is_being_published_is_tried_again_for_an_hour(planned: Planned) -> None:
    row_id = planned.due()
    post = fresh(planned.post_id)
    post.status = "publishing"
    db.session.commit()
    assert submit_due_publications() == 0
    row = scheduled_now(row_id)
    assert (row.state, row.tries, (row.failure or {})["code"]) == ("waiting", 1, "PUBLISH_IN_PROGRESS")
    assert row.next_try_at > row.publish_at + timedelta(seconds=20)
    db.session.execute(update(ScheduledPublication).values(tries=scheduled.MOST_TRIES - 1))
    due_again(row_id)
    submit_due_publications()
    assert scheduled_now(row_id).state == "failed"


def test_it_is_published_when_the_other_publication_has_ended(planned: Planned) -> None:
    row_id = planned.due()
    db.session.execute(update(BlogPost).values(status="publishing"))
    db.session.commit()
    submit_due_publications()
    db.session.execute(update(BlogPost).values(status="draft"))
    due_again(row_id)
    assert submit_due_publications() == 1
    assert scheduled_now(row_id).failure is None


def test_two_targets_at_the_same_time_are_both_published(planned: Planned) -> None:
    other = planned.receiver.add_to(planned.project(), name="Second")
    rows = [planned.due(), planned.due(target_id=other.id)]
    assert submit_due_publications() == 2
    # The second job begins while the first one publishes.
    db.session.execute(update(BlogPost).values(status="publishing"))
    db.session.commit()
    run_job(job_id_of(rows[1]))
    assert failure_code(job_now(job_id_of(rows[1]))) == "PUBLISH_IN_PROGRESS"
    assert scheduled_now(rows[1]).state == "waiting"
    db.session.execute(update(BlogPost).values(status="draft"))
    due_again(rows[1])
    assert submit_due_publications() == 1
    run_job(job_id_of(rows[1]))
    assert job_now(job_id_of(rows[1])).status == "succeeded"


def test_the_failure_of_its_job_is_shown_on_the_schedule(planned: Planned) -> None:
    row_id = planned.due()
    submit_due_publications()
    remove_target(db.session.get_one(PublishTarget, planned.target_id))
    run_job(job_id_of(row_id))
    row = scheduled_now(row_id)
    assert (row.state, (row.failure or {})["code"]) == ("failed", "PUBLISH_TARGET_MISSING")


def test_a_failed_job_does_not_wait_beside_a_new_schedule(planned: Planned) -> None:
    row_id = planned.due()
    submit_due_publications()
    planned.due(3600)
    scheduled.job_failed(job_id_of(row_id), failure("PUBLISH_IN_PROGRESS"))
    db.session.commit()
    assert scheduled_now(row_id).state == "failed"


def test_one_that_cannot_be_submitted_does_not_hold_up_the_others(
    planned: Planned, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = planned.due(-2)
    other = post_of(planned.project(), slug="another")
    second = scheduled_in(other, db.session.get_one(PublishTarget, planned.target_id), -1)
    insert = service._insert

    def insert_or_break(submission: service.Submission) -> ExecutionJob:
        if submission.payload["blog_post_id"] == planned.post_id:
            raise ZeroDivisionError
        return insert(submission)

    monkeypatch.setattr(service, "_insert", insert_or_break)
    assert submit_due_publications() == 1
    assert (scheduled_now(first).state, scheduled_now(second).state) == ("waiting", "submitted")
