"""The autopilot of a project, over the Public API."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.infra.db import db
from app.projects.model import Project
from app.publishing.service import add_target
from tests.api.conftest import Customer, code, member

SET = {"enabled": True, "weekdays": ["fri", "tue"], "hour": 9, "time_zone": "Europe/Berlin", "mode": "write"}


@pytest.fixture
def path(alice: Customer) -> str:
    return f"/projects/{alice.project()}/autopilot"


def put(alice: Customer, path: str, **members: Any) -> Any:
    return alice.send("PUT", path, json={**SET, **members})


def test_an_autopilot_is_off_until_it_is_set(alice: Customer, path: str) -> None:
    found = member(alice.get(path), "autopilot")
    assert (found["state"], found["next_run_at"], found["next_runs"]) == ("off", None, [])


def test_an_autopilot_is_set_read_and_switched_off(alice: Customer, path: str) -> None:
    answer = put(alice, path)
    assert answer.status_code == 200
    found = member(answer, "autopilot")
    assert found.items() >= {
        "state": "on", "weekdays": ["tue", "fri"], "hour": 9, "mode": "write", "target_id": None,
        "failures": 0, "paused_reason": None,
    }.items()  # fmt: skip
    assert (len(found["next_runs"]), found["next_runs"][0]) == (5, found["next_run_at"])
    assert member(alice.get(path), "autopilot") == found
    off = member(put(alice, path, enabled=False), "autopilot")
    assert (off["state"], off["next_run_at"]) == ("off", None)


def test_a_target_is_needed_to_publish(app: Flask, alice: Customer, path: str) -> None:
    assert code(put(alice, path, mode="live")) == (409, "PUBLISH_TARGET_MISSING")
    with app.app_context():
        project = db.session.get_one(Project, int(path.split("/")[2]))
        target_id = add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/"})[0].id
    assert member(put(alice, path, mode="live"), "autopilot")["target_id"] == target_id
    assert member(put(alice, path, mode="live", target="Blog"), "autopilot")["target_id"] == target_id


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("weekdays", []), ("weekdays", ["tuesday"]), ("weekdays", None), ("hour", 24), ("hour", "9"),
        ("time_zone", "Berlin"), ("time_zone", ""), ("mode", "often"), ("enabled", "yes"),
    ],
)  # fmt: skip
def test_a_wrong_member_is_refused_by_its_field(alice: Customer, path: str, name: str, value: Any) -> None:
    answer = put(alice, path, **{name: value})
    assert code(answer) == (422, "INVALID_REQUEST")
    assert all(error["field"].startswith(f"/{name}") for error in member(answer, "errors"))
    assert member(alice.get(path), "autopilot")["state"] == "off"
