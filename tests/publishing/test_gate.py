"""The quality gate before publish."""

from __future__ import annotations

from typing import Any

import pytest

from app.failures import ServiceFailure
from app.projects.model import Project
from app.publishing.gate import judge
from tests.support.publishing import TEXT, post_of


def held_back(project: Project, *, override: bool = False, **values: Any) -> list[dict[str, Any]]:
    with pytest.raises(ServiceFailure) as refused:
        judge(post_of(project, **values), override=override)
    assert refused.value.failure.code == "PUBLISH_QUALITY_GATE_BLOCKED"
    assert refused.value.failure.details is not None
    checks: list[dict[str, Any]] = refused.value.failure.details["checks"]
    return checks


def test_a_good_post_passes(project: Project) -> None:
    assert judge(post_of(project)) == []


def test_the_gate_checks_the_present_text(project: Project) -> None:
    post = post_of(project)
    post.content = TEXT + "\n\n[insert the address here]"
    with pytest.raises(ServiceFailure):
        judge(post)


def test_each_failed_check_names_the_problem_and_a_fix(project: Project) -> None:
    (check,) = held_back(project, content=TEXT + "\nMore in {{ link }} soon.")
    assert set(check) == {"code", "severity", "passed", "message", "where", "hint"}
    assert (check["code"], check["severity"], check["passed"]) == ("PLACEHOLDER_TEXT", "block", False)


def test_an_override_lets_failed_checks_pass_and_returns_them(project: Project) -> None:
    post = post_of(project, content=TEXT + "\nMore in {{ link }} soon.")
    assert [check["code"] for check in judge(post, override=True)] == ["PLACEHOLDER_TEXT"]


@pytest.mark.parametrize(
    ("content", "code"),
    [("", "CONTENT_EMPTY"), (TEXT + "\n<script>alert(1)</script>\n", "UNSAFE_MARKUP")],
)
def test_no_override_lets_unsafe_or_empty_text_pass(project: Project, content: str, code: str) -> None:
    assert [check["code"] for check in held_back(project, override=True, content=content)] == [code]


@pytest.mark.parametrize(("markup", "advised"), [("", True), ("<script>alert(1)</script>\n", False)])
def test_an_override_is_suggested_only_where_it_helps(project: Project, markup: str, advised: bool) -> None:
    with pytest.raises(ServiceFailure) as refused:
        judge(post_of(project, content=f"{TEXT}\nMore in {{{{ link }}}} soon.\n{markup}"))
    actions = refused.value.failure.to_dict()["next_actions"]
    assert ("publish_with_override" in actions, "edit_post" in actions) == (advised, True)
