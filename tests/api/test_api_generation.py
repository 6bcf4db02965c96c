"""The input of a generation over HTTP: the same for both endpoints, checked before there is a job."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from flask import Flask

from app.content.model import BlogPost
from app.content.posts import service
from app.content.posts.checking import quality_of
from app.infra.db import db
from app.language.sentences import sentences
from app.language.words import fold
from app.pages.service import add_page
from app.projects.model import Project
from tests.api.conftest import Customer, code, member

WORDS = (
    "# Espresso grinders\n\n"
    "An espresso grinder turns roasted beans into an even powder, and its burrs decide how even that is.\n\n"
    "## Choosing an espresso grinder\n\n"
    "Look at the burrs first, because a large flat espresso grinder stays cool and is easy to set.\n\n"
    "## Cleaning an espresso grinder\n\n"
    "Brush the burrs of an espresso grinder every week and take them out for a wash twice a year.\n\n"
    "## Setting an espresso grinder\n\n"
    "Turn the collar of the espresso grinder by one mark and draw two shots before you turn it again.\n"
)
EVERYTHING: dict[str, Any] = {
    "topic": "Espresso grinder", "title": "Espresso Grinders: What Matters", "keywords": ["espresso grinder"],
    "post_type": "guide", "audience": "beginners", "tone": "friendly", "language": "en", "target_words": 400,
    "instructions": "Be short.", "key_points": ["We test 40 grinders a year."], "avoid": ["cool"],
    "call_to_action": {"text": "See all grinders", "url": "https://alice.example.com/grinders"},
    "outline": [
        {"heading": "How to keep it clean", "key_points": ["brush the burrs"]}, {"heading": "Setting it"},
    ],
    "include": {"faq": False, "table_of_contents": True, "key_takeaways": True, "json_ld": True},
    "internal_links": {"min": 1, "max": 9}, "minimum_kind": "extractive", "slug": "grinders-2026",
}  # fmt: skip


@pytest.fixture
def shop(app: Flask, alice: Customer) -> int:
    """Alice's project with a page on espresso grinders."""
    project_id = alice.project()
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        add_page(project, {"url": f"{project.url}grinders", "title": "Espresso grinders", "content": WORDS})
    return project_id


def generated(alice: Customer, project_id: int, body: dict[str, Any]) -> dict[str, Any]:
    """The post of a generation that is run at once."""
    job = member(alice.post(f"/projects/{project_id}/blog-posts/generate", body), "job")
    done = alice.ran(job["id"])
    assert done["status"] == "succeeded", done["failure"]
    path = f"/projects/{project_id}/blog-posts/{done['result']['blog_post_id']}"
    post: dict[str, Any] = member(alice.get(path), "post")
    return post


def test_a_project_decides_whether_posts_list_their_sources_and_a_request_may_differ(
    alice: Customer, shop: int
) -> None:
    asked = {"topic": "espresso grinder", "engine": "extractive"}
    assert "Sources</h2>" not in generated(alice, shop, asked)["content_html"]
    changed = member(alice.patch(f"/projects/{shop}", {"list_sources": True}), "project")
    assert changed["list_sources"] is True
    assert "Sources</h2>" in generated(alice, shop, asked)["content_html"]
    differing = {**asked, "include": {"sources": False}}
    assert "Sources</h2>" not in generated(alice, shop, differing)["content_html"]
    assert code(alice.patch(f"/projects/{shop}", {"list_sources": "yes, please"}))[0] == 422


def test_every_option_is_applied_or_named_in_a_warning(alice: Customer, shop: int) -> None:
    post = generated(alice, shop, EVERYTHING)
    assert (post["title"], post["slug"]) == (EVERYTHING["title"], "grinders-2026")
    assert (post["draft_kind"], post["engine"], post["primary_keyword"]) == (
        "extractive", "extractive", "espresso grinder",
    )  # fmt: skip
    text = post["content"]
    for part in (
        "## In this post",
        "## Key points\n\n- We test 40 grinders a year.",
        "## How to keep it clean",
    ):
        assert part in text
    assert text.endswith("[See all grinders](https://alice.example.com/grinders)\n")
    assert "cool" not in text
    assert post["warnings"][-1].startswith("OPTION_NOT_APPLIED: tone, audience, instructions, post_type.")
    assert any("instructions" in note for note in post["editor_notes"])
    assert [data["@type"] for data in post["json_ld"]] == ["BlogPosting"]
    assert "datePublished" not in post["json_ld"][0]
    blocking = {
        each["code"]
        for each in post["quality"]["checks"]
        if not each["passed"] and each["severity"] == "block"
    }
    assert blocking <= {"CONTENT_TOO_SHORT"}
    assert post["reading_minutes"] == 1


def test_every_sentence_of_a_post_has_its_origin(alice: Customer, shop: int) -> None:
    post = generated(alice, shop, EVERYTHING)
    traced = {fold(each["sentence"]): each for each in post["trace"]}
    shown = BeautifulSoup(post["content_html"], "lxml").find_all(["p", "li", "h2", "h3"])
    whole = " ".join(traced)
    assert all(sentence in whole for each in shown for sentence in sentences(fold(each.get_text())))
    (source,) = post["sources"]
    page = {"page_id": source["page_id"], "url": "https://alice.example.com/grinders"}
    quoted = traced[
        "Brush the burrs of an espresso grinder every week and take them out for a wash twice a year."
    ]
    assert (quoted["origin"], quoted["sources"]) == ("source", [page])
    for given in ("We test 40 grinders a year.", "See all grinders"):
        assert (traced[given]["origin"], traced[given]["sources"]) == ("input", [])
    assert traced["In this post"]["origin"] == "template"


def test_a_check_names_its_places_and_the_report_what_was_measured(
    app: Flask, alice: Customer, shop: int
) -> None:
    post = generated(alice, shop, EVERYTHING)
    with app.app_context():
        row = db.session.get_one(BlogPost, post["id"])
        service.edit_post(row, row.version, {"content": f"{row.content}\n\nIn 1987 it cost 4711 francs."})
    edited = member(alice.get(f"/projects/{shop}/blog-posts/{post['id']}"), "post")
    assert post["edited_at"] is None
    assert post["created_at"] < edited["edited_at"] <= edited["updated_at"]
    quality = edited["quality"]
    places = {check["code"]: check["where"] for check in quality["checks"]}
    assert places["UNSUPPORTED_CLAIM"] == ["1987", "4711"]
    assert places["TITLE_MISSING"] == []
    assert quality["metrics"]["words"] > 60
    assert 0 < quality["metrics"]["verbatim_share"] <= 1


def test_an_edited_post_is_checked_by_the_input_of_its_job(app: Flask, alice: Customer, shop: int) -> None:
    post = generated(alice, shop, EVERYTHING)
    with app.app_context():
        row = db.session.get_one(BlogPost, post["id"])
        service.edit_post(row, row.version, {"content": f"{row.content}\n\nIt stays cool."})
        failed = {check.code for check in quality_of(row).checks if not check.passed}
    assert "BANNED_PHRASES" in failed
    assert not {"UNKNOWN_LINK", "BROKEN_INTERNAL_LINK", "UNSUPPORTED_CLAIM"} & failed


def test_both_endpoints_take_the_same_input(alice: Customer, shop: int) -> None:
    direct = member(alice.post(f"/projects/{shop}/blog-posts/generate", EVERYTHING), "job")
    body = {"operation": "GENERATE_BLOG_POST", "payload": EVERYTHING}
    job = member(alice.post(f"/projects/{shop}/executions", body, key="k"), "job")
    assert job["payload"] == direct["payload"] == EVERYTHING


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"topic": "🐝🐝🐝"}, "/topic"),
        ({"title": "???"}, "/title"),
        ({"keywords": ["a" * 81]}, "/keywords/0"),
        ({"keywords": ["c++", "++"]}, "/keywords/1"),
        ({"keyword_ids": [0]}, "/keyword_ids/0"),
        ({"page_ids": ["1"]}, "/page_ids/0"),
        ({"required_page_ids": [1, 2, 3, 4, 5, 6]}, "/required_page_ids"),
        ({"required_page_ids": [987654]}, "/required_page_ids"),
        ({"post_type": "novel"}, "/post_type"),
        ({"audience": "a" * 201}, "/audience"),
        ({"tone": "angry"}, "/tone"),
        ({"language": "English!"}, "/language"),
        ({"length": "tiny"}, "/length"),
        ({"length": "short", "target_words": 500}, "/target_words"),
        ({"target_words": 199}, "/target_words"),
        ({"instructions": "a" * 2001}, "/instructions"),
        ({"key_points": ["a"] * 16}, "/key_points"),
        ({"key_points": ["ok", " "]}, "/key_points/1"),
        ({"avoid": ["a"] * 31}, "/avoid"),
        ({"call_to_action": {"text": "Go"}}, "/call_to_action/url"),
        ({"call_to_action": {"text": "Go", "url": "javascript:alert(1)"}}, "/call_to_action/url"),
        ({"call_to_action": {"text": "a" * 121, "url": "https://x.example/"}}, "/call_to_action/text"),
        ({"outline": [{"heading": "One"}, {"key_points": []}]}, "/outline/1/heading"),
        ({"outline": [{"heading": "One", "level": 2}]}, "/outline/0/level"),
        ({"include": {"faq": "yes"}}, "/include/faq"),
        ({"include": {"images": True}}, "/include/images"),
        ({"internal_links": {"min": 3, "max": 2}}, "/internal_links/min"),
        ({"internal_links": {"max": 16}}, "/internal_links/max"),
        ({"minimum_kind": "perfect"}, "/minimum_kind"),
        ({"slug": "No Spaces"}, "/slug"),
        ({"slug": "line\n"}, "/slug"),
        ({"colour": "red"}, "/colour"),
    ],
)
def test_each_wrong_member_is_named_and_makes_no_job(
    alice: Customer, shop: int, body: Any, field: str
) -> None:
    answer = alice.post(f"/projects/{shop}/blog-posts/generate", body)
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(answer, "errors")] == [field]
    assert member(alice.get(f"/executions?project_id={shop}"), "jobs") == []


def test_pages_of_another_customer_are_rejected_like_absent_ones(
    alice: Customer, bob: Customer, shop: int
) -> None:
    page_id = member(alice.get(f"/projects/{shop}/pages"), "pages")[0]["id"]
    project_id = bob.project()
    for field in ("page_ids", "required_page_ids"):
        answer = bob.post(f"/projects/{project_id}/blog-posts/generate", {field: [page_id]})
        assert code(answer) == (422, "INVALID_REQUEST")
        assert [error["field"] for error in member(answer, "errors")] == [f"/{field}"]


def test_a_slug_that_a_post_has_is_rejected_and_its_replay_is_not(alice: Customer, shop: int) -> None:
    path = f"/projects/{shop}/blog-posts/generate"
    first = alice.post(path, {"topic": "Espresso grinder", "slug": "mine"}, key="k")
    alice.ran(member(first, "job")["id"])
    answer = alice.post(path, {"topic": "Espresso grinder", "slug": "mine"})
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(answer, "errors")] == ["/slug"]
    again = alice.post(path, {"topic": "Espresso grinder", "slug": "mine"}, key="k")
    assert again.status_code == 200


def test_a_slug_that_is_taken_meanwhile_gets_a_number_and_a_warning(alice: Customer, shop: int) -> None:
    path = f"/projects/{shop}/blog-posts/generate"
    jobs = [member(alice.post(path, {"slug": "mine"}), "job")["id"] for _ in range(2)]
    results = [alice.ran(job_id)["result"] for job_id in jobs]
    assert [result["slug"] for result in results] == ["mine", "mine-2"]
    assert any("was taken in the meantime" in warning for warning in results[1]["warnings"])


def test_less_than_the_minimum_fails_the_job_and_makes_no_post(alice: Customer, shop: int) -> None:
    body = {"topic": "Quantum computing", "minimum_kind": "extractive"}
    job = alice.ran(member(alice.post(f"/projects/{shop}/blog-posts/generate", body), "job")["id"])
    assert (job["status"], job["error_code"]) == ("failed", "INSUFFICIENT_SOURCE_MATERIAL")
    assert (job["failure"]["category"], job["failure"]["fix_required"]) == ("validation", True)
    assert job["failure"]["details"]["topic"] == "Quantum computing"
    assert member(alice.get(f"/projects/{shop}/blog-posts"), "posts") == []


def test_what_is_left_out_comes_from_the_project(app: Flask, alice: Customer, shop: int) -> None:
    alice.patch(f"/projects/{shop}", {"tone": "formal", "language": "de", "target_audience_summary": "Cafés"})
    post = generated(alice, shop, {"topic": "Espresso grinder"})
    assert post["language"] == "de"
    assert any(warning.startswith("OPTION_NOT_APPLIED: tone.") for warning in post["warnings"])
    asked = generated(alice, shop, {"topic": "Espresso grinder", "language": "fr", "tone": "casual"})
    assert asked["language"] == "fr"
    assert any(warning.startswith("OPTION_NOT_APPLIED: tone.") for warning in asked["warnings"])


def test_every_member_of_the_input_is_documented(app: Flask) -> None:
    schema = app.test_client().get("/api/openapi.json").json or {}
    shown = schema["components"]["schemas"]["GenerateBlogPostInput"]["properties"]
    assert set(EVERYTHING) | {"length", "keyword_ids", "page_ids", "required_page_ids"} <= set(shown)
    assert [name for name, member in shown.items() if not member.get("description")] == []
