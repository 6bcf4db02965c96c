"""The quality gate before publish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from app.failures import ServiceFailure
from app.infra.db import db
from app.projects.model import Project
from app.publishing.gate import judge
from tests.support.publishing import TEXT, alice_project, post_of


@pytest.fixture
def project(db_app: Flask) -> Iterator[Project]:
    yield alice_project()
    db.session.remove()


def held_back(project: Project, *, override: bool = False, **values: Any) -> list[dict[str, Any]]:
    with pytest.raises(ServiceFailure) as refused:
        judge(post_of(project, **values), override=override)
    assert refused.value.failure.code == "PUBLISH_QUALITY_GATE_BLOCKED"
    assert refused.value.failure.details is not None
    checks: list[dict[str, Any]] = refused.value.failure.details["checks"]
    return checks


def test_a_good_post_passes(project: Project) -> None:
    assert judge(post_of(project)) == []


def test_the_text_is_judged_as_it_is_now(project: Project) -> None:
    post = post_of(project)
    post.content = TEXT + "\n\n[insert the address here]"
    with pytest.raises(ServiceFailure):
        judge(post)


def test_each_finding_says_what_it_is_and_how_to_mend_it(project: Project) -> None:
    (check,) = held_back(project, content=TEXT + "\nMore in {{ link }} soon.")
    assert set(check) == {"code", "severity", "passed", "message", "where", "hint"}
    assert (check["code"], check["severity"], check["passed"]) == ("PLACEHOLDER_TEXT", "block", False)


def test_an_override_lets_findings_pass_and_tells_them(project: Project) -> None:
    post = post_of(project, content=TEXT + "\nMore in {{ link }} soon.")
    assert [check["code"] for check in judge(post, override=True)] == ["PLACEHOLDER_TEXT"]


@pytest.mark.parametrize(
    ("content", "code"),
    [("", "CONTENT_EMPTY"), (TEXT + "\n<script>alert(1)</script>\n", "UNSAFE_MARKUP")],
)
def test_no_override_lets_unsafe_or_empty_text_pass(project: Project, content: str, code: str) -> None:
    assert [check["code"] for check in held_back(project, override=True, content=content)] == [code]


@pytest.mark.parametrize(("markup", "advised"), [("", True), ("<script>alert(1)</script>\n", False)])
def test_an_override_is_advised_only_where_it_helps(project: Project, markup: str, advised: bool) -> None:
    with pytest.raises(ServiceFailure) as refused:
        judge(post_of(project, content=f"{TEXT}\nMore in {{{{ link }}}} soon.\n{markup}"))
    actions = refused.value.failure.to_dict()["next_actions"]
    assert ("publish_with_override" in actions, "edit_post" in actions) == (advised, True)
