"""A post that is published by hand is no longer planned at that target."""

from __future__ import annotations

import pytest

from app.executions.schedule import submit_due_publications
from app.infra.db import db
from app.publishing import scheduled
from app.publishing.model import Publication
from app.publishing.service import add_target
from tests.support.publishing import fresh, publish
from tests.support.scheduling import Planned, job_id_of, scheduled_now
from tests.support.servers import Reply, SiteServer
from tests.support.working import run_job


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def test_publishing_a_post_by_hand_ends_its_plan(planned: Planned) -> None:
    row_id = planned.due()
    assert publish(planned.post_id, target=planned.target_id).status == "succeeded"
    assert scheduled_now(row_id).state == "canceled"
    assert submit_due_publications() == 0
    assert len(planned.receiver.deliveries) == 1


def test_publishing_a_text_that_is_live_already_ends_its_plan_too(planned: Planned) -> None:
    publish(planned.post_id, target=planned.target_id)
    row_id = planned.due(3600)
    assert publish(planned.post_id, target=planned.target_id).status == "succeeded"
    assert scheduled_now(row_id).state == "canceled"
    assert len(planned.receiver.deliveries) == 1


def test_publishing_at_one_target_leaves_the_plan_at_another(planned: Planned) -> None:
    other, _ = add_target(planned.project(), "webhook", "Other", {"url": "https://hooks.example.com/posts"})
    here, there = planned.due(3600), planned.due(3600, other.id)
    publish(planned.post_id, target=planned.target_id)
    assert [scheduled_now(row_id).state for row_id in (here, there)] == ["canceled", "waiting"]


def test_a_hidden_draft_leaves_the_plan_to_go_live(planned: Planned) -> None:
    row_id = planned.due(3600)
    hidden = {"state": "draft", "content_sha256": "", "publication_id": "pub_1"}
    done = Publication(blog_post_id=planned.post_id, target_id=planned.target_id, **hidden)
    db.session.add(done)
    db.session.flush()
    scheduled.end_by_publishing(done.id, None)
    db.session.commit()
    assert scheduled_now(row_id).state == "waiting"


def test_a_publication_that_failed_leaves_the_plan(planned: Planned) -> None:
    row_id = planned.due(3600)
    planned.receiver.before = lambda: Reply(410)
    assert publish(planned.post_id, target=planned.target_id).status == "failed"
    assert scheduled_now(row_id).state == "waiting"


def test_what_is_planned_while_the_job_of_an_earlier_plan_runs_still_waits(planned: Planned) -> None:
    first = planned.due()
    submit_due_publications()
    second = planned.due(3600)
    run_job(job_id_of(first))
    assert fresh(planned.post_id).status == "published"
    assert scheduled_now(second).state == "waiting"
