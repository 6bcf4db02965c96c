"""Two accounts and three roles of keys over every route: ids of another account below a project of one's own.

The routes come from the URL map. A new route with input that is needed before the object is looked up has
to be added to BODIES: without it the test fails, because the answer is not 404.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from app.accounts.keys import create_key
from app.accounts.service import get_account
from tests.api.conftest import Customer
from tests.api.test_api_isolation import address, alices, public_routes
from tests.support.pictures import picture
from tests.support.rows import all_rows

__all__ = ["alices"]

LATER = "2099-01-01T00:00:00Z"
BODIES: dict[str, dict[str, Any]] = {
    "useProposal": {"json": {"proposal_id": 1}},
    "dismissProposal": {"json": {"proposal_id": 1}},
    "exportBlogPost": {"query_string": {"format": "markdown"}},
    "updatePublishTarget": {"json": {"name": "Taken"}},
    "describeImage": {"json": {"alt": "Taken"}},
    "describeCover": {"json": {"alt": "Taken"}},
    "uploadCover": {"data": picture(), "content_type": "image/png"},
    "scheduleBlogPost": {"json": {"publish_at": LATER}},
    "moveScheduledPublication": {"json": {"publish_at": LATER}},
}
ABSENT = 9_999_999


def nested_routes(app: Flask) -> list[tuple[str, Rule]]:
    """The routes below a project that name another object."""
    found = [
        (method, rule)
        for method, rule in public_routes(app)
        if "project_id" in rule.arguments and len(rule.arguments) > 1
    ]
    assert len(found) > 30
    return found


def sent(who: Customer, method: str, rule: Rule, ids: dict[str, int]) -> tuple[int, bytes]:
    options = BODIES.get(rule.endpoint.rpartition(".")[2], {"json": {}} if method != "GET" else {})
    headers = {"X-Request-ID": "same", "Idempotency-Key": "k"}
    answer = who.send(method, address(rule, ids), headers=headers, **options)
    return answer.status_code, answer.data


@pytest.fixture(params=["writer", "reader", "of one project"])
def bobs_role(app: Flask, bob: Customer, request: pytest.FixtureRequest) -> tuple[Customer, int, bool]:
    """Bob with a key of one role, the id of his project, and whether the key may write."""
    project_id = bob.project("https://bob.example.com/")
    limits: dict[str, Any] = {
        "writer": {},
        "reader": {"can_write": False},
        "of one project": {"project_id": project_id},
    }[request.param]
    with app.app_context():
        text = create_key(get_account(bob.account_id), "role", **limits)[1]
    return replace(bob, key=text), project_id, limits.get("can_write", True)


def test_alices_ids_below_bobs_project_are_absent_and_nothing_changes(
    app: Flask, bobs_role: tuple[Customer, int, bool], alices: dict[str, int]
) -> None:
    bob, own, can_write = bobs_role
    foreign = {**alices, "project_id": own}
    absent = {**dict.fromkeys(alices, ABSENT), "project_id": own}
    before = all_rows(app)
    for method, rule in nested_routes(app):
        found, missing = sent(bob, method, rule, foreign), sent(bob, method, rule, absent)
        assert found == missing, (method, rule)
        assert found[0] == (404 if can_write or method == "GET" else 403), (method, rule, found)
    assert all_rows(app) == before


def test_alices_addresses_are_absent_for_every_role_and_nothing_changes(
    app: Flask, bobs_role: tuple[Customer, int, bool], alices: dict[str, int]
) -> None:
    bob, _, can_write = bobs_role
    before = all_rows(app)
    for method, rule in public_routes(app):
        if not rule.arguments:
            continue
        found = sent(bob, method, rule, alices)
        assert found == sent(bob, method, rule, dict.fromkeys(alices, ABSENT)), (method, rule)
        assert found[0] == (404 if can_write or method == "GET" else 403), (method, rule)
    assert all_rows(app) == before
