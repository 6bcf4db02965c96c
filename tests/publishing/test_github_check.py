"""The test of a target at a forge, and its settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.failures import ServiceFailure
from app.publishing.targets.git.github import GITHUB
from tests.support.forge_site import reply
from tests.support.forges import ForgeTarget
from tests.support.git import (
    git,
)
from tests.support.servers import Reply


def test_the_test_of_a_target_goes_step_by_step(forge: ForgeTarget) -> None:
    steps = list(GITHUB.check(forge.access()))
    assert [step.name for step in steps] == [
        "reachable",
        "api_found",
        "signed_in",
        "may_publish",
        "may_delete",
    ]
    assert all(step.failure is None for step in steps)
    assert git(forge.repository.path, "log", "--oneline").count("\n") == 1


@pytest.mark.parametrize(
    ("changed", "step", "code"),
    [
        ({"token": "another-token"}, "signed_in", "TARGET_AUTH"),
        ({"repository": "alice/secret"}, "may_publish", "TARGET_FORBIDDEN"),
        ({"branch": "nothing"}, "may_publish", "TARGET_API_NOT_FOUND"),
    ],
)
def test_the_test_ends_with_the_step_that_fails(
    forge: ForgeTarget, changed: Any, step: str, code: str
) -> None:
    *_, last = GITHUB.check(forge.access(**changed))
    assert last.failure is not None
    assert (last.name, last.failure.code) == (step, code)


def test_a_token_that_may_only_read_is_distinguished_from_one_that_may_write(forge: ForgeTarget) -> None:
    forge.site.may_push = False
    *_, last = GITHUB.check(forge.access())
    assert last.failure is not None
    assert (last.name, last.failure.code) == ("may_publish", "TARGET_FORBIDDEN")


def test_the_owner_may_push_but_the_token_may_not(github: ForgeTarget) -> None:
    refusal = reply(403, {"message": "Resource not accessible by personal access token"})
    github.gateway.spoil(lambda request: request.method == "POST", lambda _request, _forward: refusal)
    *_, last = GITHUB.check(github.access())
    assert last.failure is not None
    assert (last.name, last.failure.code) == ("may_publish", "TARGET_FORBIDDEN")
    assert "Resource not accessible" in str(last.failure.details)


@pytest.mark.parametrize(
    ("answer", "step", "code"),
    [
        (Reply(hang_up=True), "reachable", "PUBLISH_ENDPOINT_FAILED"),
        (Reply(200, {"Content-Type": "text/html"}, b"<h1>Welcome</h1>"), "api_found", "TARGET_API_NOT_FOUND"),
        (Reply(302, {"Location": "/login"}), "api_found", "TARGET_API_NOT_FOUND"),
        (Reply(404, body=b"not here"), "api_found", "TARGET_API_NOT_FOUND"),
    ],
)
def test_an_address_without_the_api_is_distinguished_from_a_wrong_token(
    github: ForgeTarget, answer: Reply, step: str, code: str
) -> None:
    github.gateway.spoil(lambda _request: True, lambda _request, _forward: answer)
    *_, last = GITHUB.check(github.access())
    assert last.failure is not None
    assert (last.name, last.failure.code) == (step, code)


@pytest.mark.parametrize(
    ("setting", "value", "code"),
    [("repository", "blog", "INVALID_REQUEST"), ("repository", "a/b/c", "INVALID_REQUEST"),
     ("repository", "a/..", "INVALID_REQUEST"), ("repository", "a/b?c", "INVALID_REQUEST"),
     ("api_url", "https://127.0.0.1/api/v1", "URL_NOT_ALLOWED"),
     ("api_url", "http://git.example.com/api/v1", "URL_NOT_ALLOWED"), ("branch", "a b", "INVALID_REQUEST")],
)  # fmt: skip
def test_settings_are_refused_by_their_name(
    git_app: Flask, github: ForgeTarget, setting: str, value: str, code: str
) -> None:
    with pytest.raises(ServiceFailure) as refused:
        github.settings(**{setting: value})
    assert refused.value.failure.code == code
    assert refused.value.errors[0]["field"] == f"/settings/{setting}"


def test_github_is_the_default_and_a_token_is_never_repeated(git_root: Path) -> None:
    values = {"repository": "alice/blog.git", "flavour": "hugo", "site_url": "https://alice.example/"}
    checked = GITHUB.checked_settings(values)
    assert (checked["api_url"], checked["repository"]) == ("https://api.github.com", "alice/blog")
    assert GITHUB.secret is not None
    with pytest.raises(ServiceFailure) as refused:
        GITHUB.secret.checked("not a token")  # type: ignore[union-attr]
    assert "not a token" not in str(refused.value.errors)
