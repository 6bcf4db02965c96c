"""Which mails a person gets: the settings, and the link in each mail that needs no sign-in."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app.accounts.service import find_account
from app.notifications.choices import Choice, token_of, wanted_kinds
from app.notifications.kinds import KINDS, PUBLISHING_FAILED, WEEKLY_SUMMARY
from tests.dashboard.conftest import Visitor

MAIL = {"SMTP_HOST": "127.0.0.1", "SMTP_FROM": "notices@example.com", "PUBLIC_URL": "https://app.example.com"}


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return MAIL


def account_id(app: Flask) -> int:
    with app.app_context():
        account = find_account("alice@example.com")
        assert account is not None
        return account.id


def wanted(app: Flask) -> set[str]:
    with app.app_context():
        return wanted_kinds(account_id(app))


def link(app: Flask, kind: str = WEEKLY_SUMMARY) -> str:
    with app.app_context():
        return f"/mails/{token_of(Choice(account_id(app), kind))}"


def ticked(visitor: Visitor) -> set[str]:
    return set(re.findall(r'<input [^>]*checked[^>]* name="(\w+)"', visitor.get("/settings").text))


def test_every_kind_is_on_at_first_and_each_can_be_turned_off(app: Flask, alice: Visitor) -> None:
    assert ticked(alice) == set(KINDS)
    fields = {PUBLISHING_FAILED: "y"}
    assert alice.send("/settings/mails", fields, page="/settings").location == "/settings#mails"
    assert (wanted(app), ticked(alice)) == ({PUBLISHING_FAILED}, {PUBLISHING_FAILED})
    alice.send("/settings/mails", dict.fromkeys(KINDS, "y"), page="/settings")
    assert wanted(app) == set(KINDS)


def test_looking_at_the_link_changes_nothing_and_its_button_does(
    app: Flask, alice: Visitor, charlie: Visitor
) -> None:
    path = link(app)
    page = charlie.get(path)
    assert (page.status_code, page.text.count("<button"), wanted(app)) == (200, 1, set(KINDS))
    assert "alice@example.com" not in page.text
    assert charlie.client.post(path, data={"turn": "off"}).location == path
    assert wanted(app) == set(KINDS) - {WEEKLY_SUMMARY}
    assert "Turn on again" in charlie.get(path).text
    charlie.client.post(path, data={"turn": "on"})
    assert wanted(app) == set(KINDS)


def test_a_mail_program_unsubscribes_by_one_post(app: Flask, alice: Visitor, charlie: Visitor) -> None:
    for _ in range(2):
        answer = charlie.client.post(link(app), data={"List-Unsubscribe": "One-Click"})
        assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert wanted(app) == set(KINDS) - {WEEKLY_SUMMARY}


def test_a_link_that_was_changed_changes_nothing(app: Flask, alice: Visitor, charlie: Visitor) -> None:
    token = link(app)
    for path in (f"{token}x", token[:-3], "/mails/x", "/mails/" + "x" * 3000):
        assert charlie.get(path).status_code == 404
        assert charlie.client.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 404
    assert wanted(app) == set(KINDS)


@pytest.mark.usefixtures("alice")
def test_a_token_for_something_else_is_no_link(app: Flask, charlie: Visitor) -> None:
    with app.app_context():
        path = f"/mails/{token_of(Choice(account_id(app), 'password'))}"
        gone = f"/mails/{token_of(Choice(account_id(app) + 99, WEEKLY_SUMMARY))}"
    assert (charlie.get(path).status_code, charlie.get(gone).status_code) == (404, 404)


class TestWithoutAMailServer:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {}

    def test_the_settings_say_that_no_mails_are_sent(self, alice: Visitor) -> None:
        page = alice.get("/settings").text
        assert "This service sends no e-mails" in page
        assert ticked(alice) == set()
