"""docs/contract.md matches the tests; and the statements that belong to no single resource."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from devtools.local import ROOT
from tests.api.conftest import Customer, code, member

MAP = ROOT / "docs" / "contract.md"
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
METHODS = {"get", "post", "put", "patch", "delete"}
TAGS = ["Blog Posts", "Projects", "Project Pages", "Keywords", "Execution Jobs"]

PROJECT = "/public-api/projects/{project_id}"
JOB = "/public-api/executions/{job_id}"
ENDPOINTS = {
    ("POST", f"{PROJECT}/blog-posts/generate"),
    ("GET", f"{PROJECT}/blog-posts"),
    ("GET", f"{PROJECT}/blog-posts/{{blog_post_id}}"),
    ("POST", f"{PROJECT}/blog-posts/{{blog_post_id}}/publish"),
    ("GET", "/public-api/projects"),
    ("POST", "/public-api/projects"),
    ("GET", PROJECT),
    ("PATCH", PROJECT),
    ("GET", f"{PROJECT}/pages"),
    ("GET", f"{PROJECT}/pages/{{page_id}}"),
    ("POST", f"{PROJECT}/pages"),
    ("GET", f"{PROJECT}/keywords"),
    ("GET", f"{PROJECT}/keywords/{{keyword_id}}"),
    ("POST", f"{PROJECT}/keywords"),
    ("POST", f"{PROJECT}/executions"),
    ("GET", "/public-api/executions"),
    ("GET", JOB),
    ("POST", f"{JOB}/cancel"),
    ("POST", f"{JOB}/retry"),
    ("POST", f"{JOB}/rollback"),
    ("GET", "/public-api/account"),
}
"""Every endpoint that the contract names."""

OURS = {
    ("POST", f"{PROJECT}/blog-posts/{{blog_post_id}}/unpublish"),
    ("POST", f"{PROJECT}/blog-posts/{{blog_post_id}}/proposal/use"),
    ("POST", f"{PROJECT}/blog-posts/{{blog_post_id}}/proposal/dismiss"),
    *(
        (method, f"{PROJECT}/blog-posts/{{blog_post_id}}/cover")
        for method in ("GET", "PUT", "PATCH", "DELETE")
    ),
    ("GET", f"{PROJECT}/blog-posts/{{blog_post_id}}/export"),
    ("GET", f"{PROJECT}/blog-posts/{{blog_post_id}}/versions"),
    ("GET", f"{PROJECT}/blog-posts/{{blog_post_id}}/versions/{{version_id}}"),
    ("GET", f"{PROJECT}/topics/check"),
    ("GET", f"{PROJECT}/sitemap/files"),
    ("GET", "/public-api/publish-target-kinds"),
    *((method, f"{PROJECT}/publish-targets") for method in ("GET", "POST")),
    *((method, f"{PROJECT}/publish-targets/{{target_id}}") for method in ("GET", "PATCH", "DELETE")),
    ("GET", f"{PROJECT}/publish-targets/{{target_id}}/calls"),
    *(("POST", f"{PROJECT}/publish-targets/{{target_id}}/{verb}") for verb in ("test", "rotate-secret")),
    ("POST", f"{PROJECT}/blog-posts/{{blog_post_id}}/schedule"),
    *((method, f"{PROJECT}/schedule") for method in ("GET", "POST")),
    *((method, f"{PROJECT}/images") for method in ("GET", "POST")),
    *((method, f"{PROJECT}/images/{{image_id}}") for method in ("GET", "PATCH", "DELETE")),
    ("GET", f"{PROJECT}/images/{{image_id}}/file"),
    *((method, f"{PROJECT}/search-imports") for method in ("GET", "POST")),
    *((method, f"{PROJECT}/search-imports/{{import_id}}") for method in ("GET", "DELETE")),
    *(("GET", f"{PROJECT}/search-imports/{{import_id}}/{noun}") for noun in ("queries", "pages")),
    *(("GET", f"{PROJECT}/{noun}") for noun in ("search-connection", "search-opportunities")),
    *((method, f"{PROJECT}/autopilot") for method in ("GET", "PUT")),
    *((method, f"{PROJECT}/schedule/{{schedule_id}}") for method in ("GET", "PATCH", "DELETE")),
}
"""Endpoints beyond it."""


@cache
def names_of_tests(path: str) -> frozenset[str]:
    """The names of the tests in a file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    nodes = ast.walk(ast.parse(file.read_text()))
    return frozenset(
        node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def documented(client: FlaskClient) -> dict[tuple[str, str], dict[str, Any]]:
    """The operations of the OpenAPI document by method and path."""
    schema = client.get("/api/openapi.json").json
    assert schema is not None
    return {
        (method.upper(), path): operation
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
        if method in METHODS
    }


def tag_of(path: str) -> str:
    """The group of the reference that an endpoint belongs to."""
    nouns = {
        "/search-": "Search Performance",
        "/account": "Account", "/executions": "Execution Jobs", "/blog-posts": "Blog Posts",
        "/pages": "Project Pages", "/keywords": "Keywords", "/topics": "Topics", "/images": "Images",
        "/publish-target": "Publish Targets",
        "/sitemap/": "Sitemap", "/schedule": "Schedule", "/autopilot": "Autopilot",
    }  # fmt: skip
    return next((tag for noun, tag in nouns.items() if noun in path), "Projects")


# The map


def test_every_test_that_the_map_names_exists() -> None:
    named = set(TEST.findall(MAP.read_text()))
    assert named
    assert not sorted(f"{path}::{name}" for path, name in named if name not in names_of_tests(path))


def test_every_row_of_the_map_names_a_test() -> None:
    rows = [line for line in MAP.read_text().splitlines() if line.startswith("| ") and "|---" not in line]
    statements = [row for row in rows if not row.endswith("| Tested by |")]
    assert len(statements) > 50
    assert not [row for row in statements if not TEST.search(row)]


def test_every_contract_test_is_in_the_map() -> None:
    named = set(TEST.findall(MAP.read_text()))
    files = [f"tests/contract/{file.name}" for file in (ROOT / "tests/contract").glob("test_*.py")]
    about_the_map = {name for name in names_of_tests("tests/contract/test_contract.py") if "_map" in name}
    tests = {(path, name) for path in files for name in names_of_tests(path) if name not in about_the_map}
    assert not sorted(f"{path}::{name}" for path, name in tests - named)


def test_every_endpoint_of_the_openapi_document_is_in_the_map(client: FlaskClient) -> None:
    text = MAP.read_text()
    assert not [
        f"{method} {path}" for method, path in documented(client) if f"| `{method} {path}` |" not in text
    ]


# Endpoints, reference, versions


def test_every_endpoint_of_the_contract_is_served_and_documented(client: FlaskClient) -> None:
    assert documented(client).keys() >= ENDPOINTS


def test_every_public_path_starts_with_public_api_and_has_no_version_segment(app: Flask) -> None:
    rules = [rule.rule for rule in app.url_map.iter_rules()]
    public = [rule for rule in rules if rule.startswith("/public-api")]
    assert public
    assert not [rule for rule in rules if re.search(r"/v\d+(/|$)", rule)]


def test_the_reference_is_at_api_docs_and_grouped_by_the_tags(client: FlaskClient) -> None:
    page = client.get("/api/docs")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert {key: operation["tags"] for key, operation in documented(client).items()} == {
        (method, path): [tag_of(path)] for method, path in ENDPOINTS | OURS
    }
    schema = client.get("/api/openapi.json").json
    assert schema is not None
    assert [tag["name"] for tag in schema["tags"]][: len(TAGS)] == TAGS


def test_the_schema_is_at_api_openapi_json(client: FlaskClient) -> None:
    answer = client.get("/api/openapi.json")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    assert answer.json is not None
    assert answer.json["openapi"].startswith("3.1")


@pytest.mark.parametrize("name", ["docs", "openapi.json"])
def test_the_legacy_paths_redirect_to_the_canonical_ones(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/public-api/{name}")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/api/{name}")


# Authentication


def test_every_public_request_needs_the_api_key(charlie: Customer) -> None:
    for method, path in sorted(ENDPOINTS):
        address = re.sub(r"\{\w+\}", "1", path).removeprefix("/public-api")
        answer = charlie.send(method, address, json={} if method != "GET" else None)
        assert code(answer) == (401, "MISSING_API_KEY"), (method, path)


def test_a_wrong_key_is_rejected(charlie: Customer) -> None:
    answer = charlie.get("/account", headers={"X-API-Key": "seo_live_nonsense"})
    assert code(answer) == (401, "INVALID_API_KEY")


def test_the_key_is_made_in_the_settings_under_api_access(signed_in: FlaskClient) -> None:
    page = signed_in.get("/settings/api-keys")
    assert page.status_code == 200
    assert "API access" in page.text
    assert "Create key" in page.text


def test_the_account_is_read_with_the_key(alice: Customer) -> None:
    assert member(alice.get("/account"), "account")["email"] == "alice@example.com"
