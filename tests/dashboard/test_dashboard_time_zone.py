"""The time zone by choice: it comes before that of the browser, wherever a time is shown."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from flask import Flask

from app.content.model import BlogPost
from app.infra.db import db
from tests.dashboard.conftest import Visitor


@pytest.fixture
def database_kind() -> str:
    """A page is the same on both databases."""
    return "sqlite"


def title_of_time(page: str) -> str:
    found = re.search(r'<time [^>]*title="([^"]+)"', page)
    assert found
    return found[1]


def test_times_are_in_the_zone_of_the_profile_before_that_of_the_browser(
    app: Flask, alice: Visitor, things: dict[str, int]
) -> None:
    with app.app_context():
        db.session.get_one(BlogPost, things["post_id"]).updated_at = datetime(2026, 11, 2, 20, 30, tzinfo=UTC)
        db.session.commit()
    posts = f"/projects/{things['project_id']}/posts"
    assert title_of_time(alice.get(posts).text) == "Mon 2 Nov 2026, 20:30:00 UTC"
    alice.client.set_cookie("zone", "America/New_York")
    assert title_of_time(alice.get(posts).text) == "Mon 2 Nov 2026, 15:30:00 America/New York time"
    assert "As in this browser (America/New York)" in alice.get("/settings").text
    form = f"{posts}/{things['post_id']}/schedule"
    assert "data-zone" in alice.get(form).text

    saved = alice.send("/settings/profile", {"name": "", "time_zone": "Asia/Kathmandu"}, page="/settings")
    assert saved.status_code == 302
    assert '<option selected value="Asia/Kathmandu">' in alice.get("/settings").text
    assert title_of_time(alice.get(posts).text) == "Tue 3 Nov 2026, 02:15:00 Asia/Kathmandu time"
    assert "data-zone" not in alice.get(form).text, "or the browser's zone would take its place"

    wrong = alice.send("/settings/profile", {"name": "", "time_zone": "Mars/Crater"}, page="/settings")
    assert wrong.status_code == 422
    assert "Choose a time zone of the list." in wrong.text
    alice.send("/settings/profile", {"name": "", "time_zone": ""}, page="/settings")
    assert title_of_time(alice.get(posts).text) == "Mon 2 Nov 2026, 15:30:00 America/New York time"
