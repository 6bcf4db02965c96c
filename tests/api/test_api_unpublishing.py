"""Unpublishing by the API: it waits for the target's word, and then the job can be rolled back."""

from __future__ import annotations

import pytest
from flask import Flask

from app.infra.db import db
from app.projects.model import Project
from app.publishing.service import add_target
from tests.api.conftest import Customer, code, member
from tests.support.publishing import Receiver
from tests.support.servers import Reply, SiteServer

OVERRIDE = {"override_quality_gate": True, "override_reason": "An outline will do."}


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def receiver(site: SiteServer) -> Receiver:
    return Receiver(site)


@pytest.fixture
def project_id(app: Flask, alice: Customer, receiver: Receiver) -> int:
    project_id = alice.project()
    with app.app_context():
        receiver.add_to(db.session.get_one(Project, project_id))
    return project_id


@pytest.mark.usefixtures("worker")
def test_a_published_post_is_unpublished_and_then_rolled_back(alice: Customer, project_id: int) -> None:
    job = alice.generated(project_id)
    path = f"/projects/{project_id}/blog-posts/{job['result']['blog_post_id']}"
    assert alice.post(f"{path}/publish", OVERRIDE).status_code == 200
    assert code(alice.post(f"/executions/{job['id']}/rollback")) == (
        409,
        "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH",
    )
    answer = alice.post(f"{path}/unpublish")
    assert answer.status_code == 200, answer.text
    post = member(answer, "post")
    assert (post["status"], post["published_url"]) == ("draft", None)
    assert [each["state"] for each in post["publications"]] == ["unpublished"]
    assert member(answer, "job")["operation"] == "UNPUBLISH_BLOG_POST"
    assert alice.post(f"/executions/{job['id']}/rollback").status_code == 200


@pytest.mark.usefixtures("worker")
def test_a_target_that_refuses_is_the_response_and_the_post_stays_published(
    alice: Customer, project_id: int, receiver: Receiver
) -> None:
    post_id = alice.generated(project_id)["result"]["blog_post_id"]
    path = f"/projects/{project_id}/blog-posts/{post_id}"
    alice.post(f"{path}/publish", OVERRIDE)
    receiver.on_unpublish = lambda: Reply(400)
    assert code(alice.post(f"{path}/unpublish")) == (502, "PUBLISH_REJECTED")
    assert member(alice.get(path), "post")["status"] == "published"


def test_publishing_without_naming_one_of_several_targets_returns_their_list(
    app: Flask, alice: Customer, project_id: int
) -> None:
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        add_target(project, "webhook", "Second", {"url": "https://second.example/hook"})
    post_id = alice.generated(project_id)["result"]["blog_post_id"]
    answer = alice.post(f"/projects/{project_id}/blog-posts/{post_id}/publish", OVERRIDE)
    assert code(answer) == (409, "PUBLISH_TARGET_REQUIRED")
    targets = member(answer, "failure")["details"]["targets"]
    assert [target["name"] for target in targets] == ["Hook", "Second"]


def test_a_draft_is_refused_by_a_target_without_drafts(alice: Customer, project_id: int) -> None:
    post_id = alice.generated(project_id)["result"]["blog_post_id"]
    answer = alice.post(
        f"/projects/{project_id}/blog-posts/{post_id}/publish", {**OVERRIDE, "visibility": "draft"}
    )
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [each["field"] for each in member(answer, "errors")] == ["/visibility"]
