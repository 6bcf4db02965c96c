"""What Google's errors mean, and which of a person's sites belongs to a project."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.search_performance.google.properties import best_match
from app.search_performance.google.refusals import refusal


def older(code: int, reason: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": "Words.", "errors": [{"domain": "global", "reason": reason}]}}


def newer(code: int, status: str, reason: str) -> dict[str, Any]:
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}]
    return {"error": {"code": code, "message": "Words.", "status": status, "details": details}}


@pytest.mark.parametrize(
    ("status", "body", "code", "reason"),
    [
        (400, {"error": "invalid_grant", "error_description": "Bad Request"}, "AUTH", "invalid_grant"),
        (401, {"error": "invalid_client"}, "REJECTED", "invalid_client"),
        (401, older(401, "authError"), "AUTH", "authError"),
        (403, older(403, "insufficientPermissions"), "AUTH", "insufficientPermissions"),
        (403, older(403, "forbidden"), "FORBIDDEN", "forbidden"),
        (404, older(404, "notFound"), "FORBIDDEN", "notFound"),
        (403, older(403, "quotaExceeded"), "RATE_LIMITED", "quotaExceeded"),
        (429, older(429, "rateLimitExceeded"), "RATE_LIMITED", "rateLimitExceeded"),
        (403, newer(403, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"), "RATE_LIMITED", "RATE_LIMIT_EXCEEDED"),
        (403, newer(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), "REJECTED", "SERVICE_DISABLED"),
        (400, older(400, "invalidParameter"), "REJECTED", "invalidParameter"),
        (400, {"error": "the secret 4/0A was wrong"}, "REJECTED", None),
        (503, ["no", "object"], "FAILED", None),
        (302, {}, "FAILED", None),
    ],
)
def test_an_error_is_named_by_its_reason_first(status: int, body: Any, code: str, reason: str | None) -> None:
    found = refusal(status, json.dumps(body).encode(), {}).failure
    assert found.code == f"SEARCH_CONSOLE_{code}"
    assert found.details == {"http_status": status, "reason": reason}


def test_a_pause_that_google_asks_for_is_reported_in_whole_seconds() -> None:
    found = refusal(429, b"", {"retry-after": "90"}).failure
    assert found.details == {"http_status": 429, "reason": None, "retry_after_seconds": 90}


@pytest.mark.parametrize(
    ("project", "sites", "best"),
    [
        ("https://acme.test/", ["https://acme.test/", "sc-domain:acme.test"], "sc-domain:acme.test"),
        ("https://acme.test/", ["http://acme.test/", "https://www.acme.test/"], "https://www.acme.test/"),
        ("https://acme.test/", ["http://other.test/", "https://acme.test/"], "https://acme.test/"),
        ("https://a.test/shop/", ["sc-domain:a.test", "https://a.test/shop/"], "https://a.test/shop/"),
        ("https://blog.a.test/", ["sc-domain:a.test", "sc-domain:blog.a.test"], "sc-domain:blog.a.test"),
        ("https://acme.test/", ["sc-domain:me.test", "sc-domain:notacme.test", "android-app://x/"], None),
        ("https://acme.test/", [], None),
    ],
)  # fmt: skip
def test_the_site_that_fits_a_project_best_is_proposed(
    project: str, sites: list[str], best: str | None
) -> None:
    assert best_match(sites, project) == best
