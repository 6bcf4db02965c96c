"""Requests at the edge of what is accepted, and beyond it."""

from __future__ import annotations

import pytest

from app.edge.refusal import REFUSED
from tests.api.conftest import Customer, code, member


def test_a_body_of_a_megabyte_and_32_levels_is_read(alice: Customer) -> None:
    start = b'{"url": "https://alice.example.com/", "extra": ' + b"[" * 31 + b"1" + b"]" * 31
    body = start + b" " * (1_000_000 - len(start) - 1) + b"}"
    answer = alice.send("POST", "/projects", data=body, content_type="application/json")
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(answer, "errors")] == ["/extra"]  # which is unknown


def test_an_address_for_post_alone_is_no_post_with_a_strange_id(alice: Customer) -> None:
    answer = alice.get(f"/projects/{alice.project()}/blog-posts/generate")
    assert code(answer) == (405, "METHOD_NOT_ALLOWED")
    assert set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}


@pytest.mark.parametrize(
    ("status", "failure"),
    [(400, "MALFORMED_REQUEST"), (408, "REQUEST_TIMEOUT"), (413, "PAYLOAD_TOO_LARGE"),
     (431, "HEADERS_TOO_LARGE"), (501, "NOT_IMPLEMENTED")],
)  # fmt: skip
def test_what_the_web_server_refuses_has_the_same_form(alice: Customer, status: int, failure: str) -> None:
    refused = {"environ_overrides": {REFUSED: status}}
    answer = alice.send("GET", "/projects", headers={"X-Request-ID": "mine"}, **refused)
    assert code(answer) == (status, failure)
    assert member(answer, "request_id") == answer.headers["X-Request-ID"] == "mine"
    page = alice.client.get("/sign-in", **refused)
    assert (page.status_code, page.mimetype) == (status, "text/html")
