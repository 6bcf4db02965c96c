"""The way of a post through the API, at every kind of target with drafts, and at real ones where installed.

Connect, test, send a hidden draft, publish, update, unpublish, publish at a time, roll back.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.executions import schedule
from app.infra.clock import rfc3339, utc_now
from app.infra.db import db
from app.publishing import abandoned
from app.publishing.model import ScheduledPublication
from tests.api.conftest import Customer, code, member
from tests.api.written_posts import TITLE, change, written
from tests.support.publishing_places import WITH_SECRETS, Place

CHANGED = "How to keep better garden notes"


@pytest.fixture
def settings_overrides(place: Place) -> dict[str, str]:
    return place.overrides


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def project(alice: Customer) -> str:
    return f"/projects/{alice.project()}"


@pytest.mark.usefixtures("worker")
def test_a_post_goes_its_whole_way(app: Flask, alice: Customer, project: str, place: Place) -> None:
    target = member(alice.post(f"{project}/publish-targets", place.body), "target")
    test = member(alice.post(f"{project}/publish-targets/{target['id']}/test"), "test")
    assert (test["passed"], [step["name"] for step in test["steps"]][:2]) == (
        True,
        ["reachable", "api_found"],
    )
    path, job = written(app, alice, project)

    draft = alice.post(f"{path}/publish", {"visibility": "draft"})
    assert draft.status_code == 200, draft.text
    assert (member(draft, "post")["status"], place.posts()) == ("draft", [(TITLE, "draft")])

    live = alice.post(f"{path}/publish", {"visibility": "live"})
    assert live.status_code == 200, live.text
    assert (member(live, "post")["status"], place.posts()) == ("published", [(TITLE, "live")])
    assert member(live, "post")["published_url"].startswith("http")
    assert code(alice.post(f"/executions/{job['id']}/rollback"))[1] == "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH"

    change(app, member(live, "post")["id"], title=CHANGED)
    assert alice.post(f"{path}/publish").status_code == 200
    assert place.posts() == [(CHANGED, "live")]

    assert member(alice.post(f"{path}/unpublish"), "post")["status"] == "draft"
    assert (CHANGED, "live") not in place.posts()

    at = rfc3339(utc_now() + timedelta(hours=1))
    scheduled = alice.post(f"{path}/schedule", {"publish_at": at, "visibility": "live"})
    assert scheduled.status_code == 201, scheduled.text
    with app.app_context():
        db.session.execute(update(ScheduledPublication).values(next_try_at=utc_now() - timedelta(seconds=1)))
        db.session.commit()
        assert schedule.submit_due_publications() == 1
        assert schedule.submit_due_publications() == 0
    (coming,) = member(alice.get(f"{project}/schedule"), "scheduled_publications")
    assert alice.ran(coming["job_id"])["failure"] is None
    assert place.posts() == [(CHANGED, "live")]

    assert alice.post(f"{path}/unpublish").status_code == 200
    assert alice.post(f"/executions/{job['id']}/rollback").status_code == 200
    with app.app_context():
        abandoned.delete_abandoned_drafts()
    assert place.posts() == []


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("place", WITH_SECRETS, indirect=True)
def test_a_wrong_secret_is_named_by_the_test_and_by_the_failed_publish(
    app: Flask, alice: Customer, project: str, place: Place
) -> None:
    body = {**place.body, "secret": place.wrong_secret}
    target = member(alice.post(f"{project}/publish-targets", body), "target")
    test = member(alice.post(f"{project}/publish-targets/{target['id']}/test"), "test")
    assert test["passed"] is False
    assert (test["steps"][-1]["name"], test["steps"][-1]["failure"]["code"]) == ("signed_in", "TARGET_AUTH")
    path, _ = written(app, alice, project)
    assert code(alice.post(f"{path}/publish")) == (502, "TARGET_AUTH")
    assert (member(alice.get(path), "post")["status"], place.posts()) == ("draft", [])
    alice.patch(f"{project}/publish-targets/{target['id']}", {"secret": place.body["secret"]})
    assert alice.post(f"{path}/publish").status_code == 200
    assert place.posts() == [(TITLE, "live")]
