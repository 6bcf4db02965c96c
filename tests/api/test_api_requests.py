"""What every endpoint does with keys, bodies, queries, errors, limits and headers."""

from __future__ import annotations

import io
import json
import logging
import threading
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from werkzeug.test import TestResponse

from app.accounts.keys import list_keys, revoke_key
from app.accounts.model import Account
from app.api import account as account_module
from app.infra.db import db
from tests.api.conftest import Customer, code, customer, member
from tests.support.locks import locked_by


def test_without_a_key_nothing_is_answered(charlie: Customer) -> None:
    answer = charlie.get("/account")
    assert code(answer) == (401, "MISSING_API_KEY")
    assert "WWW-Authenticate" in answer.headers


def test_unknown_and_revoked_keys_get_the_same_failure(app: Flask, alice: Customer) -> None:
    unknown = Customer(alice.client, 0, "seo_live_" + "x" * 49).get("/account")
    with app.app_context():
        owner = db.session.get_one(Account, alice.account_id)
        revoke_key(owner, list_keys(owner)[0].id)
    revoked = alice.get("/account")
    assert code(unknown) == code(revoked) == (401, "INVALID_API_KEY")
    assert member(unknown, "failure") == member(revoked, "failure")


def test_an_inactive_account_is_shut_out(app: Flask, alice: Customer) -> None:
    with app.app_context():
        db.session.get_one(Account, alice.account_id).active = False
        db.session.commit()
    assert code(alice.get("/account")) == (403, "ACCOUNT_INACTIVE")


def test_a_key_that_may_only_read_changes_nothing(app: Flask) -> None:
    reader = customer(app, "reader", can_write=False)
    assert reader.get("/account").status_code == 200
    assert code(reader.post("/projects", {"url": "https://example.com/"})) == (403, "INSUFFICIENT_SCOPE")
    assert member(reader.get("/projects"), "projects") == []


def test_the_account_is_shown_with_its_use(alice: Customer) -> None:
    account = member(alice.get("/account"), "account")
    assert {k: v for k, v in account.items() if k not in ("id", "created_at")} == {
        "email": "alice@example.com", "name": "Alice", "project_limit": None, "active_project_count": 0,
        "monthly_post_limit": None, "posts_generated_this_month": 0,
    }  # fmt: skip


MALFORMED = (
    b"", b"{", b"nonsense", b'{"url": "a", "url": "b"}', b'{"url": NaN}', b'{"url": 1e999}',
    b'{"url": "a\\u0000"}', b'{"url": "\\ud800"}', b'{"\\udfff": 1}', b"\xff\xfe", b"[" * 100_000,
    b'{"url": ' + b"1" * 5000 + b"}", b'{"url": ' + b"[" * 32 + b"]" * 32 + b"}",
)  # fmt: skip


def test_what_is_no_proper_json_is_malformed(alice: Customer) -> None:
    for body in MALFORMED:
        answer = alice.send("POST", "/projects", data=body, content_type="application/json")
        assert code(answer) == (400, "MALFORMED_REQUEST"), body[:40]


def test_json_that_is_no_object_is_invalid(alice: Customer) -> None:
    for body in (b"[]", b"5", b"null", b'"text"'):
        answer = alice.send("POST", "/projects", data=body, content_type="application/json")
        assert code(answer) == (422, "INVALID_REQUEST"), body


def test_other_media_types_are_rejected(alice: Customer) -> None:
    for content_type in ("text/plain", "application/x-www-form-urlencoded", None):
        answer = alice.send("POST", "/projects", data=b'{"url": "https://e.com/"}', content_type=content_type)
        assert code(answer) == (415, "UNSUPPORTED_MEDIA_TYPE"), content_type


def test_a_body_over_a_megabyte_is_rejected(alice: Customer) -> None:
    body = b'{"url": "' + b"x" * 1_000_001 + b'"}'
    answer = alice.send("POST", "/projects", data=body, content_type="application/json")
    assert code(answer) == (413, "PAYLOAD_TOO_LARGE")


class Broken(io.BytesIO):
    """A body that ends with an error of the server's own."""

    def readinto(self, _buffer: Any) -> int:
        raise RuntimeError("This is no size of a chunk.")


def test_a_body_in_chunks_is_measured_too(alice: Customer) -> None:
    whole = json.dumps({"url": "https://alice.example.com/"}).encode()
    assert chunked(alice, whole).status_code == 201
    assert code(chunked(alice, whole + b" " * 1_000_000)) == (413, "PAYLOAD_TOO_LARGE")
    assert code(chunked(alice, whole + b" " * 1_000_000, "/projects/0/pages")) == (404, "PROJECT_NOT_FOUND")


def test_a_body_that_breaks_off_is_malformed(alice: Customer) -> None:
    whole = b'{"url": "https://alice.example.com/"}'
    cut = chunked(alice, whole, environ={"CONTENT_LENGTH": str(len(whole) + 9)})
    for answer in (cut, chunked(alice, Broken())):
        assert code(answer) == (400, "MALFORMED_REQUEST")
    assert member(alice.get("/projects"), "projects") == []


def chunked(
    alice: Customer, body: bytes | io.IOBase, path: str = "/projects", environ: dict[str, str] | None = None
) -> TestResponse:
    """Send a body whose length only its end tells, as servers pass one on."""
    return alice.send(
        "POST", path, content_type="application/json",
        input_stream=io.BytesIO(body) if isinstance(body, bytes) else body,
        environ_overrides={
            "wsgi.input_terminated": True, **(environ or {"HTTP_TRANSFER_ENCODING": "chunked"})
        },
    )  # fmt: skip


def test_a_slow_body_keeps_no_transaction_open(alice: Customer, bob: Customer) -> None:
    statuses: list[int] = []

    def meanwhile() -> None:
        statuses.append(bob.post("/projects", {"url": "https://bob.example.com/"}).status_code)

    class Slow(io.BytesIO):
        def readinto(self, buffer: Any) -> int:
            if not statuses:
                other = threading.Thread(target=meanwhile)
                other.start()
                other.join()
            return super().readinto(buffer)

    path = f"/projects/{alice.project()}/keywords"
    assert chunked(alice, Slow(b'{"keyword_text": "grinder"}'), path).status_code == 201
    assert statuses == [201]


def test_query_parameters_are_read_strictly(alice: Customer) -> None:
    wrong = (
        "page=0", "page=-1", "page=x", "page=1.0", "page=", "page_size=0", "page_size=101", "page=1&page=2",
        "sort=name", "page=99999999999999999999", "page=%D9%A1",
    )  # fmt: skip
    for query in wrong:
        answer = alice.get(f"/projects?{query}")
        assert code(answer) == (422, "INVALID_REQUEST"), query
        assert member(answer, "errors")[0]["location"] == "query"


def test_lists_are_paged_newest_first_with_links(alice: Customer) -> None:
    ids = [alice.project(f"https://site-{number}.example.com/") for number in range(5)]
    first = alice.get("/projects?page_size=2")
    assert [p["id"] for p in member(first, "projects")] == [ids[4], ids[3]]
    assert member(first, "pagination") == {"page": 1, "page_size": 2, "total": 5}
    assert 'page_size=2&page=2>; rel="next"' in first.headers["Link"]
    assert 'rel="prev"' not in first.headers["Link"]
    last = alice.get("/projects?page_size=2&page=3")
    assert [p["id"] for p in member(last, "projects")] == [ids[0]]
    assert 'rel="next"' not in last.headers["Link"]
    assert 'page=2>; rel="prev"' in last.headers["Link"]
    beyond = alice.get("/projects?page_size=2&page=90")
    assert member(beyond, "projects") == []
    assert 'page=3>; rel="prev"' in beyond.headers["Link"]


def test_a_path_id_that_cannot_be_one_is_absent(alice: Customer) -> None:
    for number in ("0", "-1", "x", "1.5", "9223372036854775808", "1e3", "٣", "007", "%00"):
        assert code(alice.get(f"/projects/{number}")) == (404, "PROJECT_NOT_FOUND"), number
        assert code(alice.get(f"/executions/{number}")) == (404, "JOB_NOT_FOUND"), number


def test_unknown_addresses_and_methods_answer_in_json(alice: Customer, charlie: Customer) -> None:
    for caller in (alice, charlie):
        assert code(caller.get("/nowhere")) == (404, "NOT_FOUND")
    answer = alice.send("DELETE", "/projects")
    assert code(answer) == (405, "METHOD_NOT_ALLOWED")
    assert {"GET", "POST"} <= set(answer.headers["Allow"].replace(" ", "").split(","))
    assert code(alice.client.get("/api/nowhere")) == (404, "NOT_FOUND")


def test_pages_of_the_dashboard_keep_their_own_errors(alice: Customer) -> None:
    answer = alice.client.get("/nowhere")
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"


@pytest.mark.parametrize(
    "error",
    [OperationalError("SELECT 1", {}, Exception()), InterfaceError("", {}, Exception()), PoolTimeout()],
)
def test_an_unavailable_database_gives_503(
    alice: Customer, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_account_id: int) -> int:
        raise error

    monkeypatch.setattr(account_module, "count_projects", fail)
    answer = alice.get("/account")
    assert code(answer) == (503, "SERVICE_UNAVAILABLE")
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_lock_that_is_held_for_too_long_gives_503(short_locks: None, app: Flask, alice: Customer) -> None:
    with app.app_context(), locked_by(f"SELECT id FROM accounts WHERE id = {alice.account_id} FOR UPDATE"):
        answer = alice.post("/projects", {"url": "https://example.com/"})
    assert code(answer) == (503, "SERVICE_UNAVAILABLE")
    assert int(answer.headers["Retry-After"]) > 0


def test_an_unexpected_error_is_logged_and_not_shown(
    alice: Customer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_account_id: int) -> int:
        raise RuntimeError("secret details")

    monkeypatch.setattr(account_module, "count_projects", fail)
    answer = alice.get("/account")
    assert code(answer) == (500, "INTERNAL_ERROR")
    assert "secret details" not in answer.text
    assert "secret details" in caplog.text


def test_the_request_id_is_echoed_when_it_is_sane(alice: Customer) -> None:
    assert alice.get("/nowhere", headers={"X-Request-ID": "trace-1"}).headers["X-Request-ID"] == "trace-1"
    assert alice.get("/nowhere", headers={"X-Request-ID": "a b"}).headers["X-Request-ID"] != "a b"


def test_what_did_not_change_is_not_sent_again(alice: Customer) -> None:
    path = f"/projects/{alice.project()}"
    first = alice.get(path)
    again = alice.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    alice.patch(path, {"name": "New"})
    assert alice.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_requests_are_logged_once_without_the_key(alice: Customer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="app.infra.request_log"):
        alice.get("/projects?page=1")
    lines = [record.getMessage() for record in caplog.records if record.name == "app.infra.request_log"]
    assert len(lines) == 1
    assert lines[0].startswith("GET /public-api/projects 200 ")
    assert alice.key is not None
    assert alice.key not in caplog.text


@pytest.mark.parametrize("text", ["%00", "a%00b", "%ED%A0%80"])
def test_a_query_with_what_no_database_stores_is_refused_or_finds_nothing(alice: Customer, text: str) -> None:
    answer = alice.get(f"/projects/{alice.project()}/pages?q={text}")
    assert answer.status_code in (200, 422)
    assert alice.get(f"/executions?q={text}").status_code in (200, 422)


def test_answers_are_kept_by_no_proxy_and_asked_for_again(alice: Customer, charlie: Customer) -> None:
    for answer in (alice.get("/account"), charlie.get("/account")):
        assert answer.headers["Cache-Control"] == "private, no-cache"
