"""The machine-readable schema, the interactive reference, and the pages about failures."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from jsonschema.validators import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server
from werkzeug.test import TestResponse

from app.config import Settings
from app.factory import create_app
from app.failures import CATALOGUE
from devtools import failures_doc
from tests.api.conftest import Customer, member

TAGS = {
    "Blog Posts": {"generateBlogPost", "listBlogPosts", "getBlogPost", "publishBlogPost",
                   "unpublishBlogPost", "scheduleBlogPost", "useProposal",
                   "dismissProposal", "exportBlogPost", "getCover", "uploadCover", "describeCover",
                   "deleteCover", "listBlogPostVersions", "getBlogPostVersion"},
    "Projects": {"listProjects", "createProject", "getProject", "updateProject"},
    "Project Pages": {"listProjectPages", "addProjectPage", "getProjectPage"},
    "Keywords": {"listKeywords", "addKeyword", "getKeyword"},
    "Execution Jobs": {"createExecution", "listExecutions", "getExecution", "cancelExecution",
                       "retryExecution", "rollbackExecution"},
    "Sitemap": {"listSitemapFiles"},
    "Topics": {"checkTopic"},
    "Publish Targets": {"listPublishTargetKinds", "listPublishTargets", "createPublishTarget",
                        "getPublishTarget", "updatePublishTarget", "deletePublishTarget",
                        "testPublishTarget", "rotatePublishTargetSecret", "listPublishTargetCalls"},
    "Account": {"getAccount"},
    "Schedule": {"listSchedule", "getScheduledPublication", "moveScheduledPublication",
                 "cancelScheduledPublication", "scheduleBlogPosts"},
    "Autopilot": {"getAutopilot", "setAutopilot"},
    "Images": {"listImages", "addImage", "getImage", "getImageFile", "describeImage", "deleteImage"},
    "Search Performance": {"listSearchImports", "importSearchFile", "getSearchImport", "deleteSearchImport",
                           "listSearchQueries", "listSearchPages", "listSearchOpportunities",
                           "getSearchConnection"},
}  # fmt: skip

NEED_A_POST = (
    "publishBlogPost",
    "unpublishBlogPost",
    "scheduleBlogPost",
    "moveScheduledPublication",
)


@pytest.fixture
def database_kind() -> str:
    """The reference is the same on both databases."""
    return "sqlite"


@pytest.fixture
def schema(app: Flask) -> dict[str, Any]:
    return dict(app.test_client().get("/api/openapi.json").json or {})


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in schema["paths"].items():
        for method in ("get", "post", "put", "patch", "delete"):
            if method in item:
                yield path, method, item[method]


def test_the_schema_is_valid_openapi_3_1(schema: dict[str, Any]) -> None:
    assert schema["openapi"] == "3.1.0"
    assert [str(error) for error in OpenAPIV31SpecValidator(schema).iter_errors()] == []


def test_a_schema_that_did_not_change_is_not_sent_again(app: Flask) -> None:
    first = app.test_client().get("/api/openapi.json")
    again = app.test_client().get("/api/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_operations_and_tags_are_those_of_the_contract(schema: dict[str, Any]) -> None:
    assert [tag["name"] for tag in schema["tags"]] == list(TAGS)
    found: dict[str, set[str]] = {}
    for _, _, operation in operations(schema):
        assert operation["summary"]
        for tag in operation["tags"]:
            found.setdefault(tag, set()).add(operation["operationId"])
    assert found == TAGS


def test_every_address_of_the_public_api_is_documented(app: Flask, schema: dict[str, Any]) -> None:
    documented = {(method, path) for path, method, _ in operations(schema)}
    served = {
        (method.lower(), rule.rule.replace("<id:", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/public-api/") and not rule.rule.endswith(("/docs", "/openapi.json"))
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert documented == served


def test_every_operation_documents_its_errors(schema: dict[str, Any]) -> None:
    for path, method, operation in operations(schema):
        wanted = {"401", "403", "422", "429", "500", "503"}
        wanted |= {"404"} if "{" in path else set()
        wanted |= {"400", "413", "415"} if method != "get" else set()
        assert wanted <= set(operation["responses"]), operation["operationId"]
        assert ("304" in operation["responses"]) is (method == "get")
        for status, response in operation["responses"].items():
            if status == "304":
                continue
            if int(status) < 400:
                assert set(response["content"]) <= {"application/json", "image/*", "*/*"}
                continue
            content = response["content"]["application/json"]
            assert content["schema"] == {"$ref": "#/components/schemas/Envelope"}
            for code in content["examples"]:
                assert (CATALOGUE[code].http or 502) == int(status)


def test_a_payload_is_documented_as_needed_where_it_is(schema: dict[str, Any]) -> None:
    create = next(op for _, _, op in operations(schema) if op["operationId"] == "createExecution")
    bodies = create["requestBody"]["content"]["application/json"]["schema"]["oneOf"]
    assert {body["title"]: "payload" in body["required"] for body in bodies} == {
        "GENERATE_BLOG_POST": False, "SYNC_SITEMAP": False, "PUBLISH_BLOG_POST": True,
        "UNPUBLISH_BLOG_POST": True,
        "REFRESH_BLOG_POST": True, "REWRITE_BLOG_POST": True,
        "SUGGEST_TITLES": False, "PLAN_BLOG_POST": False, "IMPORT_SEARCH_PERFORMANCE": False,
    }  # fmt: skip


def test_examples_work_as_written(alice: Customer, schema: dict[str, Any]) -> None:
    ids = {"project_id": 0, "target_id": 0}
    for path, method, operation in sorted(
        operations(schema), key=lambda o: o[2]["operationId"] != "createProject"
    ):
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        if "example" not in body or operation["operationId"] in NEED_A_POST:
            continue
        address = path.removeprefix("/public-api").format(**ids)
        answer = alice.send(method.upper(), address, json=body["example"], key=operation["operationId"])
        assert answer.status_code in (200, 201, 202), (operation["operationId"], answer.text)
        if operation["operationId"] == "createProject":
            ids["project_id"] = member(answer, "project")["id"]
        if operation["operationId"] == "createPublishTarget":
            ids["target_id"] = member(answer, "target")["id"]


def test_answers_are_as_the_schema_says(alice: Customer, schema: dict[str, Any]) -> None:
    project_id = alice.project()
    base = f"/projects/{project_id}"
    job = alice.generated(project_id)
    post_id = job["result"]["blog_post_id"]
    page = alice.post(f"{base}/pages", {"url": "https://alice.example.com/a", "content": "Words."})
    keyword = alice.post(f"{base}/keywords", {"keyword_text": "grinder"})
    conforms(schema, "addProjectPage", page)
    conforms(schema, "addKeyword", keyword)
    conforms(schema, "getAccount", alice.get("/account"))
    conforms(schema, "listProjects", alice.get("/projects"))
    conforms(schema, "getProject", alice.get(base))
    conforms(schema, "updateProject", alice.patch(base, {"tone": "formal"}))
    conforms(schema, "checkTopic", alice.get(f"{base}/topics/check?topic=Words"))
    conforms(schema, "listProjectPages", alice.get(f"{base}/pages"))
    conforms(schema, "getProjectPage", alice.get(f"{base}/pages/{member(page, 'page')['id']}"))
    conforms(schema, "listKeywords", alice.get(f"{base}/keywords"))
    conforms(schema, "getKeyword", alice.get(f"{base}/keywords/{member(keyword, 'keyword')['id']}"))
    conforms(schema, "listBlogPosts", alice.get(f"{base}/blog-posts"))
    conforms(schema, "getBlogPost", alice.get(f"{base}/blog-posts/{post_id}"))
    versions = alice.get(f"{base}/blog-posts/{post_id}/versions")
    conforms(schema, "listBlogPostVersions", versions)
    newest = versions.json["versions"][0]["id"]
    conforms(schema, "getBlogPostVersion", alice.get(f"{base}/blog-posts/{post_id}/versions/{newest}"))
    conforms(schema, "describeCover", alice.patch(f"{base}/blog-posts/{post_id}/cover", {"alt": "A bike"}))
    conforms(schema, "deleteCover", alice.send("DELETE", f"{base}/blog-posts/{post_id}/cover"))
    conforms(schema, "generateBlogPost", alice.post(f"{base}/blog-posts/generate", {}))
    conforms(schema, "publishBlogPost", alice.post(f"{base}/blog-posts/{post_id}/publish"))
    hook = {"name": "Hook", "kind": "webhook", "settings": {"url": "https://alice.example.com/hook"}}
    created = alice.post(f"{base}/publish-targets", hook)
    target = f"{base}/publish-targets/{member(created, 'target')['id']}"
    conforms(schema, "createPublishTarget", created)
    conforms(schema, "testPublishTarget", alice.post(f"{target}/test"))
    conforms(schema, "rotatePublishTargetSecret", alice.post(f"{target}/rotate-secret"))
    conforms(schema, "getPublishTarget", alice.get(target))
    conforms(schema, "listPublishTargets", alice.get(f"{base}/publish-targets"))
    conforms(schema, "updatePublishTarget", alice.patch(target, {"is_default": True}))
    conforms(schema, "listPublishTargetKinds", alice.get("/publish-target-kinds"))
    conforms(schema, "deletePublishTarget", alice.send("DELETE", target))
    conforms(schema, "listExecutions", alice.get("/executions"))
    conforms(schema, "getExecution", alice.get(f"/executions/{job['id']}"))
    conforms(schema, "rollbackExecution", alice.post(f"/executions/{job['id']}/rollback"))
    conforms(schema, "cancelExecution", alice.post(f"/executions/{job['id']}/cancel"))
    conforms(schema, "retryExecution", alice.post(f"/executions/{job['id']}/retry"))
    conforms(schema, "createProject", alice.post("/projects", {"url": 5}))
    conforms(
        schema,
        "createExecution",
        alice.post(f"{base}/executions", {"operation": "GENERATE_BLOG_POST"}, key="k"),
    )


def conforms(schema: dict[str, Any], operation_id: str, answer: TestResponse) -> None:
    """Check an answer against what is documented for its status."""
    operation = next(op for _, _, op in operations(schema) if op["operationId"] == operation_id)
    documented = operation["responses"][str(answer.status_code)]["content"]["application/json"]["schema"]
    closed = closed_objects({**documented, "components": schema["components"]})
    errors = [error.message for error in Draft202012Validator(closed).iter_errors(answer.json)]
    assert errors == [], operation_id


def closed_objects(node: Any) -> Any:
    """Return a schema in which an object has no member but the documented ones."""
    if isinstance(node, list):
        return [closed_objects(each) for each in node]
    if not isinstance(node, dict):
        return node
    made = {name: closed_objects(value) for name, value in node.items()}
    if isinstance(made.get("properties"), dict) and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


@pytest.mark.parametrize(
    ("legacy", "canonical"),
    [("/public-api/docs", "/api/docs"), ("/public-api/openapi.json", "/api/openapi.json")],
)
def test_legacy_addresses_redirect(app: Flask, legacy: str, canonical: str) -> None:
    answer = app.test_client().get(legacy)
    assert (answer.status_code, answer.headers["Location"]) == (302, canonical)


@pytest.mark.smoke
def test_the_reference_works_in_a_browser_without_breaking_its_policy(app: Flask, page: Page) -> None:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    errors: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    try:
        page.goto(f"http://127.0.0.1:{server.server_port}/api/docs")
        expect(page.get_by_role("heading", name="Execution Jobs")).to_be_visible()
        for name in TAGS:
            expect(page.locator(f"h3[data-tag='{name}']")).to_be_visible()
        page.locator("#operations-Projects-createProject button.opblock-summary-control").first.click()
        expect(page.locator("#operations-Projects-createProject .opblock-body")).to_be_visible()
        expect(page.locator("pre.microlight:not([tabindex='0'])")).to_have_count(0)
        expect(page.locator(".examples-select-element:not([aria-label])")).to_have_count(0)
        expect(page.locator("meta[name=description]")).to_have_attribute("content", re.compile("Public API"))
        expect(page.locator("#reference button a:not([role=none])")).to_have_count(0)
    finally:
        server.shutdown()
        thread.join()
    assert errors == []
    assert all(url.startswith(("data:", f"http://127.0.0.1:{server.server_port}/")) for url in asked)


def test_the_page_of_failures_has_the_whole_catalogue() -> None:
    assert failures_doc.PATH.read_text(encoding="utf-8") == failures_doc.render()


def test_a_new_process_describes_the_operations_once_for_two_readers_at_once(settings: Settings) -> None:
    app = create_app(settings)
    with ThreadPoolExecutor(2) as readers:
        answers = list(readers.map(lambda _: app.test_client().get("/api/openapi.json"), range(2)))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].data == answers[1].data
