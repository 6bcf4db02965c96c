"""Blog posts over HTTP: generate, list, read, publish."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from flask import Flask

from app.content.model import BlogPost
from app.infra.db import db
from app.projects.model import Project
from app.publishing.service import add_target
from tests.api.conftest import Customer, code, member
from tests.support.servers import Reply, SiteServer

OVERRIDE = {"override_quality_gate": True, "override_reason": "An outline will do."}


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def target(app: Flask, alice: Customer, site: SiteServer) -> int:
    """A webhook of Alice's first project; returns the project's id."""
    project_id = alice.project()
    site.serve("/hook", json.dumps({"id": "ext-1", "url": "https://blog.example.com/post"}))
    with app.app_context():
        add_target(db.session.get_one(Project, project_id), "webhook", "Blog", {"url": f"{site.url}/hook"})
    return project_id


def test_generating_makes_a_job_at_once(alice: Customer) -> None:
    project_id = alice.project()
    answer = alice.post(f"/projects/{project_id}/blog-posts/generate", {"topic": "Espresso grinders"})
    assert answer.status_code == 202
    job = member(answer, "job")
    assert (job["operation"], job["status"], member(answer, "post")) == ("GENERATE_BLOG_POST", "queued", None)
    assert answer.headers["Location"] == f"/public-api/executions/{job['id']}"


def test_generating_without_a_body_works(alice: Customer) -> None:
    answer = alice.post(f"/projects/{alice.project()}/blog-posts/generate")
    assert answer.status_code == 202
    assert alice.ran(member(answer, "job")["id"])["status"] == "succeeded"


@pytest.mark.usefixtures("worker")
def test_prefer_wait_gives_the_post(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/blog-posts/generate"
    answer = alice.post(path, {"topic": "Espresso grinders"}, key="k", headers={"Prefer": "wait=20"})
    assert answer.status_code == 201, answer.text
    assert answer.headers["Preference-Applied"] == "wait=20"
    job, post = member(answer, "job"), member(answer, "post")
    assert (job["status"], post["job_id"], post["status"]) == ("succeeded", job["id"], "draft")
    again = alice.post(path, {"topic": "Espresso grinders"}, key="k")
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (200, "true")
    assert (member(again, "job"), member(again, "post")) == (job, post)


def test_waiting_ends_when_the_time_is_over(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/blog-posts/generate"
    started = time.monotonic()
    answer = alice.post(path, {}, headers={"Prefer": "respond-async, wait=1"})
    assert 1 <= time.monotonic() - started < 10
    assert (answer.status_code, member(answer, "post")) == (202, None)


def test_the_key_is_optional_and_honoured_and_its_own(alice: Customer) -> None:
    project_id = alice.project()
    path = f"/projects/{project_id}/blog-posts/generate"
    first = alice.post(path, {"topic": "Grinders"}, key="k")
    again = alice.post(path, {"topic": "Grinders"}, key="k")
    assert (first.status_code, again.status_code) == (202, 200)
    assert member(first, "job")["id"] == member(again, "job")["id"]
    nothing = {"title": None, "keywords": [], "length": None, "outline": None}
    assert alice.post(path, {"topic": "Grinders", **nothing}, key="k").status_code == 200
    assert code(alice.post(path, {"topic": "Grinders", "avoid": []}, key="k"))[0] == 409
    assert code(alice.post(path, {"topic": "Tampers"}, key="k")) == (409, "IDEMPOTENCY_KEY_CONFLICT")
    assert code(alice.post(path, {}, key="a,b")) == (400, "INVALID_IDEMPOTENCY_KEY")
    body = {"operation": "GENERATE_BLOG_POST", "payload": {"topic": "Grinders"}}
    other = alice.post(f"/projects/{project_id}/executions", body, key="k")
    assert other.status_code == 202


@pytest.mark.parametrize(
    ("body", "field"),
    [({"topik": "x"}, "/topik"), ({"topic": "x"}, "/topic"), ({"page_ids": [9]}, "/page_ids")],
)
def test_wrong_input_is_named_where_the_body_has_it(alice: Customer, body: Any, field: str) -> None:
    answer = alice.post(f"/projects/{alice.project()}/blog-posts/generate", body)
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(answer, "errors")] == [field]


def test_posts_are_listed_without_their_text_by_default(alice: Customer) -> None:
    project_id = alice.project()
    path = f"/projects/{project_id}/blog-posts"
    post_id = alice.generated(project_id)["result"]["blog_post_id"]
    post = member(alice.get(f"{path}/{post_id}"), "post")
    assert post["content"]
    assert post["content_html"].startswith("<")
    assert post["quality"]["decision"] in ("allow", "warn", "block")
    assert post["publications"] == []
    assert member(alice.get(path), "posts") == [
        {**post, "content": None, "content_html": None, "trace": None}
    ]
    assert member(alice.get(f"{path}?include_content=true"), "posts") == [post]
    assert member(alice.get(f"{path}?status=published"), "posts") == []
    for query in ("status=live", "include_content=1"):
        assert code(alice.get(f"{path}?{query}")) == (422, "INVALID_REQUEST")


@pytest.mark.usefixtures("worker")
def test_publishing_waits_and_publishing_again_changes_nothing(
    alice: Customer, target: int, site: SiteServer
) -> None:
    post_id = alice.generated(target)["result"]["blog_post_id"]
    path = f"/projects/{target}/blog-posts/{post_id}/publish"
    answer = alice.post(path, OVERRIDE)
    assert answer.status_code == 200, answer.text
    post, job = member(answer, "post"), member(answer, "job")
    assert (post["status"], post["published_url"]) == ("published", "https://blog.example.com/post")
    assert [(p["target"], p["external_id"], p["state"]) for p in post["publications"]] == [
        ("Blog", "ext-1", "live")
    ]
    override = post["publications"][0]["override"]
    assert (override["by"], override["reason"]) == ('API key "tests"', "An outline will do.")
    assert "DRAFT_KIND_OUTLINE" in [check["code"] for check in override["checks"]]
    assert (job["operation"], job["status"]) == ("PUBLISH_BLOG_POST", "succeeded")
    again = alice.post(path)
    assert again.status_code == 200
    assert (member(again, "post"), member(again, "job")) == (post, job)
    assert len(site.requests_for("/hook")) == 1
    listed = alice.get("/executions?operation=PUBLISH_BLOG_POST")
    assert member(listed, "pagination")["total"] == 1


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("status", "wanted"), [(400, (502, "PUBLISH_REJECTED")), (401, (502, "TARGET_AUTH"))]
)
def test_a_rejection_by_the_target_is_the_response(
    alice: Customer, target: int, site: SiteServer, status: int, wanted: tuple[int, str]
) -> None:
    post_id = alice.generated(target)["result"]["blog_post_id"]
    site.routes["/hook"] = Reply(status, {}, b"no")
    answer = alice.post(f"/projects/{target}/blog-posts/{post_id}/publish", OVERRIDE)
    assert code(answer) == wanted
    assert answer.headers["Location"].startswith("/public-api/executions/")
    assert member(alice.get(f"/projects/{target}/blog-posts/{post_id}"), "post")["status"] == "draft"


def test_a_post_that_cannot_be_published_is_rejected_before_a_job_exists(
    app: Flask, alice: Customer, target: int
) -> None:
    post_id = alice.generated(target)["result"]["blog_post_id"]
    path = f"/projects/{target}/blog-posts/{post_id}/publish"
    assert code(alice.post(f"/projects/{target}/blog-posts/999/publish")) == (404, "BLOG_POST_NOT_FOUND")
    assert code(alice.post(path, {"target": "Nowhere"})) == (409, "PUBLISH_TARGET_MISSING")
    assert code(alice.post(path, {"target": 5.5})) == (422, "INVALID_REQUEST")
    assert code(alice.post(path, {"blog_post_id": post_id})) == (422, "INVALID_REQUEST")
    gate = alice.post(path)
    assert code(gate) == (409, "PUBLISH_QUALITY_GATE_BLOCKED")
    assert member(gate, "failure")["category"] == "policy"
    assert "publish_with_override" in member(gate, "failure")["next_actions"]
    assert "DRAFT_KIND_OUTLINE" in [each["code"] for each in member(gate, "failure")["details"]["checks"]]
    with app.app_context():
        post = db.session.get_one(BlogPost, post_id)
        post.content += "\n\n<script>alert(1)</script>\n"
        db.session.commit()
    for body in ({}, OVERRIDE):
        unsafe = alice.post(path, body)
        assert code(unsafe) == (409, "PUBLISH_QUALITY_GATE_BLOCKED")
        assert member(unsafe, "failure")["next_actions"] == ["edit_post", "regenerate"]
    with app.app_context():
        db.session.get_one(BlogPost, post_id).status = "publishing"
        db.session.commit()
    assert code(alice.post(path, {"target": "Nowhere"})) == (409, "PUBLISH_IN_PROGRESS")
    assert member(alice.get("/executions?operation=PUBLISH_BLOG_POST"), "jobs") == []
