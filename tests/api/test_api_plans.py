"""Plans over HTTP, on both databases: made, changed, written."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Customer, code, member
from tests.content.conftest import CARE, FAQ, HIVES
from tests.support.beehives import TOPIC, markdown

PLAN = "PLAN_BLOG_POST"


@pytest.fixture
def project_id(alice: Customer) -> int:
    """Alice's project with pages on bees."""
    project_id = alice.project()
    for name, parts in (("hives", HIVES), ("care", CARE), ("faq", FAQ)):
        page = {"url": f"https://alice.example.com/{name}", "content": markdown(parts)}
        assert alice.post(f"/projects/{project_id}/pages", page).status_code == 201
    return project_id


def planned(alice: Customer, project_id: int, **payload: Any) -> dict[str, Any]:
    body = {"operation": PLAN, "payload": {"topic": TOPIC, **payload}}
    answer = alice.post(f"/projects/{project_id}/executions", body, key=uuid4().hex)
    assert answer.status_code == 202, answer.text
    return alice.ran(member(answer, "job")["id"])


def generate(alice: Customer, project_id: int, **body: Any) -> Any:
    return alice.post(f"/projects/{project_id}/blog-posts/generate", body)


def test_a_plan_is_a_jobs_result_that_a_generation_takes(alice: Customer, project_id: int) -> None:
    job = planned(alice, project_id)
    assert (job["status"], job["rollback"]["supported"]) == ("succeeded", False)
    result = job["result"]
    assert set(result) == {
        "topic", "plan", "evidence", "not_covered", "missing", "engine", "model", "usage", "seconds",
        "warnings",
    }  # fmt: skip
    assert set(result["evidence"][0]) == {"id", "text", "title", "page_id", "url"}
    first, second, *_ = result["plan"]["sections"]
    outline = {**result["plan"], "title": "In our order", "sections": [second, first]}
    made = alice.ran(member(generate(alice, project_id, topic=TOPIC, outline=outline), "job")["id"])
    assert (made["status"], made["result"]["title"]) == ("succeeded", "In our order")
    path = f"/projects/{project_id}/blog-posts/{made['result']['blog_post_id']}"
    content = member(alice.get(path), "post")["content"]
    assert content.index(f"## {second['heading']}") < content.index(f"## {first['heading']}")


def test_the_same_key_plans_once_and_with_another_input_not_at_all(alice: Customer, project_id: int) -> None:
    address = f"/projects/{project_id}/executions"
    body = {"operation": PLAN, "payload": {"topic": TOPIC}}
    first = alice.post(address, body, key="plan")
    again = alice.post(address, body, key="plan")
    assert (first.status_code, again.status_code) == (202, 200)
    assert member(first, "job")["id"] == member(again, "job")["id"]
    other = alice.post(address, {"operation": "GENERATE_BLOG_POST", "payload": {"topic": TOPIC}}, key="plan")
    assert code(other) == (409, "IDEMPOTENCY_KEY_CONFLICT")


@pytest.mark.parametrize(
    ("outline", "field"),
    [
        ({"sections": [{"heading": "A", "evidence_ids": ["x"]}]}, "/outline/sections/0/evidence_ids/0"),
        ({"sections": [{"heading": "A"}], "mood": 1}, "/outline/mood"),
        ({"questions": [{"question": ""}]}, "/outline/questions/0/question"),
        ({"closing": {"colour": "red"}}, "/outline/closing/colour"),
        ([{"heading": "A", "words": 100}], "/outline/0/words"),
        ("A", "/outline"),
    ],
)
def test_a_wrong_member_of_a_plan_is_rejected_by_its_pointer(
    alice: Customer, project_id: int, outline: Any, field: str
) -> None:
    refused = generate(alice, project_id, outline=outline)
    assert code(refused) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(refused, "errors")] == [field]
    body = {"operation": PLAN, "payload": {"outline": outline}}
    refused = alice.post(f"/projects/{project_id}/executions", body, key="k")
    assert [error["field"] for error in member(refused, "errors")] == [f"/payload{field}"]


def test_pages_of_another_customer_are_rejected_as_pages_that_do_not_exist(
    alice: Customer, bob: Customer, project_id: int
) -> None:
    theirs = bob.project("https://bob.example.com/")
    page = bob.post(f"/projects/{theirs}/pages", {"url": "https://bob.example.com/a", "content": "Words."})
    foreign = member(page, "page")["id"]
    messages = []
    for page_id in (foreign, foreign + 1000):
        refused = generate(alice, project_id, outline={"links": [{"page_id": page_id}]})
        assert code(refused) == (422, "INVALID_REQUEST")
        (error,) = member(refused, "errors")
        assert error["field"] == "/outline/links/0/page_id"
        messages.append(error["message"].replace(str(page_id), "N"))
    assert messages[0] == messages[1]


def test_bob_reads_nothing_of_alices_plan(alice: Customer, bob: Customer, project_id: int) -> None:
    job = planned(alice, project_id)
    assert code(bob.get(f"/executions/{job['id']}")) == (404, "JOB_NOT_FOUND")


@pytest.mark.parametrize("member_of_a_post", ["slug", "minimum_kind"])
def test_what_concerns_the_written_post_alone_is_no_member_of_a_plan(
    alice: Customer, project_id: int, member_of_a_post: str
) -> None:
    body = {"operation": PLAN, "payload": {member_of_a_post: "full"}}
    refused = alice.post(f"/projects/{project_id}/executions", body, key="k")
    assert [error["field"] for error in member(refused, "errors")] == [f"/payload/{member_of_a_post}"]


def test_a_topic_that_the_pages_do_not_cover_is_reported(alice: Customer, project_id: int) -> None:
    result = planned(alice, project_id, topic="Submarine engines")["result"]
    assert (result["plan"], result["not_covered"], result["missing"]) == (
        None,
        True,
        ["Submarine", "engines"],
    )
