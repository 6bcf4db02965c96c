"""Checking a topic before a post is generated."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from tests.api.conftest import Customer, code, member
from tests.content.conftest import CARE, FAQ, HIVES

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


def asked(customer: Customer, project_id: int, **query: str) -> TestResponse:
    return customer.client.get(
        f"/public-api/projects/{project_id}/topics/check",
        query_string=query,
        headers={"X-API-Key": customer.key or ""},
    )


def test_a_topic_of_the_pages_is_covered_and_names_them(alice: Customer, project_id: int) -> None:
    answer = asked(alice, project_id, topic="Painting a beehive")
    assert answer.status_code == 200
    found = member(answer, "topic_check")
    assert (found["coverage"], found["missing_words"]) == ("covered", [])
    assert found["summary"] == "1 page covers this."
    assert [page["url"] for page in found["pages"]] == ["https://alice.example.com/hives"]
    assert (found["similar_posts"], found["similar_pages"]) == ([], [])
    assert found["topic"] == "Painting a beehive"


@pytest.mark.parametrize("topic", ["Choosing a beehive", "Painting a hive", "Kayak rental", "Beehives"])
def test_what_a_draft_would_be_is_what_the_job_then_makes(
    alice: Customer, project_id: int, topic: str
) -> None:
    expected = member(asked(alice, project_id, topic=topic, target_words="400"), "topic_check")["expected"]
    assert (expected["engine"], expected["target_words"]) == ("extractive", 400)
    made = alice.post(f"/projects/{project_id}/blog-posts/generate", {"topic": topic, "target_words": 400})
    result = alice.ran(member(made, "job")["id"])["result"]
    assert result["draft_kind"] == expected["draft_kind"]
    if expected["draft_kind"] != "outline":
        assert abs(result["word_count"] - expected["word_count"]) <= 10
    planning = {"operation": "PLAN_BLOG_POST", "payload": {"topic": topic, "target_words": 400}}
    planned = alice.post(f"/projects/{project_id}/executions", planning, key="plan")
    plan = alice.ran(member(planned, "job")["id"])["result"]
    assert plan["not_covered"] == (expected["draft_kind"] == "outline")


def test_what_no_page_says_is_absent(alice: Customer, project_id: int) -> None:
    found = member(asked(alice, project_id, topic="Kayak rental"), "topic_check")
    assert (found["coverage"], found["coverage_share"], found["pages"]) == ("absent", 0.0, [])
    assert found["summary"] == "No page says anything about “Kayak rental”."
    assert found["missing_words"] == ["Kayak", "rental"]


def test_a_topic_in_other_words_names_the_nearest_pages_and_one_of_them_makes_the_draft(
    alice: Customer, project_id: int
) -> None:
    topic = "Insect homes away from a playground"
    found = member(asked(alice, project_id, topic=topic), "topic_check")
    assert found["expected"]["draft_kind"] == "outline"
    (nearest, *_) = found["nearest_pages"]
    assert nearest["url"] == "https://alice.example.com/hives"
    body = {"topic": topic, "page_ids": [nearest["id"]]}
    made = alice.post(f"/projects/{project_id}/blog-posts/generate", body)
    assert alice.ran(member(made, "job")["id"])["result"]["draft_kind"] == "extractive"


def test_a_topic_that_makes_a_draft_offers_no_other_pages(alice: Customer, project_id: int) -> None:
    found = member(asked(alice, project_id, topic="Painting a beehive"), "topic_check")
    assert found["nearest_pages"] == []


def test_more_than_five_chosen_pages_say_nothing_about_the_topic(alice: Customer, project_id: int) -> None:
    known = [page["id"] for page in member(alice.get(f"/projects/{project_id}/pages"), "pages")]
    for number in range(3):
        page = {"url": f"https://alice.example.com/{number}", "content": f"# Note {number}\n\nA short one."}
        made = alice.post(f"/projects/{project_id}/pages", page)
        known.append(member(made, "page")["id"])
    body = {"topic": "Kayak rental", "page_ids": known}
    made = alice.post(f"/projects/{project_id}/blog-posts/generate", body)
    assert alice.ran(member(made, "job")["id"])["result"]["draft_kind"] == "outline"


def test_a_page_about_the_same_is_named(alice: Customer, project_id: int) -> None:
    found = member(asked(alice, project_id, topic="Choosing a beehive"), "topic_check")
    (page,) = found["similar_pages"]
    assert page["url"] == "https://alice.example.com/hives"
    assert set(page) == {"id", "url", "title"}


def test_a_post_about_the_same_is_named_by_topic_and_by_keyword(alice: Customer, project_id: int) -> None:
    body = {"topic": "Painting a hive", "keywords": ["hive paint"]}
    made = alice.post(f"/projects/{project_id}/blog-posts/generate", body)
    post_id = alice.ran(member(made, "job")["id"])["result"]["blog_post_id"]
    for query in ({"topic": "How to paint hives"}, {"topic": "Colours that last", "keyword": "Hive paint"}):
        found = member(asked(alice, project_id, **query), "topic_check")
        assert [post["id"] for post in found["similar_posts"]] == [post_id]
        assert found["similar_posts"][0]["primary_keyword"] == "hive paint"


def test_no_job_is_made(alice: Customer, project_id: int) -> None:
    asked(alice, project_id, topic="Beehives")
    assert member(alice.get("/executions"), "jobs") == []


def test_another_customers_project_is_not_found(alice: Customer, bob: Customer, project_id: int) -> None:
    assert code(asked(bob, project_id, topic="Beehives")) == (404, "PROJECT_NOT_FOUND")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "/topic"),
        ({"topic": "ab"}, "/topic"),
        ({"topic": "x" * 201}, "/topic"),
        ({"topic": "+++"}, "/topic"),
        ({"topic": "Beehives", "keyword": "x" * 81}, "/keyword"),
        ({"topic": "Beehives", "colour": "red"}, "/colour"),
        ({"topic": "Beehives", "target_words": "99"}, "/target_words"),
        ({"topic": "Beehives", "engine": "typewriter"}, "/engine"),
    ],
)
def test_a_wrong_topic_is_rejected_by_its_field(
    alice: Customer, project_id: int, query: dict[str, str], field: str
) -> None:
    refused = asked(alice, project_id, **query)
    assert code(refused) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(refused, "errors")] == [field]


def test_a_project_without_pages_answers_absent(alice: Customer) -> None:
    found = member(asked(alice, alice.project(), topic="Beehives"), "topic_check")
    assert (found["coverage"], found["pages"]) == ("absent", [])
