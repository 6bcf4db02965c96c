"""The contract's resources and its failure envelope, one test for each statement, over HTTP."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from app.failures import CATALOGUE, FailureKind
from app.infra.clock import utc_now
from tests.api.conftest import Customer, code, member
from tests.contract.conftest import EXTERNAL, OVERRIDE, Blog, list_in_sitemap, sync
from tests.support.servers import Reply, SiteServer

CATEGORIES = {"validation", "policy", "dependency", "timeout", "quota", "unknown"}
FAILURE = {
    "taxonomy_version": str, "category": str, "code": str, "message": str, "retryable": bool,
    "fix_required": bool, "remediation_hints": list, "next_actions": list,
}  # fmt: skip


# Projects


def test_projects_are_created_listed_and_read(alice: Customer) -> None:
    project_id = alice.project()
    assert [each["id"] for each in member(alice.get("/projects"), "projects")] == [project_id]
    assert member(alice.get(f"/projects/{project_id}"), "project")["id"] == project_id


def test_a_project_is_updated(alice: Customer) -> None:
    project_id = alice.project()
    assert alice.patch(f"/projects/{project_id}", {"summary": "A garden."}).status_code == 200
    assert member(alice.get(f"/projects/{project_id}"), "project")["summary"] == "A garden."


def test_a_sitemap_url_is_optional(alice: Customer) -> None:
    project_id = alice.project()
    assert member(alice.get(f"/projects/{project_id}"), "project")["sitemap_url"] is None


def test_a_valid_sitemap_url_brings_periodic_refreshes(alice: Customer, synced: int) -> None:
    sitemap = member(alice.get(f"/projects/{synced}"), "project")["sitemap"]
    assert sitemap["status"] == "ok"
    assert sitemap["next_sync_at"] > utc_now().strftime("%Y-%m-%dT%H:%M:%S")


def test_only_projects_of_the_caller_are_reachable(alice: Customer, bob: Customer) -> None:
    project_id = alice.project()
    assert code(bob.get(f"/projects/{project_id}")) == (404, "PROJECT_NOT_FOUND")
    assert code(bob.patch(f"/projects/{project_id}", {"name": "Mine"})) == (404, "PROJECT_NOT_FOUND")
    assert member(bob.get("/projects"), "projects") == []


def test_posts_pages_and_keywords_belong_to_one_project(alice: Customer) -> None:
    here, there = alice.project(), alice.project("https://other.example.com/")
    added = {"url": "https://alice.example.com/roses", "content": "# Roses"}
    ids = {
        "blog-posts": alice.generated(here)["result"]["blog_post_id"],
        "pages": member(alice.post(f"/projects/{here}/pages", added), "page")["id"],
        "keywords": member(alice.post(f"/projects/{here}/keywords", {"keyword_text": "roses"}), "keyword")[
            "id"
        ],
    }
    for noun, number in ids.items():
        assert alice.get(f"/projects/{here}/{noun}/{number}").status_code == 200
        assert alice.get(f"/projects/{there}/{noun}/{number}").status_code == 404


# Project pages


def test_pages_are_added_listed_and_read(alice: Customer) -> None:
    project_id = alice.project()
    path = f"/projects/{project_id}/pages"
    added = alice.post(path, {"url": "https://alice.example.com/roses", "content": "# Roses\n\nThey grow."})
    assert added.status_code == 201
    page = member(added, "page")
    assert [each["id"] for each in member(alice.get(path), "pages")] == [page["id"]]
    assert member(alice.get(f"{path}/{page['id']}"), "page")["url"] == "https://alice.example.com/roses"


def test_a_page_that_left_the_sitemap_is_stale_and_not_deleted(
    alice: Customer, site: SiteServer, synced: int
) -> None:
    before = {page["url"]: page for page in member(alice.get(f"/projects/{synced}/pages"), "pages")}
    list_in_sitemap(site, "/a")
    sync(alice, synced, "second-sync")
    after = {page["url"]: page for page in member(alice.get(f"/projects/{synced}/pages"), "pages")}
    assert after.keys() == before.keys()
    gone, kept = after[f"{site.url}/b"], after[f"{site.url}/a"]
    assert (gone["id"], gone["is_stale"], kept["is_stale"]) == (before[gone["url"]]["id"], True, False)


def test_a_page_that_comes_back_is_not_inserted_again(alice: Customer, site: SiteServer, synced: int) -> None:
    before = {page["url"]: page["id"] for page in member(alice.get(f"/projects/{synced}/pages"), "pages")}
    for number, paths in enumerate((("/a",), ("/a", "/b"))):
        list_in_sitemap(site, *paths)
        sync(alice, synced, f"sync-{number}")
    pages = member(alice.get(f"/projects/{synced}/pages"), "pages")
    assert {page["url"]: page["id"] for page in pages} == before
    assert not any(page["is_stale"] for page in pages)


def test_sync_now_queues_a_sync_of_the_signed_in_user(signed_in: FlaskClient, synced: int) -> None:
    answer = signed_in.post(f"/api/project/{synced}/sitemap/sync-now/")
    assert answer.status_code == 202, answer.text
    job = member(answer, "job")
    assert (job["operation"], job["status"], job["project_id"]) == ("SYNC_SITEMAP", "queued", synced)


def test_sync_now_takes_a_session_and_no_api_key(alice: Customer, charlie: Customer, synced: int) -> None:
    path = f"/api/project/{synced}/sitemap/sync-now/"
    assert code(alice.client.post(path, headers={"X-API-Key": alice.key or ""})) == (401, "UNAUTHENTICATED")
    assert code(charlie.client.post(path)) == (401, "UNAUTHENTICATED")


# Keywords


def test_keywords_are_added_listed_and_read(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/keywords"
    added = alice.post(path, {"keyword_text": "garden notes"})
    assert added.status_code == 201
    keyword = member(added, "keyword")
    assert member(alice.get(path), "keywords") == [keyword]
    assert member(alice.get(f"{path}/{keyword['id']}"), "keyword") == keyword


# Blog posts


@pytest.mark.usefixtures("worker")
def test_a_post_is_generated_and_is_a_draft(alice: Customer) -> None:
    path = f"/projects/{alice.project()}/blog-posts"
    answer = alice.post(f"{path}/generate", {"topic": "Garden notes"}, headers={"Prefer": "wait=20"})
    assert answer.status_code == 201, answer.text
    assert member(answer, "post")["status"] == "draft"


def test_posts_are_listed_and_read(alice: Customer) -> None:
    project_id = alice.project()
    post_id = alice.generated(project_id)["result"]["blog_post_id"]
    path = f"/projects/{project_id}/blog-posts"
    assert [each["id"] for each in member(alice.get(path), "posts")] == [post_id]
    assert member(alice.get(f"{path}/{post_id}"), "post")["project_id"] == project_id


@pytest.mark.usefixtures("worker")
def test_a_post_is_published_externally(blog: Blog, alice: Customer) -> None:
    job = blog.published()
    post = member(alice.get(blog.path(job["result"]["blog_post_id"])), "post")
    assert (post["status"], post["published_url"]) == ("published", EXTERNAL)


def test_a_rejected_publish_returns_the_failure_envelope(blog: Blog, alice: Customer) -> None:
    post_id = alice.generated(blog.project_id)["result"]["blog_post_id"]
    answer = alice.post(f"{blog.path(post_id)}/publish", {"target": "Nowhere"})
    assert code(answer) == (409, "PUBLISH_TARGET_MISSING")


@pytest.mark.usefixtures("worker")
def test_a_failed_publish_answers_the_failure_envelope_and_leaves_a_draft(
    blog: Blog, alice: Customer, site: SiteServer
) -> None:
    post_id = alice.generated(blog.project_id)["result"]["blog_post_id"]
    site.routes["/hook"] = Reply(422, {}, b"no")
    answer = alice.post(f"{blog.path(post_id)}/publish", OVERRIDE)
    assert code(answer) == (502, "PUBLISH_REJECTED")
    assert member(answer, "failure")["category"] == "dependency"
    assert member(alice.get(blog.path(post_id)), "post")["status"] == "draft"


# Failures


def test_the_failure_object_has_its_fields_with_their_types(alice: Customer) -> None:
    failure = member(alice.get("/projects/1"), "failure")
    assert {name: type(failure[name]) for name in FAILURE} == FAILURE
    assert failure["taxonomy_version"] == "v1"
    texts = [*failure["remediation_hints"], *failure["next_actions"]]
    assert all(isinstance(text, str) for text in texts)


def test_the_envelope_equals_its_failure(alice: Customer) -> None:
    answer = alice.get("/projects/1").json
    assert answer is not None
    assert answer["status"] == "error"
    assert answer["code"] == answer["failure"]["code"]
    assert answer["message"] == answer["failure"]["message"]


@pytest.mark.parametrize("kind", CATALOGUE.values(), ids=lambda kind: kind.code)
def test_every_failure_has_one_of_the_categories(kind: FailureKind) -> None:
    assert kind.category in CATEGORIES


def test_a_quota_failure_is_of_the_category_quota() -> None:
    assert CATALOGUE["QUOTA_EXCEEDED"].category == CATALOGUE["LIMIT_REACHED"].category == "quota"
