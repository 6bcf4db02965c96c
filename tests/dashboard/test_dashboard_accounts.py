"""Signing up, in and out, the password, API keys."""

from __future__ import annotations

import re

import pytest

GOOD = {"email": "dora@example.com", "password": "a long password"}


def test_signing_up_leads_to_the_first_project(charlie):
    answer = charlie.send("/sign-up", GOOD)
    assert answer.location == "/projects/new"
    assert "Add your site" in charlie.get("/projects/new").text


def test_an_error_is_shown_beside_its_field_and_typed_input_stays(charlie):
    answer = charlie.send("/sign-up", {"email": "dora", "password": "short"})
    assert answer.status_code == 422
    assert 'value="dora"' in answer.text
    assert re.search(r'id="email-wrong">.*?This is not an e-mail address', answer.text, re.DOTALL)
    assert re.search(r'id="password-wrong">.*?at least 12 characters', answer.text, re.DOTALL)
    assert 'aria-describedby="email-wrong"' in answer.text
    assert "short" not in answer.text.replace("short excerpts", "")


def test_a_failed_sign_in_does_not_reveal_which_part_is_wrong(charlie, alice):
    wrong = charlie.sign_in("alice@example.com", "another password")
    unknown = charlie.sign_in("nobody@example.com", "another password")
    assert wrong.status_code == unknown.status_code == 422
    words = "The e-mail address or the password is wrong."
    assert words in wrong.text
    assert words in unknown.text


def test_too_many_attempts_are_rejected_with_a_time(charlie, alice):
    for _ in range(10):
        charlie.sign_in("alice@example.com", "another password")
    answer = charlie.sign_in("alice@example.com", "correct horse battery")
    assert answer.status_code == 429
    assert f"Try again in {answer.headers['Retry-After']} second" in answer.text
    assert answer.text.lower().count("try again") == 1
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


def test_wrong_attempts_from_elsewhere_lock_nobody_out(app, charlie, alice):
    for _ in range(11):
        charlie.sign_in("alice@example.com", "another password")
    elsewhere = type(alice)(app)
    elsewhere.client.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    assert elsewhere.sign_in("alice@example.com").status_code == 302


def test_signing_in_begins_an_empty_session(charlie, alice):
    with charlie.client.session_transaction() as session:
        session["planted"] = "by someone who used this browser before"
    assert charlie.sign_in("alice@example.com").status_code == 302
    with charlie.client.session_transaction() as session:
        assert "planted" not in session


def test_a_page_is_kept_by_no_proxy_and_asked_for_again_by_its_browser(alice, charlie):
    for answer in (alice.get("/projects"), charlie.get("/sign-in")):
        assert {"private", "no-cache"} <= set(answer.headers["Cache-Control"].split(", "))


@pytest.mark.parametrize("path", ["/sign-in", "/sign-up", "/settings"])
def test_a_password_is_hidden_and_a_password_manager_may_fill_it_in(alice, charlie, path):
    page = (alice if path == "/settings" else charlie).get(path).text
    fields = re.findall(r"<input[^>]*password[^>]*>", page)
    assert fields
    for field in fields:
        assert 'type="password"' in field
        assert re.search(r'autocomplete="(current|new)-password"', field)
        assert "onpaste" not in field


def test_signing_out_ends_the_session(alice):
    answer = alice.send("/sign-out", page="/settings")
    assert (answer.location, answer.headers["Clear-Site-Data"]) == ("/sign-in", '"cache"')
    assert alice.get("/projects").status_code == 302


def test_a_new_password_ends_every_other_session_and_keeps_this_one(app, alice):
    other = type(alice)(app)
    other.sign_in("alice@example.com")
    fields = {"old_password": "correct horse battery", "new_password": "another good password"}
    assert alice.send("/settings/password", fields, page="/settings").status_code == 302
    assert alice.get("/settings").status_code == 200
    assert other.get("/settings").status_code == 302


def test_a_wrong_present_password_changes_nothing(alice):
    fields = {"old_password": "not this one", "new_password": "another good password"}
    answer = alice.send("/settings/password", fields, page="/settings")
    assert answer.status_code == 422
    assert "This is not your current password" in answer.text


def test_a_key_is_shown_once_works_and_can_be_revoked(alice):
    made = alice.send("/settings/api-keys", {"name": "ci", "access": "write", "days": ""})
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    key = re.search(r"seo_live_[0-9A-Za-z]{49}", made.text)[0]
    account = {"X-API-Key": key}
    assert alice.client.get("/public-api/account", headers=account).status_code == 200
    listed = alice.get("/settings/api-keys").text
    assert key not in listed
    assert key[:16] in listed
    revoke = re.search(r"/settings/api-keys/\d+/revoke", listed)[0]
    assert "cannot be undone" in alice.get(revoke).text
    assert alice.client.get("/public-api/account", headers=account).status_code == 200
    assert alice.send(revoke).status_code == 302
    assert alice.client.get("/public-api/account", headers=account).status_code == 401
    assert alice.get(revoke).location == "/settings/api-keys", "it is not asked about again"


def test_a_key_is_limited_and_rolled(alice, bob, project_id):
    fields = {
        "name": "ci",
        "access": "write",
        "days": "",
        "project": project_id,
        "scopes": ["posts", "search"],
    }
    made = alice.send("/settings/api-keys", fields)
    former = re.search(r"seo_live_[0-9A-Za-z]{49}", made.text)[0]
    listed = alice.get("/settings/api-keys").text
    assert "Posts, Search" in listed
    assert "in Alice" in listed
    roll = re.search(r"/settings/api-keys/\d+/roll", listed)[0]
    assert bob.get(roll).status_code == bob.send(roll, page="/settings").status_code == 404
    rolled = alice.send(roll, {"overlap": "24"})
    assert (rolled.status_code, rolled.headers["Cache-Control"]) == (201, "no-store")
    text = re.search(r"seo_live_[0-9A-Za-z]{49}", rolled.text)[0]
    for key in (former, text):
        assert alice.client.get("/public-api/account", headers={"X-API-Key": key}).status_code == 200
    assert "the former key ends" in alice.get("/settings/api-keys").text


def test_a_key_is_for_no_project_of_another_account(bob, project_id):
    fields = {"name": "ci", "access": "write", "days": "", "project": project_id}
    assert bob.send("/settings/api-keys", fields).status_code == 422


class TestClosedSignUp:
    @pytest.fixture
    def settings_overrides(self):
        return {"SIGN_UP": "closed"}

    def test_there_is_no_sign_up_page(self, charlie):
        assert charlie.get("/sign-up").status_code == 404
        assert "/sign-up" not in charlie.get("/sign-in").text
