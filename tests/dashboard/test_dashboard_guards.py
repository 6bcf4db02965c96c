"""Access: every address of the dashboard requires the owner's session, and every POST a form token."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import unescape

import pytest
from flask import Flask
from sqlalchemy.exc import TimeoutError as PoolTimeout
from werkzeug.exceptions import InternalServerError
from werkzeug.routing import Rule

from app.accounts.keys import create_key
from app.accounts.service import find_account
from app.content.model import BlogPost
from app.dashboard.ui.errors import show_error
from app.factory import create_app
from app.infra.db import db
from tests.support.forms import page_of

FOR_VISITORS = {"landing.your_data"}
BY_MAIL = {"mail_choices.show", "mail_choices.turn"}
"""The address in a mail has a token of its own, and needs no session."""
BY_LINK = {"auth.accept", "second_factor.ask", "auth.forgot_password", "auth.reset_password"}
PUBLIC = {"landing.home", "auth.sign_in", "auth.sign_up", "assets.send", *BY_LINK, *BY_MAIL}
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


def rules(app: Flask) -> Iterator[Rule]:
    """Every address of the dashboard."""
    of_dashboard = {
        name for name, each in app.blueprints.items() if each.import_name.startswith("app.dashboard")
    }
    found = [rule for rule in app.url_map.iter_rules() if rule.endpoint.partition(".")[0] in of_dashboard]
    assert len(found) > 30
    return iter(found)


def addresses(app: Flask, ids: dict[str, int], method: str) -> list[tuple[Rule, str]]:
    """Every address that takes the method, made before the first is asked for.

    A request in the context in which they are made would share what that context has looked up.
    """
    known: dict[str, int | str] = {"kind": "new", **ids}
    found = []
    with app.test_request_context():
        for rule in rules(app):
            if method in (rule.methods or ()):
                known["list_name"] = "posts" if "project_id" in rule.arguments else "executions"
                _, path = rule.build({name: known.get(name, 1) for name in rule.arguments}) or ("", "")
                found.append((rule, path))
    return found


def test_charlie_is_sent_to_sign_in_from_everywhere(app, charlie, things):
    for method in ("GET", "POST"):
        for rule, path in addresses(app, things, method):
            if rule.endpoint in PUBLIC | FOR_VISITORS:
                continue
            answer = charlie.client.open(path, method=method)
            assert (answer.status_code, answer.location[:8]) == (302, "/sign-in"), f"{method} {path}"


def test_no_headline_can_close_the_script_element_of_the_schema_org_data(app, alice, things):
    with app.app_context():
        post = db.session.get_one(BlogPost, things["post_id"])
        post.json_ld = [{"@type": "BlogPosting", "headline": "a </script><b>"}]
        db.session.commit()
    text = unescape(alice.get(f"/projects/{things['project_id']}/posts/{things['post_id']}").text)
    assert "</script><b>" not in text
    assert r"a \u003c/script\u003e\u003cb\u003e" in text


def test_charlie_is_brought_to_the_wanted_page_after_signing_in(charlie, alice):
    wanted = charlie.get("/executions?status=failed").location
    assert wanted == "/sign-in?next=/executions?status%3Dfailed"
    answer = charlie.send(wanted, {"email": "alice@example.com", "password": "correct horse battery"})
    assert answer.location == "/executions?status=failed"


@pytest.mark.parametrize(
    "wanted",
    ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/\t/evil.example"],
)
def test_signing_in_leads_to_no_other_site(charlie, alice, wanted):
    fields = {"email": "alice@example.com", "password": "correct horse battery"}
    token = charlie.hidden("/sign-in")
    answer = charlie.client.post("/sign-in", query_string={"next": wanted}, data={**token, **fields})
    assert answer.location == "/projects"


def test_bob_finds_nothing_of_alices(app, bob, things):
    token = bob.hidden("/settings")
    for method in ("GET", "POST"):
        for rule, path in addresses(app, things, method):
            if "project_id" not in rule.arguments:
                continue
            answer = bob.client.open(path, method=method, data=token if method == "POST" else None)
            assert answer.status_code == 404, f"{method} {path}"
            assert "Nothing here" in answer.text


def test_bob_finds_nothing_of_alices_jobs_and_keys(app, alice, bob, things):
    job = page_of(alice.send(f"/projects/{things['project_id']}/posts/generate", {"length": "500"}).location)
    with app.app_context():
        key = create_key(find_account("alice@example.com"), "ci")[0].id
    token = bob.hidden("/settings")
    for path in (job, f"{job}/live", f"{job}/roll-back", f"/settings/api-keys/{key}/revoke"):
        assert bob.get(path).status_code == 404
    for path in (f"{job}/cancel", f"{job}/retry", f"{job}/roll-back", f"/settings/api-keys/{key}/revoke"):
        assert bob.client.post(path, data={**token, "job_key": "k"}).status_code == 404, path
    assert job not in bob.get("/executions").text


def test_no_form_is_taken_without_its_token(app, alice, things):
    for rule, path in addresses(app, things, "POST"):
        if rule.endpoint in BY_MAIL:
            continue
        answer = alice.client.post(path, data={"csrf_token": "made up"})
        assert answer.status_code == 400, f"{rule.endpoint} {path}"
        assert "The form has expired" in answer.text


def test_every_page_carries_the_policy_and_has_one_heading(app, alice, things):
    for _rule, path in addresses(app, things, "GET"):
        answer = alice.get(path)
        if answer.status_code != 200 or not answer.data.startswith(b"<!doctype html>"):
            continue
        policy = answer.headers["Content-Security-Policy"]
        assert policy.replace(" https:;", ";") == POLICY, path
        post = f"/posts/{things['post_id']}"
        assert (" https:;" in policy) == path.endswith((post, f"{post}/edit")), path
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.text.count("<h1") == 1, path
        assert "<script>" not in answer.text
        assert " style=" not in answer.text, path


def test_an_unknown_address_is_a_page_and_an_api_address_is_not(charlie):
    page = charlie.get("/nowhere")
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert page.headers["Content-Security-Policy"] == POLICY
    assert charlie.get("/public-api/nowhere").mimetype == "application/json"


def test_a_wrong_method_gives_a_page_and_the_allowed_methods(alice):
    answer = alice.get("/sign-out")
    assert (answer.status_code, set(answer.headers["Allow"].split(", "))) == (405, {"POST", "OPTIONS"})
    assert "Not possible this way" in answer.text


def test_an_id_that_no_row_can_have_is_not_found(alice):
    for text in ("0", "-1", "x", str(2**63), "9" * 40):
        assert alice.get(f"/projects/{text}").status_code == 404


@pytest.mark.parametrize("path", ["/projects", "/api/docs"])
def test_an_unavailable_database_is_shown_on_a_page(settings, path):
    app = create_app(replace(settings, database_url="sqlite:////nowhere/at/all.sqlite3"))
    client = app.test_client()
    with client.session_transaction() as session:
        session["token"] = "of a session"
    answer = client.get(path)
    assert (answer.status_code, answer.mimetype) == (503, "text/html")
    assert "Temporarily unavailable" in answer.text


@pytest.mark.parametrize("path", ["/", "/sign-in", "/public-api/account"])
def test_what_was_sent_is_not_sent_back_by_trace(charlie, path):
    assert charlie.client.open(path, method="TRACE").status_code == 405


def test_a_database_without_a_free_connection_counts_as_unavailable(app):
    with app.test_request_context("/projects"):
        answer = show_error(InternalServerError(original_exception=PoolTimeout("no connection")))
    assert answer[1] == 503


def test_in_production_browsers_get_strict_transport_security(settings):
    page = create_app(replace(settings, environment="production")).test_client().get("/sign-in")
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"


@pytest.mark.parametrize(
    ("environment", "name", "secure"), [("production", "__Host-session", True), ("test", "session", False)]
)
def test_in_production_the_session_cookie_is_sent_over_https_only(settings, environment, name, secure):
    client = create_app(replace(settings, environment=environment)).test_client()
    client.get("/sign-in", base_url="https://localhost")
    cookie = client.get_cookie(name)
    assert cookie is not None
    assert cookie.secure is secure
    assert cookie.http_only
