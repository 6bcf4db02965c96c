"""Several posts are spread over days, looked at as a list of times, and scheduled together."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from flask import Flask

from app.infra.db import db
from app.infra.local_time import monday_of
from app.projects.service import find_project
from app.publishing.model import PublishTarget, ScheduledPublication
from tests.dashboard.conftest import Visitor
from tests.dashboard.connecting import FIELDS
from tests.support.publishing import post_of
from tests.support.target_kinds import Diary

MONDAY = monday_of(date.today()) + timedelta(weeks=2)


@pytest.fixture
def posts(app: Flask, things: dict[str, int]) -> list[int]:
    """The ids of three posts that can be published."""
    with app.app_context():
        project = find_project(things["project_id"])
        return [post_of(project, slug=f"post-{n}", title=f"Garden notes no. {n}").id for n in range(3)]


@pytest.fixture
def here(things: dict[str, int]) -> str:
    return f"/projects/{things['project_id']}/schedule-posts"


def test_posts_wait_for_a_first_connection_and_are_scheduled_after_it(
    app: Flask, alice: Visitor, here: str, posts: list[int], diary: Diary
) -> None:
    with app.app_context():
        db.session.query(PublishTarget).delete()
        db.session.commit()
    ids = "&".join(f"post_ids={post_id}" for post_id in posts)
    text = alice.get(link_in(alice.get(f"{here}?{ids}").text, "settings/targets")).text
    assert "To schedule 3 posts, connect your blog first." in text
    page = alice.send(link_in(text, "connect/diary"), FIELDS).location
    assert link_in(alice.get(page).text, "schedule-posts") == f"{here}?{ids}"


def link_in(text: str, part: str) -> str:
    """Return the last link of a page whose address has this part."""
    return unescape(re.findall(rf'href="([^"]*{part}[^"]*)"', text)[-1])


def waiting(app: Flask) -> dict[int, datetime]:
    with app.app_context():
        rows = db.session.query(ScheduledPublication).filter_by(state="waiting")
        return {row.blog_post_id: row.publish_at for row in rows}


def proposed(text: str) -> list[str]:
    return re.findall(r'type="datetime-local"[^>]* value="([^"]*)"', text)


def test_ticked_posts_are_spread_over_weekdays_scheduled_together_and_taken_back(
    app: Flask, alice: Visitor, things: dict[str, int], here: str, posts: list[int]
) -> None:
    listed = f"/projects/{things['project_id']}/posts?status=draft"
    to_times = alice.send(f"{here}/ticked", {"post_ids": posts, "back": listed}, page=listed).location
    usual = alice.get(to_times)
    assert usual.status_code == 200
    assert all(at.endswith("T09:00") for at in proposed(usual.text))
    days = f"first_day={MONDAY}&hour=8&weekdays=1&weekdays=4&zone=Europe/Berlin"
    spread = f"{to_times}&{days}&target={things['target_id']}"
    text = alice.get(spread).text
    tuesday, friday = MONDAY + timedelta(days=1), MONDAY + timedelta(days=4)
    times = [f"{tuesday}T08:00", f"{friday}T08:00", f"{tuesday + timedelta(weeks=1)}T08:00"]
    assert proposed(text) == times
    assert waiting(app) == {}
    fields = {
        "post_ids": posts, "first_day": str(MONDAY), "hour": "8", "zone": "UTC",
        "target": str(things["target_id"]), "back": listed,
        **{f"at-{post_id}": at for post_id, at in zip(posts, times, strict=True)},
    }  # fmt: skip
    done = alice.send(here, fields, page=spread)
    assert done.location == f"/projects/{things['project_id']}/calendar?from={tuesday}"
    first = datetime(tuesday.year, tuesday.month, tuesday.day, 8, tzinfo=UTC)
    assert waiting(app)[posts[0]] == first
    calendar = alice.get(done.location).text
    assert "3 posts scheduled." in calendar
    undo = unescape(re.search(r'action="([^"]+/undo[^"]*)"', calendar)[1])  # type: ignore[index]
    assert alice.send(undo, page=listed).location == listed
    assert waiting(app) == {}


def test_posts_that_are_refused_stay_in_the_list_with_the_reason(
    app: Flask, alice: Visitor, things: dict[str, int], here: str, posts: list[int]
) -> None:
    good, late, thin = posts[0], posts[1], things["post_id"]
    fields = {
        "post_ids": [good, late, thin], "first_day": str(MONDAY), "hour": "8", "zone": "UTC",
        "target": str(things["target_id"]), f"at-{good}": f"{MONDAY}T08:00",
        f"at-{late}": "2020-01-01T08:00", f"at-{thin}": f"{MONDAY}T09:00",
    }  # fmt: skip
    answer = alice.send(here, fields, page=f"{here}?post_ids={good}")
    assert answer.status_code == 422
    assert "1 post scheduled." in answer.text
    assert list(waiting(app)) == [good]
    assert "The time has passed. Choose a later one." in answer.text
    assert "The checks block this post." in answer.text
    assert f'value="{late}" checked' in answer.text
    assert f'value="{good}" checked' not in answer.text
    for typed, words in (
        ("soon", "Choose a date and a time."),
        ("0001-01-01T00:00", "Choose a date from 2000"),
    ):
        again = {**fields, "post_ids": [late], "row_ids": [late, thin], f"at-{late}": typed}
        bad_time = alice.send(here, again, page=here).text
        assert words in bad_time
        assert f'value="{late}" checked' in bad_time
        assert f'value="{thin}" aria-label' in bad_time
        assert proposed(bad_time) == [typed, f"{MONDAY}T09:00"]
    assert alice.get(f"{here}?post_ids={late}&first_day=0001-01-01&hour=8").status_code == 422


def test_nobody_schedules_or_cancels_the_posts_of_others(
    app: Flask, alice: Visitor, bob: Visitor, things: dict[str, int], here: str, posts: list[int]
) -> None:
    for path in (f"{here}/ticked", here, f"{here}/undo?ids=1"):
        assert bob.send(path, {"post_ids": posts}, page="/settings").status_code == 404
    assert alice.send(f"{here}/ticked", page="/settings").location.endswith("/posts")
    assert "No posts chosen" in alice.get(f"{here}?post_ids=999999").text
