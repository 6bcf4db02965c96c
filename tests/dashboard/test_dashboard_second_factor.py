"""The second factor in the dashboard: asked for after the password, set up and turned off in the settings."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from datetime import timedelta

import pyotp
import pytest
from flask import Flask

from app.accounts import second_factor
from app.dashboard.second_factor import ATTEMPTS
from app.dashboard.ui import cookie
from app.infra.clock import utc_now
from tests.dashboard.conftest import PASSWORD, Visitor
from tests.support.rate_windows import let_windows_pass

PAGE, ASK = "/settings/second-factor", "/sign-in/code"
EMAIL = "alice@example.com"
TIME_TO_SEND = 1
"""Seconds in which a test sends a code."""


class Phone:
    """Alice's phone, and the recovery codes that she printed."""

    def __init__(self, alice: Visitor) -> None:
        assert alice.send(f"{PAGE}/begin", {"password": PASSWORD}, page=PAGE).location == PAGE
        page = alice.get(PAGE).text
        groups = re.findall(r"<span>([A-Z2-7]{4})</span>", page)
        assert len(groups) == 8
        assert 'src="data:image/svg+xml' in page
        self.program = pyotp.TOTP("".join(groups))
        shown = alice.send(f"{PAGE}/confirm", {"code": self.code(-1)}, page=PAGE)
        assert (shown.status_code, shown.headers["Cache-Control"]) == (201, "no-store")
        assert "no longer work" not in shown.text, "there were none before"
        self.recovery = re.findall(r"<code>(\w{6}-\w{6})</code>", html.unescape(shown.text))

    def code(self, steps: int = 0) -> str:
        """The code of a step, when there is time left to send it before the step ends."""
        while second_factor.STEP - utc_now().timestamp() % second_factor.STEP < TIME_TO_SEND:
            time.sleep(0.05)
        return self.program.at(utc_now() + timedelta(seconds=steps * second_factor.STEP))


@pytest.fixture
def phone(alice: Visitor) -> Iterator[Phone]:
    return Phone(alice)


def test_signing_in_takes_the_password_and_then_a_code(charlie: Visitor, phone: Phone) -> None:
    assert charlie.sign_in(EMAIL).location == ASK
    assert charlie.get("/projects").location.startswith("/sign-in")
    wrong = charlie.send(ASK, {"code": "12 34"})
    assert (wrong.status_code, "This code is not right" in wrong.text) == (422, True)
    assert charlie.send(ASK, {"code": phone.code()}).location == "/projects"
    assert charlie.get("/projects").status_code == 200


def test_a_code_without_the_password_signs_nobody_in(charlie: Visitor, phone: Phone) -> None:
    token = charlie.hidden("/sign-in")
    answer = charlie.client.post(ASK, data={**token, "code": phone.code()})
    assert answer.location == "/sign-in"
    assert charlie.sign_in(EMAIL, "another password").status_code == 422
    assert charlie.get(ASK).location == "/sign-in"


def test_a_recovery_code_signs_in_once(app: Flask, charlie: Visitor, phone: Phone) -> None:
    assert len(phone.recovery) == 10
    charlie.sign_in(EMAIL)
    assert charlie.send(ASK, {"code": phone.recovery[0]}).status_code == 302
    other = Visitor(app)
    other.sign_in(EMAIL)
    assert other.send(ASK, {"code": phone.recovery[0]}).status_code == 422


def test_the_password_is_forgotten_after_ten_minutes(
    charlie: Visitor, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    charlie.sign_in(EMAIL)
    later = time.time() + cookie.HALF_SECONDS
    monkeypatch.setattr(cookie.time, "time", lambda: later)
    assert charlie.get(ASK).location == "/sign-in"


def test_codes_cannot_be_tried_for_long(charlie: Visitor, phone: Phone) -> None:
    charlie.sign_in(EMAIL)
    for _ in range(ATTEMPTS[0][0] - 1):  # one was used to turn it on
        assert charlie.send(ASK, {"code": "000"}).status_code == 422
    limited = charlie.send(ASK, {"code": phone.code()})
    assert limited.status_code == 429
    assert int(limited.headers["Retry-After"]) > 0


def test_patient_guesses_of_codes_are_fifty_a_day(app: Flask, charlie: Visitor, phone: Phone) -> None:
    charlie.sign_in(EMAIL)
    statuses = []
    for _ in range(6):
        let_windows_pass(app, ATTEMPTS[0][1])
        statuses += [charlie.send(ASK, {"code": "000"}).status_code for _ in range(ATTEMPTS[0][0])]
    assert statuses == [422] * 49 + [429] * 11  # one was used to turn it on


def test_a_code_leads_to_no_other_site(charlie: Visitor, phone: Phone) -> None:
    charlie.sign_in(EMAIL)
    assert charlie.send(f"{ASK}?next=https://evil.example", {"code": phone.code()}).location == "/projects"


def test_the_wanted_page_and_staying_signed_in_outlast_the_code(charlie: Visitor, phone: Phone) -> None:
    fields = {"email": EMAIL, "password": PASSWORD, "stays": "y"}
    asked = charlie.send("/sign-in?next=/executions", fields).location
    assert asked == f"{ASK}?next=/executions"
    assert charlie.send(asked, {"code": phone.code()}).location == "/executions"
    held = charlie.client.get_cookie("session")
    assert held is not None
    assert held.expires is not None


def test_turning_it_on_signs_the_other_browsers_out(app: Flask, alice: Visitor) -> None:
    other = Visitor(app)
    other.sign_in(EMAIL)
    Phone(alice)
    assert alice.get("/projects").status_code == 200
    assert other.get("/projects").status_code == 302


@pytest.mark.parametrize("action", ["off", "codes"])
def test_it_takes_the_password_to_change_it(alice: Visitor, phone: Phone, action: str) -> None:
    wrong = alice.send(f"{PAGE}/{action}", {"password": "not this one"}, page=PAGE)
    assert (wrong.status_code, "not your current password" in wrong.text) == (422, True)
    assert "10 recovery codes left" in wrong.text


def test_turned_off_the_password_is_enough(charlie: Visitor, alice: Visitor, phone: Phone) -> None:
    assert alice.send(f"{PAGE}/off", {"password": PASSWORD}, page=PAGE).location == PAGE
    assert charlie.sign_in(EMAIL).location == "/projects"


def test_the_operator_turns_it_off_for_somebody_who_lost_everything(
    app: Flask, charlie: Visitor, phone: Phone
) -> None:
    done = app.test_cli_runner().invoke(args=["user", "reset-second-factor", EMAIL])
    assert done.exit_code == 0
    assert charlie.sign_in(EMAIL).location == "/projects"


def test_it_takes_the_password_to_begin_and_guesses_are_limited(alice: Visitor) -> None:
    wrong = [alice.send(f"{PAGE}/begin", {"password": "not this one"}, page=PAGE) for _ in range(11)]
    assert [answer.status_code for answer in wrong] == [422] * 10 + [429]
    assert "data:image/svg+xml" not in alice.get(PAGE).text


def test_no_page_with_a_secret_is_stored(alice: Visitor, phone: Phone) -> None:
    assert alice.get(PAGE).headers["Cache-Control"] == "no-store"
    codes = alice.send(f"{PAGE}/codes", {"password": PASSWORD}, page=PAGE)
    assert (codes.status_code, codes.headers["Cache-Control"]) == (201, "no-store")


def test_a_blocked_account_is_not_asked_for_a_code(app: Flask, charlie: Visitor, phone: Phone) -> None:
    charlie.sign_in(EMAIL)
    assert charlie.get(ASK).status_code == 200
    assert app.test_cli_runner().invoke(args=["user", "block", EMAIL]).exit_code == 0
    assert charlie.get(ASK).location == "/sign-in"


def test_the_settings_show_whether_it_is_on(alice: Visitor) -> None:
    def state() -> str:
        return alice.get("/settings").text.partition('id="factor"')[2].partition("</section>")[0]

    assert ("off" in state(), "Set it up" in state()) == (True, True)
    Phone(alice)
    assert ("off" in state(), "Change it" in state()) == (False, True)


def test_there_are_no_recovery_codes_without_a_second_factor(alice: Visitor) -> None:
    assert alice.send(f"{PAGE}/codes", {"password": PASSWORD}, page=PAGE).status_code == 404
    assert Phone(alice).recovery


def test_new_recovery_codes_replace_the_others_and_say_so(
    charlie: Visitor, alice: Visitor, phone: Phone
) -> None:
    new = alice.send(f"{PAGE}/codes", {"password": PASSWORD}, page=PAGE)
    assert "Former recovery codes no longer work" in new.text
    charlie.sign_in(EMAIL)
    assert charlie.send(ASK, {"code": phone.recovery[0]}).status_code == 422
