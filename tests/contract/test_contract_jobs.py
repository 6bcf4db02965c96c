"""The contract's rules of execution jobs, one test each, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Customer, code, member
from tests.contract.conftest import Blog, failed_job, sync
from tests.support.servers import SiteServer

GENERATE = {"operation": "GENERATE_BLOG_POST", "payload": {"topic": "Garden notes"}}
STATUSES = {"queued", "running", "succeeded", "failed", "canceled"}


def create(alice: Customer, project_id: int, key: str = "one") -> dict[str, Any]:
    answer = alice.post(f"/projects/{project_id}/executions", GENERATE, key=key)
    assert answer.status_code == 202, answer.text
    return dict(member(answer, "job"))


def statuses(job: dict[str, Any]) -> list[str]:
    """The statuses of a job's history, each change once."""
    found = [line["status"] for line in job["history"]]
    return [new for old, new in zip([None, *found], found, strict=False) if old != new]


# Endpoints


def test_a_job_is_created_under_a_project(alice: Customer) -> None:
    project_id = alice.project()
    job = create(alice, project_id)
    assert (job["project_id"], job["operation"], job["status"]) == (
        project_id,
        "GENERATE_BLOG_POST",
        "queued",
    )


def test_jobs_are_listed(alice: Customer) -> None:
    job = create(alice, alice.project())
    assert [each["id"] for each in member(alice.get("/executions"), "jobs")] == [job["id"]]


def test_a_job_is_read_by_its_id(alice: Customer) -> None:
    job = create(alice, alice.project())
    assert member(alice.get(f"/executions/{job['id']}"), "job") == job


def test_a_job_is_canceled(alice: Customer) -> None:
    job = create(alice, alice.project())
    assert member(alice.post(f"/executions/{job['id']}/cancel"), "job")["status"] == "canceled"


def test_a_job_is_retried(alice: Customer, site: SiteServer) -> None:
    failed = failed_job(alice, site)
    answer = alice.post(f"/executions/{failed['id']}/retry", key="again")
    assert answer.status_code == 202
    assert member(answer, "job")["retry_of"] == failed["id"]


# Members and states


def test_a_new_job_has_no_failure_one_line_of_history_and_the_state_of_its_rollback(alice: Customer) -> None:
    job = create(alice, alice.project())
    assert job["failure"] is None
    assert [line["status"] for line in job["history"]] == ["queued"]
    assert job["rollback"]["state"] == "unavailable"


def test_the_failure_member_is_the_latest_normalized_failure(alice: Customer, site: SiteServer) -> None:
    job = failed_job(alice, site)
    assert job["failure"]["taxonomy_version"] == "v1"
    assert job["failure"]["code"] == job["error_code"] == "SITEMAP_UNREACHABLE"
    assert job["failure"]["category"] == "dependency"


def test_the_history_is_a_timeline_of_status_transitions_with_details(alice: Customer) -> None:
    job = alice.generated(alice.project())
    assert statuses(job) == ["queued", "running", "succeeded"]
    moments = [line["at"] for line in job["history"]]
    assert moments == sorted(moments)
    assert job["history"][1]["details"]["attempt"] == 1


def test_every_status_change_is_in_the_history_of_a_canceled_and_a_failed_job_too(
    alice: Customer, site: SiteServer
) -> None:
    canceled = create(alice, alice.project())
    canceled = member(alice.post(f"/executions/{canceled['id']}/cancel"), "job")
    assert statuses(canceled) == ["queued", "canceled"]
    assert statuses(failed_job(alice, site)) == ["queued", "running", "failed"]


def test_the_statuses_are_the_five_of_the_canonical_model(alice: Customer) -> None:
    schema = alice.client.get("/api/openapi.json").json
    assert schema is not None
    assert set(schema["components"]["schemas"]["Job"]["properties"]["status"]["enum"]) == STATUSES


def test_a_succeeded_generation_offers_its_rollback(alice: Customer) -> None:
    job = alice.generated(alice.project())
    assert job["rollback"]["state"] == "available"
    assert job["rollback"]["hook"] == f"/public-api/executions/{job['id']}/rollback"


# Rules 1 to 7


def test_rule_1_create_requires_the_header(alice: Customer) -> None:
    answer = alice.post(f"/projects/{alice.project()}/executions", GENERATE)
    assert code(answer) == (400, "MISSING_IDEMPOTENCY_KEY")
    assert member(alice.get("/executions"), "jobs") == []


def test_rule_1_retry_requires_the_header(alice: Customer, site: SiteServer) -> None:
    failed = failed_job(alice, site)
    answer = alice.post(f"/executions/{failed['id']}/retry")
    assert code(answer) == (400, "MISSING_IDEMPOTENCY_KEY")
    assert member(alice.get("/executions"), "pagination")["total"] == 1


def test_rule_2_a_reused_key_on_create_gives_the_same_job_and_no_second(alice: Customer) -> None:
    project_id = alice.project()
    first = create(alice, project_id)
    again = alice.post(f"/projects/{project_id}/executions", GENERATE, key="one")
    assert (again.status_code, member(again, "job"), member(again, "created")) == (200, first, False)
    assert member(alice.get("/executions"), "pagination")["total"] == 1


def test_rule_2_a_reused_key_on_retry_gives_the_same_job_and_no_second(
    alice: Customer, site: SiteServer
) -> None:
    failed = failed_job(alice, site)
    first = alice.post(f"/executions/{failed['id']}/retry", key="again")
    second = alice.post(f"/executions/{failed['id']}/retry", key="again")
    assert (second.status_code, member(second, "job")) == (200, member(first, "job"))
    assert member(alice.get("/executions"), "pagination")["total"] == 2


def test_rule_2_the_same_operation_is_the_same_endpoint_project_and_body(alice: Customer) -> None:
    here, there = alice.project(), alice.project("https://other.example.com/")
    job = create(alice, here)
    assert create(alice, there)["id"] != job["id"], "another project is another operation"
    changed = alice.post(
        f"/projects/{here}/executions", {"operation": "GENERATE_BLOG_POST", "payload": {}}, key="one"
    )
    assert code(changed) == (409, "IDEMPOTENCY_KEY_CONFLICT"), "another body is a conflict"
    alice.post(f"/executions/{job['id']}/cancel")
    retried = alice.post(f"/executions/{job['id']}/retry", key="one")
    assert retried.status_code == 202, "another endpoint is another operation"


@pytest.mark.parametrize("endpoint", ["create", "retry"])
def test_rule_3_the_missing_header_answers_exactly_this_failure(
    alice: Customer, site: SiteServer, endpoint: str
) -> None:
    path = (
        f"/projects/{alice.project()}/executions"
        if endpoint == "create"
        else f"/executions/{failed_job(alice, site)['id']}/retry"
    )
    answer = alice.post(path, GENERATE if endpoint == "create" else None)
    assert answer.json is not None
    failure = answer.json["failure"]
    assert answer.json["status"] == "error"
    assert answer.json["code"] == failure["code"] == "MISSING_IDEMPOTENCY_KEY"
    assert answer.json["message"] == failure["message"]
    assert failure["taxonomy_version"] == "v1"
    assert failure["category"] == "validation"
    assert failure["retryable"] is False
    assert failure["fix_required"] is True
    assert any("Idempotency-Key" in hint for hint in failure["remediation_hints"])
    assert failure["next_actions"] == ["provide_idempotency_key", "retry_request"]


def test_rule_4_a_job_that_has_not_succeeded_is_not_rolled_back(alice: Customer) -> None:
    job = create(alice, alice.project())
    assert code(alice.post(f"/executions/{job['id']}/rollback")) == (409, "ROLLBACK_NOT_ALLOWED")
    alice.post(f"/executions/{job['id']}/cancel")
    assert code(alice.post(f"/executions/{job['id']}/rollback")) == (409, "ROLLBACK_NOT_ALLOWED")


def test_rule_4_another_operation_is_not_rolled_back(alice: Customer, synced: int) -> None:
    job = sync(alice, synced, "second-sync")
    assert job["status"] == "succeeded"
    assert code(alice.post(f"/executions/{job['id']}/rollback")) == (409, "ROLLBACK_NOT_SUPPORTED")


def test_rule_5_rollback_deletes_the_draft(alice: Customer) -> None:
    project_id = alice.project()
    job = alice.generated(project_id)
    path = f"/projects/{project_id}/blog-posts/{job['result']['blog_post_id']}"
    assert member(alice.get(path), "post")["status"] == "draft"
    rolled = alice.post(f"/executions/{job['id']}/rollback")
    assert rolled.status_code == 200
    assert member(rolled, "job")["rollback"]["state"] == "completed"
    assert code(alice.get(path)) == (404, "BLOG_POST_NOT_FOUND")


def test_rule_6_a_repeated_rollback_is_a_success_and_changes_nothing(alice: Customer) -> None:
    job = alice.generated(alice.project())
    first = alice.post(f"/executions/{job['id']}/rollback")
    second = alice.post(f"/executions/{job['id']}/rollback")
    assert (second.status_code, second.json) == (200, first.json)


@pytest.mark.usefixtures("worker")
def test_rule_7_a_post_published_externally_blocks_the_rollback(blog: Blog, alice: Customer) -> None:
    job = blog.published()
    answer = alice.post(f"/executions/{job['id']}/rollback")
    assert code(answer) == (409, "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH")
    assert member(answer, "failure")["category"] == "policy"
    assert member(answer, "failure")["next_actions"] == ["manually_unpublish_external_post"]
    assert any("Blog" in hint for hint in member(answer, "failure")["remediation_hints"])
    kept = alice.get(blog.path(job["result"]["blog_post_id"]))
    assert member(kept, "post")["status"] == "published"
    assert member(alice.get(f"/executions/{job['id']}"), "job")["rollback"]["state"] == "blocked"
