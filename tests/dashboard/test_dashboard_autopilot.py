"""The autopilot in the dashboard: its form, its coming posts in the calendar, and what became of them."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.autopilot.model import Autopilot
from app.autopilot.service import next_slots
from app.infra.db import db
from tests.dashboard.conftest import Visitor

SET = {"weekdays": ["1", "4"], "hour": "9", "zone": "Europe/Berlin", "mode": "write", "enabled": "y"}


@pytest.fixture
def here(project_id: int) -> str:
    return f"/projects/{project_id}/autopilot"


def stored(app: Flask, project_id: int) -> Autopilot:
    with app.app_context():
        found = db.session.get_one(Autopilot, project_id)
        db.session.expunge(found)
        return found


def switched_on(alice: Visitor, here: str, **fields: Any) -> None:
    assert alice.send(here, {**SET, **fields}).status_code == 302


def test_it_is_off_at_first_and_switched_on(app: Flask, alice: Visitor, here: str, project_id: int) -> None:
    assert "Next posts" not in alice.get(here).text
    switched_on(alice, here)
    autopilot = stored(app, project_id)
    assert (autopilot.state, autopilot.weekdays, autopilot.hour) == ("on", [1, 4], 9)
    assert "Next posts" in alice.get(here).text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"weekdays": []}, "Choose at least one weekday."),
        ({"zone": "Nowhere"}, "Choose a time zone of the list."),
        ({"mode": "live"}, "publish target"),
    ],
)
def test_what_is_wrong_is_said(alice: Visitor, here: str, fields: dict[str, Any], words: str) -> None:
    page = alice.send(here, {**SET, **fields})
    assert page.status_code == 422
    assert words.lower() in page.text.lower()


def test_its_coming_posts_are_in_the_calendar(alice: Visitor, here: str, project_id: int) -> None:
    switched_on(alice, here)
    alice.client.set_cookie("zone", "Europe/Berlin")
    page = alice.get(f"/projects/{project_id}/calendar").text
    assert page.count("09:00 autopilot") >= 6
    assert page.count(f'href="{here}/next"') == 1


def test_the_next_post_is_skipped(app: Flask, alice: Visitor, here: str, project_id: int) -> None:
    switched_on(alice, here)
    first, second = next_slots(stored(app, project_id), 2)
    field = {"run_at": first.isoformat()}
    assert f'value="{first.isoformat()}"' in alice.get(f"{here}/next").text
    assert alice.send(f"{here}/skip", field, page=f"{here}/next").status_code == 302
    assert stored(app, project_id).next_run_at == second
    assert alice.send(f"{here}/skip", field, page=f"{here}/next").status_code == 409
    assert alice.send(f"{here}/skip", {"run_at": "x"}, page=f"{here}/next").status_code == 409


def test_the_next_post_is_moved(app: Flask, alice: Visitor, here: str, project_id: int) -> None:
    switched_on(alice, here)
    first, second = next_slots(stored(app, project_id), 2)
    at = first.strftime("%Y-%m-%dT%H:30")
    moved = alice.send(f"{here}/next", {"run_at": first.isoformat(), "at": at, "zone": "UTC"})
    assert moved.status_code == 302
    assert next_slots(stored(app, project_id), 2) == [first.replace(minute=30), second]


def test_it_is_switched_off(app: Flask, alice: Visitor, here: str, project_id: int) -> None:
    switched_on(alice, here)
    alice.send(f"{here}/stop", page=here)
    assert stored(app, project_id).state == "off"
    assert "Write a draft" not in alice.get(f"/projects/{project_id}/calendar").text
    assert alice.get(f"{here}/next").status_code == 302


def paused(app: Flask, project_id: int) -> None:
    with app.app_context():
        autopilot = db.session.get_one(Autopilot, project_id)
        autopilot.paused_reason, autopilot.next_run_at = "Nothing is left to write about.", None
        autopilot.failures = 3
        db.session.commit()


def test_a_pause_is_shown_with_its_reason(app: Flask, alice: Visitor, here: str, project_id: int) -> None:
    switched_on(alice, here)
    paused(app, project_id)
    for page in (here, f"/projects/{project_id}/calendar"):
        assert "Nothing is left to write about." in alice.get(page).text


def test_one_button_ends_a_pause_and_keeps_the_settings(
    app: Flask, alice: Visitor, here: str, project_id: int
) -> None:
    switched_on(alice, here)
    before = stored(app, project_id)
    paused(app, project_id)
    assert f'action="{here}/resume"' in alice.get(here).text
    assert alice.send(f"{here}/resume", page=here).status_code == 302
    after = stored(app, project_id)
    assert (after.state, after.failures, after.next_run_at) == ("on", 0, before.next_run_at)
    assert (after.weekdays, after.hour, after.mode) == (before.weekdays, before.hour, before.mode)


def test_an_autopilot_that_is_off_is_not_switched_on_by_the_button_of_an_old_page(
    app: Flask, alice: Visitor, here: str, project_id: int
) -> None:
    switched_on(alice, here)
    alice.send(f"{here}/stop", page=here)
    alice.send(f"{here}/resume", page=here)
    assert (stored(app, project_id).state, stored(app, project_id).next_run_at) == ("off", None)


def test_it_is_the_owners(bob: Visitor, here: str, project_id: int) -> None:
    assert bob.get(here).status_code == 404
    assert bob.send(f"{here}/stop", page="/projects").status_code == 404
