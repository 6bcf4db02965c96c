"""Keys for some scopes and for one project, over every route of the API."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask
from werkzeug.routing import Rule

from app.accounts.keys import SCOPES, create_key
from app.accounts.service import get_account
from tests.api.conftest import Customer, code, member
from tests.api.test_api_isolation import address, alices, public_routes

__all__ = ["alices"]

NOUNS = {
    "account": None,
    **dict.fromkeys(("autopilot", "blog-posts", "images", "schedule", "topics"), "posts"),
    **dict.fromkeys(("publish-targets", "publish-target-kinds"), "targets"),
    **dict.fromkeys(("search-connection", "search-imports", "search-opportunities"), "search"),
    **{noun: noun for noun in ("executions", "keywords", "pages")},
    "sitemap": "pages",
}


def noun_of(rule: Rule) -> str | None:
    """The scope that a route needs, by its address: a new noun has to be added above."""
    _, _, first, *rest = rule.rule.split("/")
    if first != "projects":
        return NOUNS[first]
    return NOUNS[rest[1]] if len(rest) > 1 else "projects"


def limited(app: Flask, who: Customer, **limits: object) -> Customer:
    """The same customer with another key."""
    with app.app_context():
        return replace(who, key=create_key(get_account(who.account_id), "limited", **limits)[1])


@pytest.mark.parametrize("scope", SCOPES)
def test_a_key_with_a_scope_is_refused_everywhere_else(
    app: Flask, alice: Customer, alices: dict[str, int], scope: str
) -> None:
    scoped = limited(app, alice, scopes=[scope])
    absent = dict.fromkeys(alices, 9_999_999)
    for method, rule in public_routes(app):
        answer = scoped.send(method, address(rule, absent))
        assert (answer.status_code == 403) is (noun_of(rule) not in (None, scope)), (method, rule)
        if answer.status_code == 403:
            assert code(answer) == (403, "INSUFFICIENT_SCOPE")


def test_reading_and_scopes_are_limits_that_add_up(
    app: Flask, alice: Customer, alices: dict[str, int]
) -> None:
    path = f"/projects/{alices['project_id']}"
    reader = limited(app, alice, scopes=["keywords"], can_write=False)
    assert reader.get(f"{path}/keywords").status_code == 200
    assert code(reader.post(f"{path}/keywords", {"keyword_text": "mill"})) == (403, "INSUFFICIENT_SCOPE")
    assert code(reader.get(f"{path}/pages")) == (403, "INSUFFICIENT_SCOPE")


def test_a_key_for_one_project_finds_nothing_of_the_others(
    app: Flask, alice: Customer, alices: dict[str, int]
) -> None:
    other = alice.project("https://other.example.com/")
    guest = limited(app, alice, project_id=other)
    absent = dict.fromkeys(alices, 9_999_999)
    same = {"X-Request-ID": "same", "Idempotency-Key": "k"}
    for method, rule in public_routes(app):
        if not rule.arguments:
            continue
        body = {} if method != "GET" else None
        answer = guest.send(method, address(rule, alices), json=body, headers=same)
        missing = guest.send(method, address(rule, absent), json=body, headers=same)
        assert (answer.status_code, answer.data) == (404, missing.data), (method, rule)


def test_lists_of_a_key_for_one_project_are_of_that_project(
    app: Flask, alice: Customer, alices: dict[str, int]
) -> None:
    other = alice.project("https://other.example.com/")
    guest = limited(app, alice, project_id=other)
    home = limited(app, alice, project_id=alices["project_id"])
    assert [project["id"] for project in member(guest.get("/projects"), "projects")] == [other]
    assert member(guest.get("/projects"), "pagination")["total"] == 1
    assert member(guest.get("/executions"), "jobs") == []
    assert member(guest.get(f"/executions?project_id={alices['project_id']}"), "jobs") == []
    assert [job["id"] for job in member(home.get("/executions"), "jobs")] == [alices["job_id"]]
    assert guest.get(f"/projects/{other}/pages").status_code == 200
    assert code(guest.post("/projects", {"url": "https://third.example.com/"})) == (403, "INSUFFICIENT_SCOPE")
