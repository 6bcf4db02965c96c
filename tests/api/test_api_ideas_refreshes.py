"""Title ideas and refreshes over HTTP, on both databases."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from app.accounts.keys import create_key
from app.accounts.model import Account
from app.content.posts.proposals import dismiss_proposal
from app.content.posts.service import edit_post
from app.infra.db import db
from tests.api.conftest import Customer, code, member
from tests.content.conftest import CARE, FAQ, HIVES
from tests.support.refreshing import NEW, rewrite, stored

MARKS = {"h1": "# ", "h2": "## ", "li": "- ", "code": "    "}


@pytest.fixture
def project_id(alice: Customer) -> int:
    """Alice's project with pages on bees."""
    project_id = alice.project()
    for name, parts in (("hives", HIVES), ("care", CARE), ("faq", FAQ)):
        content = "\n\n".join(MARKS.get(kind, "") + text for kind, text in parts)
        page = {"url": f"https://alice.example.com/{name}", "content": content}
        assert alice.post(f"/projects/{project_id}/pages", page).status_code == 201
    return project_id


@pytest.fixture
def post_id(alice: Customer, project_id: int) -> int:
    """A draft of Alice on beehives."""
    answer = alice.post(f"/projects/{project_id}/blog-posts/generate", {"topic": "Choosing a beehive"})
    return int(alice.ran(member(answer, "job")["id"])["result"]["blog_post_id"])


def executed(alice: Customer, project_id: int, operation: str, **payload: Any) -> dict[str, Any]:
    body = {"operation": operation, "payload": payload}
    answer = alice.post(f"/projects/{project_id}/executions", body, key=uuid4().hex)
    assert answer.status_code == 202, answer.text
    return alice.ran(member(answer, "job")["id"])


def read(alice: Customer, project_id: int, post_id: int) -> dict[str, Any]:
    return dict(member(alice.get(f"/projects/{project_id}/blog-posts/{post_id}"), "post"))


def change_the_pages(app: Flask, project_id: int) -> None:
    with app.app_context():
        rewrite(project_id, "/hives", NEW)


def test_a_post_is_read_with_the_checks_of_now_and_listed_with_those_of_its_text(
    app: Flask, alice: Customer, project_id: int, post_id: int
) -> None:
    def fails(post: dict[str, Any]) -> bool:
        (check,) = [check for check in post["quality"]["checks"] if check["code"] == "SOURCES_CHANGED"]
        return not check["passed"]

    assert not fails(read(alice, project_id, post_id))
    change_the_pages(app, project_id)
    assert fails(read(alice, project_id, post_id))
    (listed,) = member(alice.get(f"/projects/{project_id}/blog-posts"), "posts")
    assert not fails(listed)


def test_ideas_are_a_jobs_result_and_become_posts(alice: Customer, project_id: int) -> None:
    added = alice.post(f"/projects/{project_id}/keywords", {"keyword_text": "painting beehives blue"})
    keyword = member(added, "keyword")
    job = executed(alice, project_id, "SUGGEST_TITLES", count=5)
    assert (job["status"], job["rollback"]["supported"]) == ("succeeded", False)
    idea = job["result"]["ideas"][0]
    assert set(idea) == {
        "title", "topic", "origin", "question", "why", "coverage", "coverage_share", "pages", "keyword",
        "keyword_ids", "existing_post_ids",
    }  # fmt: skip
    assert (idea["topic"], idea["keyword_ids"]) == ("painting beehives blue", [keyword["id"]])
    body = {name: idea[name] for name in ("topic", "title", "keyword_ids")}
    answer = alice.post(f"/projects/{project_id}/blog-posts/generate", body)
    made = alice.ran(member(answer, "job")["id"])
    assert (made["status"], made["result"]["title"]) == ("succeeded", "Painting beehives blue")
    again = executed(alice, project_id, "SUGGEST_TITLES", count=6)
    assert idea["topic"] not in [each["topic"] for each in again["result"]["ideas"]]


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ({"count": 0}, "/payload/count"),
        ({"keyword_ids": [999]}, "/payload/keyword_ids"),
        ({"x": 1}, "/payload/x"),
    ],
)
def test_a_wrong_member_of_a_request_for_ideas_is_rejected_by_its_field(
    alice: Customer, project_id: int, payload: dict[str, Any], field: str
) -> None:
    body = {"operation": "SUGGEST_TITLES", "payload": payload}
    answer = alice.post(f"/projects/{project_id}/executions", body, key="k")
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(answer, "errors")] == [field]


def test_a_post_has_no_proposal_until_a_refresh_made_one(
    app: Flask, alice: Customer, project_id: int, post_id: int
) -> None:
    assert read(alice, project_id, post_id)["proposal"] is None
    unchanged = executed(alice, project_id, "REFRESH_BLOG_POST", blog_post_id=post_id)
    assert unchanged["result"] == {
        "blog_post_id": post_id, "sources_changed": False, "changed": False, "proposal_id": None,
    }  # fmt: skip
    assert read(alice, project_id, post_id)["proposal"] is None


def test_a_proposal_is_read_with_its_post(app: Flask, alice: Customer, project_id: int, post_id: int) -> None:
    before = read(alice, project_id, post_id)
    etag = alice.get(f"/projects/{project_id}/blog-posts/{post_id}").headers["ETag"]
    change_the_pages(app, project_id)
    job = executed(alice, project_id, "REFRESH_BLOG_POST", blog_post_id=post_id)
    after = read(alice, project_id, post_id)
    proposal = after["proposal"]
    assert (proposal["id"], proposal["job_id"]) == (job["result"]["proposal_id"], job["id"])
    assert "holds 11 frames" in proposal["content"]
    assert "holds 11 frames" in proposal["content_html"]
    assert proposal["quality"]["decision"] in ("allow", "warn")
    assert [source["url"] for source in proposal["sources"]]
    assert {**after, "proposal": None, "quality": before["quality"]} == before
    newer = alice.get(f"/projects/{project_id}/blog-posts/{post_id}", headers={"If-None-Match": etag})
    assert newer.status_code == 200


@pytest.mark.parametrize("with_content", [True, False])
def test_lists_show_a_proposal_as_they_show_its_post(
    app: Flask, alice: Customer, project_id: int, post_id: int, with_content: bool
) -> None:
    change_the_pages(app, project_id)
    executed(alice, project_id, "REFRESH_BLOG_POST", blog_post_id=post_id)
    query = "?include_content=true" if with_content else ""
    post = member(alice.get(f"/projects/{project_id}/blog-posts{query}"), "posts")[0]
    for text in (post, post["proposal"]):
        assert (text["content"] is not None, text["content_html"] is not None) == (with_content, with_content)


def test_a_decided_proposal_is_no_longer_shown(
    app: Flask, alice: Customer, project_id: int, post_id: int
) -> None:
    change_the_pages(app, project_id)
    job = executed(alice, project_id, "REFRESH_BLOG_POST", blog_post_id=post_id)
    with app.app_context():
        edit_post(stored(post_id), 1, {"title": "My own title"})
        dismiss_proposal(stored(post_id), job["result"]["proposal_id"])
    post = read(alice, project_id, post_id)
    assert (post["proposal"], post["title"]) == (None, "My own title")


def test_a_rollback_deletes_the_proposal_with_the_draft(
    app: Flask, alice: Customer, project_id: int, post_id: int
) -> None:
    change_the_pages(app, project_id)
    refresh = executed(alice, project_id, "REFRESH_BLOG_POST", blog_post_id=post_id)
    assert code(alice.post(f"/executions/{refresh['id']}/rollback")) == (409, "ROLLBACK_NOT_SUPPORTED")
    made = next(
        job for job in member(alice.get("/executions"), "jobs") if job["operation"] == "GENERATE_BLOG_POST"
    )
    assert alice.post(f"/executions/{made['id']}/rollback").status_code == 200
    answer = alice.get(f"/projects/{project_id}/blog-posts/{post_id}")
    assert code(answer) == (404, "BLOG_POST_NOT_FOUND")


def test_a_post_that_cannot_be_refreshed_is_rejected(
    app: Flask, alice: Customer, bob: Customer, project_id: int, post_id: int
) -> None:
    def asked(who: Customer, project: int, post: int) -> tuple[int, str]:
        body = {"operation": "REFRESH_BLOG_POST", "payload": {"blog_post_id": post}}
        return code(who.post(f"/projects/{project}/executions", body, key="k"))

    assert asked(alice, project_id, post_id + 100) == (404, "BLOG_POST_NOT_FOUND")
    other = bob.project("https://bob.example.com/")
    assert asked(bob, other, post_id) == (404, "BLOG_POST_NOT_FOUND")
    with app.app_context():
        stored(post_id).status = "publishing"
        db.session.commit()
    assert asked(alice, project_id, post_id) == (409, "PUBLISH_IN_PROGRESS")


@pytest.fixture
def proposal_id(app: Flask, alice: Customer, project_id: int, post_id: int) -> int:
    """A new text for Alice's draft."""
    change_the_pages(app, project_id)
    job = executed(alice, project_id, "REFRESH_BLOG_POST", blog_post_id=post_id)
    return int(job["result"]["proposal_id"])


def decided(
    who: Customer, project_id: int, post_id: int, decision: str, **body: Any
) -> tuple[int, str | dict[str, Any]]:
    """The status, and the post or the error code."""
    answer = who.post(f"/projects/{project_id}/blog-posts/{post_id}/proposal/{decision}", body)
    return (200, member(answer, "post")) if answer.status_code == 200 else code(answer)


def test_a_proposal_is_used_and_using_it_again_changes_nothing(
    alice: Customer, project_id: int, post_id: int, proposal_id: int
) -> None:
    before = read(alice, project_id, post_id)
    assert (before["version"], before["proposal"]["post_version"], before["refreshed_at"]) == (1, 1, None)
    status, post = decided(alice, project_id, post_id, "use", proposal_id=proposal_id)
    assert status == 200
    assert isinstance(post, dict)
    assert "holds 11 frames" in post["content"]
    assert (post["version"], post["proposal"], post["slug"]) == (2, None, before["slug"])
    assert post["created_at"] < post["refreshed_at"] <= post["updated_at"]
    assert decided(alice, project_id, post_id, "use", proposal_id=proposal_id) == (200, post)
    assert decided(alice, project_id, post_id, "dismiss", proposal_id=proposal_id) == (
        409,
        "PROPOSAL_DECIDED",
    )
    assert read(alice, project_id, post_id) == post


def test_a_proposal_is_dismissed_and_the_post_stays_as_it_is(
    alice: Customer, project_id: int, post_id: int, proposal_id: int
) -> None:
    before = read(alice, project_id, post_id)
    for _ in range(2):
        status, post = decided(alice, project_id, post_id, "dismiss", proposal_id=proposal_id)
        assert (status, post) == (200, {**before, "proposal": None})
    assert decided(alice, project_id, post_id, "use", proposal_id=proposal_id) == (409, "PROPOSAL_DECIDED")


def test_an_edit_is_replaced_only_with_the_version_that_has_it(
    app: Flask, alice: Customer, project_id: int, post_id: int, proposal_id: int
) -> None:
    with app.app_context():
        edit_post(stored(post_id), 1, {"title": "My own title"})
    path = f"/projects/{project_id}/blog-posts/{post_id}/proposal/use"
    for body in ({"proposal_id": proposal_id}, {"proposal_id": proposal_id, "version": 1}):
        refused = alice.post(path, body)
        assert code(refused) == (409, "POST_CHANGED")
        assert member(refused, "failure")["details"] == {"blog_post_id": post_id, "version": 2}
    assert read(alice, project_id, post_id)["title"] == "My own title"
    assert decided(alice, project_id, post_id, "use", proposal_id=proposal_id, version=2)[0] == 200


@pytest.mark.parametrize("decision", ["use", "dismiss"])
def test_what_is_no_proposal_of_the_post_is_not_found(
    alice: Customer, bob: Customer, project_id: int, post_id: int, proposal_id: int, decision: str
) -> None:
    assert decided(alice, project_id, post_id, decision, proposal_id=proposal_id + 9) == (
        404,
        "PROPOSAL_NOT_FOUND",
    )
    assert decided(alice, project_id, post_id + 9, decision, proposal_id=proposal_id) == (
        404,
        "BLOG_POST_NOT_FOUND",
    )
    assert decided(bob, project_id, post_id, decision, proposal_id=proposal_id) == (404, "PROJECT_NOT_FOUND")
    assert read(alice, project_id, post_id)["proposal"]["id"] == proposal_id


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "/proposal_id"),
        ({"proposal_id": "1"}, "/proposal_id"),
        ({"proposal_id": 0}, "/proposal_id"),
        ({"proposal_id": 2**63}, "/proposal_id"),
        ({"proposal_id": 1, "version": 0}, "/version"),
        ({"proposal_id": 1, "colour": "red"}, "/colour"),
    ],
)
def test_a_decision_without_its_ids_is_rejected(
    alice: Customer, project_id: int, post_id: int, body: dict[str, Any], field: str
) -> None:
    refused = alice.post(f"/projects/{project_id}/blog-posts/{post_id}/proposal/use", body)
    assert code(refused) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(refused, "errors")] == [field]


def test_a_key_that_may_only_read_decides_nothing(
    app: Flask, alice: Customer, project_id: int, post_id: int, proposal_id: int
) -> None:
    with app.app_context():
        _, text = create_key(db.session.get_one(Account, alice.account_id), "reader", can_write=False)
    reader = Customer(alice.client, alice.account_id, text)
    for decision in ("use", "dismiss"):
        refused = decided(reader, project_id, post_id, decision, proposal_id=proposal_id)
        assert refused == (403, "INSUFFICIENT_SCOPE")


def test_a_post_that_is_being_published_takes_no_proposal(
    app: Flask, alice: Customer, project_id: int, post_id: int, proposal_id: int
) -> None:
    with app.app_context():
        stored(post_id).status = "publishing"
        db.session.commit()
    assert decided(alice, project_id, post_id, "use", proposal_id=proposal_id) == (409, "PUBLISH_IN_PROGRESS")
