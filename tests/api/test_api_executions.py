"""Execution jobs over HTTP: each rule of the contract, and the failures.

Long because every rule stands beside the refusals that belong to it.
"""

from __future__ import annotations

import threading
from typing import Any

import pytest
from flask import Flask

from app.content.model import BlogPost
from app.infra.db import db
from app.publishing.model import Publication, PublishTarget
from tests.api.conftest import Customer, code, member

POST: dict[str, Any] = {"operation": "GENERATE_BLOG_POST"}
PUBLISH: dict[str, Any] = {"operation": "PUBLISH_BLOG_POST"}
GENERATE = {**POST, "payload": {"topic": "Espresso grinders"}}


def created(alice: Customer, project_id: int, key: str = "key-1", body: Any = GENERATE) -> dict[str, Any]:
    answer = alice.post(f"/projects/{project_id}/executions", body, key=key)
    assert answer.status_code == 202, answer.text
    return dict(member(answer, "job"))


def events(job: dict[str, Any]) -> list[str]:
    return [line["event"] for line in job["history"]]


def test_a_created_job_is_queued_and_has_every_member(alice: Customer) -> None:
    project_id = alice.project()
    answer = alice.post(f"/projects/{project_id}/executions", GENERATE, key="key-1")
    assert answer.status_code == 202
    assert member(answer, "created") is True
    job = member(answer, "job")
    assert answer.headers["Location"] == f"/public-api/executions/{job['id']}"
    assert (job["status"], job["operation"], job["project_id"]) == (
        "queued",
        "GENERATE_BLOG_POST",
        project_id,
    )
    assert job["payload"] == {"topic": "Espresso grinders"}
    assert job["idempotency_key"] == "key-1"
    for name in ("result", "progress", "failure", "error_code", "error_message", "retry_of", "started_at"):
        assert job[name] is None
    assert [(line["event"], line["status"]) for line in job["history"]] == [("JOB_CREATED", "queued")]
    assert job["rollback"] == {
        "supported": True, "state": "unavailable", "hook": f"/public-api/executions/{job['id']}/rollback",
        "summary": job["rollback"]["summary"], "executed_at": None, "reverted_blog_post_id": None,
    }  # fmt: skip


def test_rule_1_the_idempotency_key_is_required_for_create_and_retry(alice: Customer) -> None:
    project_id = alice.project()
    job = created(alice, project_id)
    for path in (f"/projects/{project_id}/executions", f"/executions/{job['id']}/retry"):
        answer = alice.post(path, GENERATE if path.startswith("/projects") else None)
        assert code(answer) == (400, "MISSING_IDEMPOTENCY_KEY")
        failure = member(answer, "failure")
        assert failure["category"] == "validation"
        assert (failure["retryable"], failure["fix_required"]) == (False, True)
        assert "Idempotency-Key" in " ".join(failure["remediation_hints"])
        assert failure["next_actions"] == ["provide_idempotency_key", "retry_request"]


@pytest.mark.parametrize("key", ["a,b", "a b", "x" * 256, "ü"])
def test_an_unusable_key_is_rejected(alice: Customer, key: str) -> None:
    answer = alice.post(f"/projects/{alice.project()}/executions", GENERATE, key=key)
    assert code(answer) == (400, "INVALID_IDEMPOTENCY_KEY")


def test_the_alias_of_the_key_is_accepted(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/executions"
    first = alice.post(path, GENERATE, headers={"X-Idempotency-Key": "same"})
    again = alice.post(path, GENERATE, key="same")
    assert (first.status_code, again.status_code) == (202, 200)


def test_rule_2_a_reused_key_gives_the_same_job(alice: Customer) -> None:
    project_id = alice.project()
    job = created(alice, project_id)
    again = alice.post(f"/projects/{project_id}/executions", GENERATE, key="key-1")
    assert again.status_code == 200
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == f"/public-api/executions/{job['id']}"
    assert (member(again, "created"), member(again, "job")) == (False, job)
    assert member(alice.get("/executions"), "pagination")["total"] == 1


def test_a_replay_answers_the_job_as_it_is_now(alice: Customer) -> None:
    project_id = alice.project()
    job = created(alice, project_id)
    alice.post(f"/executions/{job['id']}/cancel")
    again = alice.post(f"/projects/{project_id}/executions", GENERATE, key="key-1")
    assert member(again, "job")["status"] == "canceled"


def test_a_reused_key_with_another_body_is_a_conflict(alice: Customer) -> None:
    project_id = alice.project()
    created(alice, project_id)
    other = {"operation": "GENERATE_BLOG_POST", "payload": {"topic": "Something else"}}
    answer = alice.post(f"/projects/{project_id}/executions", other, key="key-1")
    assert code(answer) == (409, "IDEMPOTENCY_KEY_CONFLICT")


def test_a_key_belongs_to_one_project(alice: Customer) -> None:
    first, second = alice.project(), alice.project("https://second.example.com/")
    assert created(alice, first)["id"] != created(alice, second)["id"]


def test_a_rejected_request_does_not_use_up_its_key(alice: Customer) -> None:
    project_id = alice.project()
    wrong = {"operation": "GENERATE_BLOG_POST", "payload": {"topic": 5}}
    assert alice.post(f"/projects/{project_id}/executions", wrong, key="key-1").status_code == 422
    created(alice, project_id)


def test_24_equal_requests_at_once_make_one_job(app: Flask, alice: Customer) -> None:
    race(app, alice)


class TestLastPostOfTheMonth:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"MONTHLY_POST_LIMIT": "1"}

    def test_equal_requests_at_once_are_replays_though_the_first_used_up_the_quota(
        self, app: Flask, alice: Customer
    ) -> None:
        race(app, alice)

    def test_a_quota_is_checked_before_the_state_of_a_job_to_retry(self, alice: Customer) -> None:
        job = alice.generated(alice.project())
        assert code(alice.post(f"/executions/{job['id']}/retry", key="k")) == (429, "QUOTA_EXCEEDED")


def race(app: Flask, alice: Customer) -> None:
    """Send 24 equal requests at once."""
    project_id = alice.project()
    found: list[tuple[int, int]] = []

    def send() -> None:
        client = Customer(app.test_client(), alice.account_id, alice.key)
        answer = client.post(f"/projects/{project_id}/executions", GENERATE, key="raced")
        found.append((answer.status_code, member(answer, "job")["id"]))

    threads = [threading.Thread(target=send) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(status for status, _ in found) == [200] * 23 + [202]
    assert len({job_id for _, job_id in found}) == 1


WRONG_INPUT: tuple[tuple[dict[str, Any], int, str, str | None], ...] = (
    ({"operation": "MAKE_COFFEE"}, 422, "INVALID_OPERATION", None),
    ({"operation": "generate_blog_post"}, 422, "INVALID_OPERATION", None),
    ({}, 422, "INVALID_REQUEST", "/operation"),
    ({"operation": 5}, 422, "INVALID_REQUEST", "/operation"),
    ({**GENERATE, "more": 1}, 422, "INVALID_REQUEST", "/more"),
    ({**POST, "payload": []}, 422, "INVALID_REQUEST", "/payload"),
    ({**POST, "payload": {"topik": "x"}}, 422, "INVALID_REQUEST", "/payload/topik"),
    ({**POST, "payload": {"topic": "x"}}, 422, "INVALID_REQUEST", "/payload/topic"),
    ({**POST, "payload": {"keyword_ids": [99]}}, 422, "INVALID_REQUEST",
     "/payload/keyword_ids"),
    ({"operation": "SYNC_SITEMAP", "payload": {"x": 1}}, 422, "INVALID_REQUEST", "/payload/x"),
    ({"operation": "SYNC_SITEMAP"}, 409, "SITEMAP_MISSING", None),
    ({**PUBLISH, "payload": {}}, 422, "INVALID_REQUEST", "/payload/blog_post_id"),
    ({**PUBLISH, "payload": {"blog_post_id": 9}}, 404, "BLOG_POST_NOT_FOUND", None),
)  # fmt: skip


def test_wrong_input_is_rejected_with_its_field(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/executions"
    for body, status, wanted, field in WRONG_INPUT:
        answer = alice.post(path, body, key="key-1")
        assert code(answer) == (status, wanted), body
        assert [error["field"] for error in member(answer, "errors")] == ([field] if field else [])
    assert member(alice.get("/executions"), "jobs") == []


def test_an_empty_generation_works(alice: Customer) -> None:
    job = created(alice, alice.project(), body={"operation": "GENERATE_BLOG_POST"})
    done = alice.ran(job["id"])
    assert done["status"] == "succeeded", done["failure"]


def test_a_job_that_ran_has_its_history_and_result(alice: Customer) -> None:
    project_id = alice.project()
    done = alice.ran(created(alice, project_id)["id"])
    assert done["status"] == "succeeded"
    assert events(done)[:2] == ["JOB_CREATED", "JOB_STARTED"]
    assert events(done)[-1] == "JOB_SUCCEEDED"
    assert "JOB_PROGRESS" in events(done)
    times = [line["at"] for line in done["history"]]
    assert times == sorted(times)
    assert done["progress"]["stage"] == "save_draft"
    assert done["progress"]["done"] == done["progress"]["total"]
    assert done["failure"] is done["error_code"] is done["error_message"] is None
    assert done["rollback"]["state"] == "available"
    post = member(alice.get(f"/projects/{project_id}/blog-posts/{done['result']['blog_post_id']}"), "post")
    assert (post["job_id"], post["status"]) == (done["id"], "draft")


def test_jobs_are_listed_and_narrowed(alice: Customer, bob: Customer) -> None:
    first, second = alice.project(), alice.project("https://second.example.com/")
    one, two = created(alice, first), created(alice, second)
    alice.post(f"/executions/{two['id']}/cancel")
    assert [job["id"] for job in member(alice.get("/executions"), "jobs")] == [two["id"], one["id"]]
    for query, wanted in (
        (f"project_id={first}", [one["id"]]),
        ("status=canceled", [two["id"]]),
        ("status=running", []),
        ("operation=GENERATE_BLOG_POST&page_size=1", [two["id"]]),
        ("operation=SYNC_SITEMAP", []),
        (f"q=GRINDERS&project_id={first}", [one["id"]]),
        (f"q=%23{two['id']}", [two["id"]]),
        ("q=nothing+like+it", []),
    ):
        assert [job["id"] for job in member(alice.get(f"/executions?{query}"), "jobs")] == wanted
    for query in ("status=QUEUED", "operation=generate", "project_id=0", "project_id=x"):
        assert code(alice.get(f"/executions?{query}")) == (422, "INVALID_REQUEST")
    assert member(bob.get(f"/executions?project_id={first}"), "jobs") == []


def test_canceling_is_done_once(alice: Customer) -> None:
    job = created(alice, alice.project())
    first = alice.post(f"/executions/{job['id']}/cancel")
    assert first.status_code == 200
    canceled = member(first, "job")
    assert (canceled["status"], canceled["error_code"]) == ("canceled", "CANCELED")
    assert events(canceled) == ["JOB_CREATED", "JOB_CANCELED"]
    assert "becomes available" in job["rollback"]["summary"]
    assert "no post" in canceled["rollback"]["summary"]
    again = alice.post(f"/executions/{job['id']}/cancel", {})
    assert (again.status_code, member(again, "job")) == (200, canceled)
    assert alice.ran(job["id"]) == canceled


def test_a_job_that_ended_cannot_be_canceled(alice: Customer) -> None:
    done = alice.generated(alice.project())
    assert code(alice.post(f"/executions/{done['id']}/cancel")) == (409, "JOB_ALREADY_TERMINAL")


def test_a_retry_is_a_new_job_with_the_same_input(alice: Customer) -> None:
    job = created(alice, alice.project())
    alice.post(f"/executions/{job['id']}/cancel")
    path = f"/executions/{job['id']}/retry"
    retried = alice.post(path, key="again")
    assert retried.status_code == 202
    new = member(retried, "job")
    assert (new["retry_of"], new["payload"], new["status"]) == (job["id"], job["payload"], "queued")
    assert new["history"][0]["event"] == "JOB_RETRIED"
    assert new["history"][0]["details"]["retry_of"] == job["id"]
    replayed = alice.post(path, key="again")
    assert (replayed.status_code, member(replayed, "job")["id"]) == (200, new["id"])
    assert replayed.headers["Idempotent-Replayed"] == "true"
    assert alice.ran(new["id"])["status"] == "succeeded"


def test_only_failed_and_canceled_jobs_are_retried(alice: Customer) -> None:
    project_id = alice.project()
    queued = created(alice, project_id)
    assert code(alice.post(f"/executions/{queued['id']}/retry", key="k")) == (409, "RETRY_NOT_ALLOWED")
    done = alice.ran(queued["id"])
    assert code(alice.post(f"/executions/{done['id']}/retry", key="k")) == (409, "RETRY_NOT_ALLOWED")


def test_rule_4_only_succeeded_generations_are_rolled_back(alice: Customer) -> None:
    project_id = alice.project(sitemap_url="https://alice.example.com/sitemap.xml")
    job = created(alice, project_id)
    assert code(alice.post(f"/executions/{job['id']}/rollback")) == (409, "ROLLBACK_NOT_ALLOWED")
    sync = created(alice, project_id, body={"operation": "SYNC_SITEMAP"}, key="sync")
    assert sync["rollback"]["supported"] is False
    assert code(alice.post(f"/executions/{sync['id']}/rollback")) == (409, "ROLLBACK_NOT_SUPPORTED")


def test_rules_5_and_6_rollback_deletes_the_draft_and_repeats_well(alice: Customer) -> None:
    project_id = alice.project()
    done = alice.generated(project_id)
    post_id = done["result"]["blog_post_id"]
    first = alice.post(f"/executions/{done['id']}/rollback")
    assert first.status_code == 200
    rolled = member(first, "job")
    assert (rolled["status"], rolled["rollback"]["state"]) == ("succeeded", "completed")
    assert rolled["rollback"]["reverted_blog_post_id"] == post_id
    assert rolled["rollback"]["executed_at"] is not None
    assert events(rolled)[-1] == "JOB_ROLLBACK_COMPLETED"
    gone = alice.get(f"/projects/{project_id}/blog-posts/{post_id}")
    assert code(gone) == (404, "BLOG_POST_NOT_FOUND")
    again = alice.post(f"/executions/{done['id']}/rollback", {})
    assert (again.status_code, member(again, "job")) == (200, rolled)


def test_rule_7_a_published_post_blocks_the_rollback(app: Flask, alice: Customer) -> None:
    project_id = alice.project()
    done = alice.generated(project_id)
    post_id = done["result"]["blog_post_id"]
    _publish_in_database(app, project_id, post_id)
    read, listed = _rollback_of(alice, done["id"]), member(alice.get("/executions"), "jobs")[0]["rollback"]
    assert (read["state"], "was published" in read["summary"]) == ("blocked", True)
    assert listed == read
    for _ in range(2):
        answer = alice.post(f"/executions/{done['id']}/rollback")
        assert code(answer) == (409, "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH")
        failure = member(answer, "failure")
        assert failure["category"] == "policy"
        assert failure["next_actions"] == ["manually_unpublish_external_post"]
        hints = " ".join(failure["remediation_hints"])
        assert "Our blog" in hints
        assert "https://blog.example.com/grinders" in hints
    blocked = member(alice.get(f"/executions/{done['id']}"), "job")
    assert blocked["rollback"]["state"] == "blocked"
    assert events(blocked).count("JOB_ROLLBACK_BLOCKED") == 1
    assert alice.get(f"/projects/{project_id}/blog-posts/{post_id}").status_code == 200


def test_a_post_that_is_being_published_is_not_rolled_back(app: Flask, alice: Customer) -> None:
    done = alice.generated(alice.project())
    with app.app_context():
        db.session.get_one(BlogPost, done["result"]["blog_post_id"]).status = "publishing"
        db.session.commit()
    answer = alice.post(f"/executions/{done['id']}/rollback")
    assert code(answer) == (409, "ROLLBACK_PUBLISH_IN_PROGRESS")
    assert _rollback_of(alice, done["id"])["state"] == "blocked"
    assert _rollback_of(alice, done["id"])["summary"] == member(answer, "message")


@pytest.mark.parametrize("verb", ["cancel", "rollback"])
def test_actions_accept_nothing_or_an_empty_object(alice: Customer, verb: str) -> None:
    job = created(alice, alice.project())
    path = f"/executions/{job['id']}/{verb}"
    assert code(alice.post(path, {"force": True})) == (422, "INVALID_REQUEST")
    assert code(alice.send("POST", path, data=b"x", content_type="text/plain"))[0] == 415
    assert code(alice.send("POST", path, data=b"{", content_type="application/json"))[0] == 400
    form = "application/x-www-form-urlencoded"  # as curl -d '' says of nothing
    assert alice.send("POST", path, data=b"", content_type=form).status_code in (200, 409)


def _rollback_of(alice: Customer, job_id: int) -> dict[str, Any]:
    found: dict[str, Any] = member(alice.get(f"/executions/{job_id}"), "job")["rollback"]
    return found


def _publish_in_database(app: Flask, project_id: int, post_id: int) -> None:
    with app.app_context():
        target = PublishTarget(
            project_id=project_id, name="Our blog", kind="webhook", settings={"url": "http://127.0.0.1:9/"}
        )
        db.session.add(target)
        db.session.flush()
        db.session.add(
            Publication(
                blog_post_id=post_id,
                target_id=target.id,
                publication_id="pub_1",
                state="live",
                content_sha256="x",
                url="https://blog.example.com/grinders",
            )
        )
        db.session.get_one(BlogPost, post_id).status = "published"
        db.session.commit()


class TestQuota:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"QUEUED_EXECUTIONS": "1"}

    def test_too_many_queued_jobs_are_rejected_and_replays_are_not(self, alice: Customer) -> None:
        project_id = alice.project()
        job = created(alice, project_id)
        path = f"/projects/{project_id}/executions"
        refused = alice.post(path, GENERATE, key="key-2")
        assert code(refused) == (429, "QUOTA_EXCEEDED")
        assert int(refused.headers["Retry-After"]) > 0
        assert member(alice.post(path, GENERATE, key="key-1"), "job")["id"] == job["id"]
