"""Who may see what, and which check comes first."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from flask import Flask
from werkzeug.routing import Rule

from tests.api.conftest import Customer, code, customer, member
from tests.support.pictures import picture
from tests.support.scheduling import scheduled_at_a_target
from tests.support.search_exports import search_import_of

OPEN = {"/public-api/docs", "/public-api/openapi.json"}


def public_routes(app: Flask) -> list[tuple[str, Rule]]:
    return [
        (method, rule)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/public-api/") and rule.rule not in OPEN
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]


def address(rule: Rule, ids: dict[str, int]) -> str:
    path = rule.rule.removeprefix("/public-api")
    for name in rule.arguments:
        path = path.replace(f"<id:{name}>", str(ids[name]))
    return path


@pytest.fixture
def alices(app: Flask, alice: Customer) -> dict[str, int]:
    """The ids of everything Alice owns."""
    project_id = alice.project()
    done = alice.generated(project_id)
    page = alice.post(
        f"/projects/{project_id}/pages", {"url": "https://alice.example.com/a", "content": "A."}
    )
    keyword = alice.post(f"/projects/{project_id}/keywords", {"keyword_text": "grinder"})
    hook = {"name": "Hook", "kind": "webhook", "settings": {"url": "https://alice.example.com/hook"}}
    target = alice.post(f"/projects/{project_id}/publish-targets", hook)
    post_id = done["result"]["blog_post_id"]
    versions = alice.get(f"/projects/{project_id}/blog-posts/{post_id}/versions")
    image = alice.send("POST", f"/projects/{project_id}/images", data=picture(), content_type="image/png")
    return {
        "project_id": project_id,
        "job_id": done["id"],
        "image_id": member(image, "image")["id"],
        "blog_post_id": post_id,
        "version_id": member(versions, "versions")[0]["id"],
        "page_id": member(page, "page")["id"],
        "keyword_id": member(keyword, "keyword")["id"],
        "target_id": member(target, "target")["id"],
        "import_id": search_import_of(app, project_id),
        "schedule_id": scheduled_at_a_target(app, project_id, post_id),
    }


def test_every_route_needs_a_key(app: Flask, charlie: Customer, alices: dict[str, int]) -> None:
    routes = public_routes(app)
    assert len(routes) == 64
    for method, rule in routes:
        assert code(charlie.send(method, address(rule, alices))) == (401, "MISSING_API_KEY"), rule


def test_every_route_that_changes_something_needs_the_write_scope(app: Flask, alices: dict[str, int]) -> None:
    reader = customer(app, "reader", can_write=False)
    for method, rule in public_routes(app):
        answer = reader.send(method, address(rule, alices))
        assert (answer.status_code == 403) is (method != "GET"), rule


def test_anothers_objects_are_answered_exactly_as_absent_ones(
    app: Flask, bob: Customer, alices: dict[str, int]
) -> None:
    absent = dict.fromkeys(alices, 9_999_999)
    same = {"X-Request-ID": "same", "Idempotency-Key": "k"}
    endpoints = 0
    for method, rule in public_routes(app):
        if not rule.arguments:
            continue
        body = {} if method != "GET" else None
        foreign = bob.send(method, address(rule, alices), json=body, headers=same)
        missing = bob.send(method, address(rule, absent), json=body, headers=same)
        assert foreign.status_code == 404, rule
        assert foreign.data == missing.data, rule
        endpoints += 1
    assert endpoints == 59


def test_objects_of_another_project_of_the_same_account_are_absent_too(
    alice: Customer, alices: dict[str, int]
) -> None:
    other = alice.project("https://other.example.com/")
    nouns = ("blog-posts", "blog_post_id"), ("pages", "page_id"), ("keywords", "keyword_id")
    for noun, name in (*nouns, ("schedule", "schedule_id"), ("search-imports", "import_id")):
        assert alice.get(f"/projects/{other}/{noun}/{alices[name]}").status_code == 404


def test_bob_sees_none_of_it_in_his_lists(bob: Customer, alices: dict[str, int]) -> None:
    for path, name in (("/projects", "projects"), ("/executions", "jobs")):
        assert member(bob.get(path), name) == []
    assert member(bob.get(f"/executions?project_id={alices['project_id']}"), "jobs") == []


def test_the_order_of_checks(alice: Customer, charlie: Customer) -> None:
    project_id = alice.project()
    path, absent = f"/projects/{project_id}/executions", "/projects/999999/executions"
    good = {"operation": "GENERATE_BLOG_POST", "payload": {"topic": "Espresso grinders"}}
    text = json.dumps(good).encode()
    plain, declared = {"content_type": "text/plain"}, {"content_type": "application/json"}
    assert code(charlie.send("POST", absent, data=b"{", **plain))[0] == 401
    assert code(alice.send("POST", absent, data=b"{", **plain)) == (404, "PROJECT_NOT_FOUND")
    assert code(alice.send("POST", path, data=b"{", **plain)) == (400, "MISSING_IDEMPOTENCY_KEY")
    keyed = {"headers": {"Idempotency-Key": "k"}}
    assert code(alice.send("POST", path, data=text, **plain, **keyed)) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert code(alice.send("POST", path, data=b"{", **declared, **keyed)) == (400, "MALFORMED_REQUEST")
    assert code(alice.post(path, {"operation": 1}, key="k")) == (422, "INVALID_REQUEST")
    assert alice.post(path, good, key="k").status_code == 202
    other = {**good, "payload": {"keyword_ids": [424242]}}
    assert code(alice.post(path, other, key="k")) == (409, "IDEMPOTENCY_KEY_CONFLICT")


def test_of_retry_too(alice: Customer) -> None:
    done = alice.generated(alice.project())
    path = f"/executions/{done['id']}/retry"
    assert code(replace(alice, key=None).post(path)) == (401, "MISSING_API_KEY")
    assert code(alice.post("/executions/999999/retry")) == (404, "JOB_NOT_FOUND")
    assert code(alice.post(path)) == (400, "MISSING_IDEMPOTENCY_KEY")
    assert code(alice.post(path, {"x": 1}, key="k")) == (422, "INVALID_REQUEST")
    assert code(alice.post(path, key="k")) == (409, "RETRY_NOT_ALLOWED")
