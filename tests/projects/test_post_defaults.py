"""The defaults of a project's posts: instructions, words to avoid, a closing line."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.accounts.service import sign_up
from app.failures import ServiceFailure
from app.infra.db import db
from app.projects import service
from app.projects.model import Project

pytestmark = pytest.mark.usefixtures("db_app")

CLOSING = {"text": "Try it for 14 days", "url": "https://example.com/try"}


@pytest.fixture
def project(db_app: Flask) -> Project:
    return service.create_project(
        sign_up("alice@example.com", "correct horse battery"), {"url": "https://example.com/"}
    )


def stored(project: Project) -> tuple[Any, ...]:
    db.session.expire_all()
    return project.global_instructions, project.avoid, project.call_to_action


def test_a_new_project_asks_for_nothing(project: Project) -> None:
    assert stored(project) == (None, [], None)


def test_preferences_are_stored_trimmed_on_one_line_and_each_once(project: Project) -> None:
    changes = {
        "global_instructions": " British English.\nShort. ",
        "avoid": [" cheap ", "very \n unique", "cheap"],
        "call_to_action": {"text": " Try  it for 14 days ", "url": " https://example.com/try "},
    }
    service.update_project(project, changes)
    assert stored(project) == ("British English.\nShort.", ["cheap", "very unique"], CLOSING)


@pytest.mark.parametrize("nothing", [None, []])
def test_preferences_can_be_cleared_and_the_others_stay(project: Project, nothing: Any) -> None:
    service.update_project(project, {"avoid": ["cheap"], "call_to_action": CLOSING})
    service.update_project(project, {"avoid": nothing})
    assert stored(project) == (None, [], CLOSING)
    service.update_project(project, {"call_to_action": None})
    assert stored(project) == (None, [], None)


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"global_instructions": "x" * 2001}, ["/global_instructions"]),
        ({"avoid": "cheap"}, ["/avoid"]),
        ({"avoid": [str(n) for n in range(31)]}, ["/avoid"]),
        ({"avoid": ["fine", "x" * 81]}, ["/avoid/1"]),
        ({"avoid": [5]}, ["/avoid/0"]),
        ({"avoid": ["fine", " "]}, ["/avoid/1"]),
        ({"avoid": ["a\x00b"]}, ["/avoid/0"]),
        ({"call_to_action": "Try it"}, ["/call_to_action"]),
        ({"call_to_action": {}}, ["/call_to_action/text", "/call_to_action/url"]),
        ({"call_to_action": {"text": "Try it"}}, ["/call_to_action/url"]),
        ({"call_to_action": {**CLOSING, "text": "x" * 121}}, ["/call_to_action/text"]),
        ({"call_to_action": {**CLOSING, "url": "shop"}}, ["/call_to_action/url"]),
        ({"call_to_action": {**CLOSING, "url": "javascript:alert(1)"}}, ["/call_to_action/url"]),
        ({"call_to_action": {**CLOSING, "colour": "red"}}, ["/call_to_action/colour"]),
    ],
)
def test_a_wrong_preference_is_named_and_changes_nothing(
    project: Project, changes: dict[str, Any], fields: list[str]
) -> None:
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST") as caught:
        service.update_project(project, {"summary": "new", **changes})
    assert [error["field"] for error in caught.value.errors] == fields
    assert stored(project) == (None, [], None)
    assert project.summary is None


def test_the_longest_preferences_fit(project: Project) -> None:
    changes = {
        "global_instructions": "x" * 2000,
        "avoid": [f"{n:80}".replace(" ", "x") for n in range(30)],
        "call_to_action": {"text": "x" * 120, "url": "https://example.com/"},
    }
    service.update_project(project, changes)
    assert stored(project) == tuple(changes.values())
