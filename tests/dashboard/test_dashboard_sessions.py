"""Sessions in the dashboard: signing out, the list, staying signed in, the way back."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from app.dashboard.ui.browser_names import browser_name
from tests.dashboard.conftest import Visitor

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"


@pytest.fixture
def other(app, alice) -> Visitor:
    """Alice's other browser."""
    visitor = Visitor(app)
    visitor.client.environ_base["HTTP_USER_AGENT"] = FIREFOX
    visitor.sign_in("alice@example.com")
    return visitor


def copy_of(app, visitor: Visitor) -> Visitor:
    """Somebody who has a copy of the visitor's cookie."""
    cookie = visitor.client.get_cookie("session")
    assert cookie is not None
    copied = Visitor(app)
    copied.client.set_cookie("session", cookie.value)
    return copied


def test_a_copied_cookie_is_worth_nothing_after_signing_out(app, alice):
    copied = copy_of(app, alice)
    assert copied.get("/projects").status_code == 200
    alice.send("/sign-out", page="/settings")
    assert copied.get("/projects").status_code == 302


def test_a_session_of_the_browser_ends_when_somebody_signs_in_again(app, alice):
    copied = copy_of(app, alice)
    fields = {"email": "alice@example.com", "password": "correct horse battery"}
    assert alice.send("/sign-in", fields, page="/settings").status_code == 302
    assert alice.get("/projects").status_code == 200
    assert copied.get("/projects").status_code == 302


def test_the_cookie_names_no_account(alice):
    with alice.client.session_transaction() as session:
        assert set(session) <= {"token", "csrf_token", "_flashes", "_permanent"}


def test_the_list_shows_the_browsers_and_signs_one_out(alice, other):
    page = alice.get("/settings/sessions").text
    assert "Firefox on Windows" in page
    (revoke,) = re.findall(r"/settings/sessions/\d+/revoke", page)
    answer = alice.send(revoke, page="/settings/sessions")
    assert answer.location == "/settings/sessions"
    assert other.get("/projects").status_code == 302
    assert "Firefox" not in alice.get("/settings/sessions").text


def test_all_other_browsers_are_signed_out_at_once(alice, other, bob):
    alice.send("/settings/sessions/revoke-others", page="/settings/sessions")
    assert [who.get("/projects").status_code for who in (alice, other, bob)] == [200, 302, 200]


def test_bob_signs_no_browser_of_alice_out(alice, other, bob):
    (revoke,) = re.findall(r"/settings/sessions/\d+/revoke", alice.get("/settings/sessions").text)
    bob.send(revoke, page="/settings/sessions")
    assert other.get("/projects").status_code == 200


def test_a_form_token_is_good_for_one_session_only(alice, other):
    token = other.hidden("/settings/sessions")
    assert alice.client.post("/settings/sessions/revoke-others", data=token).status_code == 400
    assert other.get("/projects").status_code == 200


@pytest.mark.parametrize("stays", [True, False])
def test_staying_signed_in_outlives_the_browser(charlie, alice, stays):
    fields = {"email": "alice@example.com", "password": "correct horse battery"}
    charlie.send("/sign-in", {**fields, "stays": "y"} if stays else fields)
    cookie = charlie.client.get_cookie("session")
    assert cookie is not None
    assert (cookie.expires is not None) is stays


def test_somebody_whose_session_ended_is_led_back_to_the_form(app, alice, things):
    form = f"/projects/{things['project_id']}/posts/generate?length=500"
    copied = copy_of(app, alice)
    alice.send("/sign-out", page="/settings")
    answer = copied.client.post(form, headers={"Referer": f"http://localhost{form}"})
    assert answer.location == f"/sign-in?next={quote(form, safe='/?')}"
    for elsewhere in ({"Referer": f"http://evil.example{form}"}, {}):
        assert copied.client.post(form, headers=elsewhere).location == "/sign-in"
    assert copied.client.get("/executions").location == "/sign-in?next=/executions"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX, "Firefox on Windows"),
        (CHROME, "Chrome on Linux"),
        (CHROME + " Edg/140.0", "Edge on Linux"),
        (PHONE, "Safari on iPhone"),
        ("curl/8.0", "Another browser"),
        ("", "Another browser"),
    ],
)
def test_browsers_have_names_that_people_know(user_agent, name):
    assert browser_name(user_agent) == name


def test_a_form_token_ends_with_its_session(alice):
    token = alice.hidden("/settings")
    fields = {"email": "alice@example.com", "password": "correct horse battery"}
    assert alice.send("/sign-in", fields, page="/settings").status_code == 302
    assert alice.client.post("/sign-out", data=token).status_code == 400
    assert alice.get("/projects").status_code == 200
