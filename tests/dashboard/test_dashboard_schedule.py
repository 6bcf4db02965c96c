"""Publishing at a time, in the dashboard."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from flask import Flask

from app.content.drafts import QualityReport
from app.content.model import BlogPost
from app.infra.db import db
from app.infra.local_time import moments_of
from app.projects.model import Project
from app.publishing.model import PublishTarget, ScheduledPublication
from tests.dashboard.conftest import Visitor
from tests.support.publishing import post_of
from tests.support.scheduling import scheduled_in


@pytest.fixture
def here(app: Flask, things: dict[str, int]) -> str:
    """The address of Alice's post that passes the checks; her project has one target."""
    with app.app_context():
        post = post_of(db.session.get_one(Project, things["project_id"]))
        return f"/projects/{things['project_id']}/posts/{post.id}"


def rows(app: Flask) -> list[ScheduledPublication]:
    with app.app_context():
        found = list(db.session.query(ScheduledPublication).order_by(ScheduledPublication.id))
        db.session.expunge_all()
        return found


def chosen(things: dict[str, int], local: datetime, zone: str = "Europe/Berlin") -> dict[str, Any]:
    at = local.strftime("%Y-%m-%dT%H:%M")
    return {"at": at, "zone": zone, "target": things["target_id"], "visibility": "", "override_reason": ""}


def tomorrow_at_nine() -> datetime:
    return (datetime.now() + timedelta(days=1)).replace(hour=9, minute=0, second=0, microsecond=0)


def test_a_post_is_scheduled_in_the_readers_zone_and_shown_on_its_page(
    app: Flask, alice: Visitor, here: str, things: dict[str, int]
) -> None:
    local = tomorrow_at_nine()
    answer = alice.send(f"{here}/schedule", chosen(things, local, "Asia/Kathmandu"))
    assert answer.status_code == 302
    moment = (local - timedelta(hours=5, minutes=45)).replace(tzinfo=UTC)
    assert [(row.publish_at, row.state, row.requested_by) for row in rows(app)] == [
        (moment, "waiting", "the dashboard")
    ]
    page = alice.get(here).text
    assert f"{local:%a %-d %b %Y}, 09:00" in page
    assert "Asia/Kathmandu time" in page
    assert "Don’t publish" in page
    assert ">planned</span>" in page
    assert "· planned </span>for <time" in page
    assert "planned for <time" in alice.get(here.rpartition("/")[0]).text


def test_without_a_known_zone_times_are_in_utc_and_say_so(
    app: Flask, alice: Visitor, here: str, things: dict[str, int]
) -> None:
    alice.send(f"{here}/schedule", chosen(things, tomorrow_at_nine(), "UTC"))
    alice.client.delete_cookie("zone")
    assert '09:00 <span class="muted small nowrap">UTC</span>' in alice.get(here).text
    alice.client.set_cookie("zone", "Nowhere/Else")
    assert "UTC</span>" in alice.get(here).text


def test_the_form_of_publishing_leads_to_the_time_with_what_was_chosen(
    alice: Visitor, here: str, things: dict[str, int]
) -> None:
    assert f'formaction="{here}/schedule"' in alice.get(f"{here}/publish").text
    page = alice.send(f"{here}/schedule", {"target": things["target_id"]}, page=f"{here}/publish")
    assert page.status_code == 200
    assert f'<option selected value="{things["target_id"]}">Blog' in page.text


@pytest.mark.parametrize(
    ("local", "zone", "words"),
    [
        (datetime(2027, 3, 28, 2, 30), "Europe/Berlin", "set forward"),
        (datetime(2020, 1, 1, 9), "Europe/Berlin", "The time has passed"),
        (datetime(2126, 1, 1, 9), "Europe/Berlin", "more than a year away"),
        (datetime(2126, 1, 1, 9), "Europe/Nowhere", "Choose a time zone of the list."),
    ],
)
def test_a_time_that_cannot_be_is_refused_beside_its_field(
    app: Flask, alice: Visitor, here: str, things: dict[str, int], local: datetime, zone: str, words: str
) -> None:
    page = alice.send(f"{here}/schedule", chosen(things, local, zone))
    assert page.status_code == 422
    assert words in page.text
    assert rows(app) == []


def test_a_time_that_comes_twice_means_the_first_and_is_said(
    app: Flask, alice: Visitor, here: str, things: dict[str, int]
) -> None:
    half_past_two = (tomorrow_at_nine().replace(hour=2, minute=30) + timedelta(days=n) for n in range(365))
    local = next(each for each in half_past_two if len(moments_of(each, ZoneInfo("Europe/Berlin"))) == 2)
    alice.send(f"{here}/schedule", chosen(things, local))
    assert rows(app)[0].publish_at == local.replace(hour=0, tzinfo=UTC)
    assert "comes twice" in alice.get(here).text


@pytest.mark.parametrize("typed", ["", "tomorrow", "2026-13-01T09:00"])
def test_a_time_that_is_none_is_asked_for_again(
    app: Flask, alice: Visitor, here: str, things: dict[str, int], typed: str
) -> None:
    page = alice.send(f"{here}/schedule", {**chosen(things, tomorrow_at_nine()), "at": typed})
    assert page.status_code == 422
    assert rows(app) == []


def test_a_scheduled_post_is_moved_and_then_left_unpublished(
    app: Flask, alice: Visitor, here: str, things: dict[str, int]
) -> None:
    alice.send(f"{here}/schedule", chosen(things, tomorrow_at_nine()))
    row = rows(app)[0]
    path = f"/projects/{things['project_id']}/schedule/{row.id}"
    later = tomorrow_at_nine() + timedelta(days=1)
    assert later.strftime("%Y-%m-%dT09:00") not in alice.get(path).text
    moved = alice.send(path, {"at": later.strftime("%Y-%m-%dT%H:%M"), "zone": "Europe/Berlin"})
    assert moved.status_code == 302
    assert rows(app)[0].publish_at == row.publish_at + timedelta(days=1)
    assert alice.send(f"{path}/cancel", page=path).headers["Location"] == here
    assert rows(app)[0].state == "canceled"
    assert "no longer waiting" in alice.get(path).text


def test_back_leads_to_pages_of_this_site_alone(
    app: Flask, alice: Visitor, here: str, things: dict[str, int]
) -> None:
    alice.send(f"{here}/schedule", chosen(things, tomorrow_at_nine()))
    path = f"/projects/{things['project_id']}/schedule/{rows(app)[0].id}"
    for back, place in (("/projects", "/projects"), ("https://evil.example/", here)):
        assert alice.send(f"{path}/cancel", {"back": back}, page=path).headers["Location"] == place


def test_what_was_not_published_says_why(
    app: Flask, alice: Visitor, here: str, things: dict[str, int]
) -> None:
    with app.app_context():
        post = db.session.get_one(BlogPost, int(here.rpartition("/")[2]))
        row_id = scheduled_in(post, db.session.get_one(PublishTarget, things["target_id"]), -1)
        row = db.session.get_one(ScheduledPublication, row_id)
        row.state, row.failure = "failed", {"code": "PUBLISH_TARGET_MISSING", "message": "It is gone."}
        db.session.commit()
    page = alice.get(here).text
    assert "not published" in page
    assert "It is gone." in page
    assert "Choose another time" in page


def test_a_failure_goes_when_the_post_is_planned_again(
    app: Flask, alice: Visitor, here: str, things: dict[str, int]
) -> None:
    with app.app_context():
        post = db.session.get_one(BlogPost, int(here.rpartition("/")[2]))
        row_id = scheduled_in(post, db.session.get_one(PublishTarget, things["target_id"]), -1)
        db.session.get_one(ScheduledPublication, row_id).state = "failed"
        db.session.commit()
    assert "not published" in alice.get(here).text
    alice.send(f"{here}/schedule", chosen(things, tomorrow_at_nine()))
    assert "not published" not in alice.get(here).text


def test_the_publish_page_of_a_planned_post_says_so_and_starts_at_its_time(
    app: Flask, alice: Visitor, here: str, things: dict[str, int]
) -> None:
    assert "Planned for" not in alice.get(f"{here}/publish").text
    alice.send(f"{here}/schedule", chosen(things, tomorrow_at_nine()))
    page = alice.get(f"{here}/publish").text
    row = rows(app)[0]
    note = page.partition("Planned for")[2].partition("</form>")[0]
    assert "at Blog" in note
    assert f'/schedule/{row.id}?back={here}/publish">Move</a>' in note
    assert "Don’t publish" in note
    form = alice.send(f"{here}/schedule", {"target": things["target_id"]}, page=f"{here}/publish").text
    assert f'value="{tomorrow_at_nine():%Y-%m-%dT09:00}"' in form
    assert "Another time there moves it" in form


def test_the_form_of_a_time_shows_what_is_to_fix(alice: Visitor, things: dict[str, int]) -> None:
    page = alice.get(f"/projects/{things['project_id']}/posts/{things['post_id']}/schedule").text
    assert "to fix" in page


def test_a_planned_post_that_its_checks_block_has_a_sign_until_that_is_overridden(
    app: Flask, alice: Visitor, here: str, things: dict[str, int]
) -> None:
    alice.send(f"{here}/schedule", chosen(things, tomorrow_at_nine()))
    project = f"/projects/{things['project_id']}"
    row_id = rows(app)[0].id
    places = (f"{project}/posts", f"{project}/calendar", f"{project}/calendar?view=list")
    assert not any("planned, not ready" in alice.get(place).text for place in places)
    with app.app_context():
        post = db.session.get_one(BlogPost, int(here.rpartition("/")[2]))
        post.quality = QualityReport("block", 20, ()).to_dict()
        db.session.commit()
    assert all("planned, not ready" in alice.get(place).text for place in places)
    assert "The checks of this post block publishing" in alice.get(f"{project}/schedule/{row_id}").text
    with app.app_context():
        db.session.get_one(ScheduledPublication, row_id).override_reason = "Checked by hand."
        db.session.commit()
    assert not any("planned, not ready" in alice.get(place).text for place in places)


def test_nobody_else_moves_or_cancels_it(
    app: Flask, alice: Visitor, bob: Visitor, here: str, things: dict[str, int]
) -> None:
    alice.send(f"{here}/schedule", chosen(things, tomorrow_at_nine()))
    path = f"/projects/{things['project_id']}/schedule/{rows(app)[0].id}"
    assert bob.get(path).status_code == 404
    assert bob.send(f"{path}/cancel", page="/projects").status_code == 404
    assert rows(app)[0].state == "waiting"
