"""Each refusal of a WordPress site has its code, certainty and words; settings are checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.failures import ServiceFailure
from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
)
from app.publishing.targets.wordpress.kind import WORDPRESS, create
from tests.support.servers import Reply, SiteServer
from tests.support.wordpress import Blog
from tests.support.wordpress_documents import (
    document,
    refused,
)


class TestFailures:
    @pytest.mark.parametrize(
        ("status", "body", "code", "certainty"),
        [
            (200, "<p>Welcome", "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
            (200, "[]", "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
            (201, "[]", "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
            (201, '{"id": "7"}', "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
            (202, "{}", "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
            (301, "", "PUBLISH_UNCLEAR", UNKNOWN),
            (401, "<h1>Authorization Required", "TARGET_API_NOT_FOUND", NOT_DELIVERED),
            (403, "<h1>Request blocked", "PUBLISH_ENDPOINT_FAILED", NOT_DELIVERED),
            (404, "<h1>Not found", "TARGET_API_NOT_FOUND", NOT_DELIVERED),
            (408, "", "PUBLISH_TIMEOUT", UNKNOWN),
            (413, "<h1>Too large", "PUBLISH_ENDPOINT_FAILED", NOT_DELIVERED),
            (429, "", "TARGET_RATE_LIMITED", NOT_DELIVERED),
            (500, "<b>Fatal error</b>: Uncaught Error", "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
            (503, '{"code": "x", "message": "Maintenance"}', "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
        ],
    )  # fmt: skip
    def test_each_answer_has_its_failure_and_certainty(
        self, wordpress: Blog, status: int, body: str, code: str, certainty: str
    ) -> None:
        answer = Reply(status, {"Content-Type": "text/html"}, body.encode())
        wordpress.gateway.spoil_once(
            lambda request: request.method == "POST", lambda _request, _forward: answer
        )
        problem = refused(create, document(), wordpress.access())
        assert (problem.failure.code, problem.certainty) == (code, certainty)
        assert problem.failure.details is not None
        assert problem.failure.details["address"] == f"{wordpress.url}/wp-json/wp/v2/posts"
        assert problem.failure.details["status"] == status

    def test_what_wordpress_objects_to_is_quoted_with_the_fields(self, wordpress: Blog) -> None:
        problem = refused(create, document(slug=["garden"]), wordpress.access())
        assert problem.failure.code == "PUBLISH_REJECTED"
        assert "Invalid parameter(s): slug" in problem.failure.hints[0]
        assert "slug is not of type string." in problem.failure.hints[0]

    def test_wordpress_words_are_quoted_as_text(self, wordpress: Blog) -> None:
        error = {"code": "x", "message": "<strong>Error:</strong> no\n&#8220;title&#8221;.", "data": None}
        answer = Reply(400, {}, json.dumps(error).encode())
        wordpress.gateway.spoil_once(lambda each: each.method == "POST", lambda _request, _forward: answer)
        problem = refused(create, document(), wordpress.access())
        assert problem.failure.details is not None
        assert problem.failure.details["answer"] == "Error: no “title”."

    def test_no_failure_repeats_the_password(self, wordpress: Blog) -> None:
        for role, password in (("author", "wrong-secret"), ("subscriber", "")):
            there = wordpress.access(role, password=password)
            problem = refused(create, document(), there)
            shown = json.dumps(problem.failure.to_dict())
            assert str(there.secret) not in shown
            assert "Basic" not in shown


class TestSettings:
    def test_the_spaces_of_an_application_password_are_left_out(self) -> None:
        assert WORDPRESS.secret is not None
        assert WORDPRESS.secret.checked(" abcd EFGH 1234 ") == "abcdEFGH1234"  # type: ignore[union-attr]

    @pytest.mark.parametrize("text", ["pässword", "", "   "])
    def test_what_is_no_application_password_is_refused_without_repeating_it(self, text: str) -> None:
        with pytest.raises(ServiceFailure) as caught:
            WORDPRESS.secret.checked(text)  # type: ignore[union-attr]
        assert caught.value.errors[0]["field"] == "/secret"
        assert "pässword" not in str(caught.value.errors)

    def test_the_status_is_live_unless_it_is_chosen(self, db_app: Any, site: SiteServer) -> None:
        values = {"url": "https://alice.example/blog", "username": "alice"}
        assert WORDPRESS.checked_settings(values)["default_status"] == "live"
        assert WORDPRESS.checked_settings({**values, "default_status": "draft"})["default_status"] == "draft"
        for wrong in (
            {"default_status": "later"},
            {"username": "a:b"},
            {"username": ""},
            {"url": "ftp://x.example"},
        ):
            with pytest.raises(ServiceFailure):
                WORDPRESS.checked_settings({**values, **wrong})
