"""Signing up: by a link in a mail, by invitation, and what nobody learns from it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from random import Random
from string import ascii_letters

import pytest
from click.testing import Result
from flask import Flask
from sqlalchemy import func, select, update

from app.accounts import service
from app.accounts.model import Account
from app.dashboard.forms.by_mail import FROM_ADDRESS
from app.infra.clock import utc_now
from app.infra.db import db
from app.notifications.delivery import send_due
from app.notifications.model import Mail
from tests.dashboard.conftest import Visitor
from tests.support.mail_server import MailServer
from tests.support.plans import listening

JOIN, ACCEPT = "/sign-up", "/sign-up/new"
NEW, PASSWORD = "dora@example.com", "a long password"
TEXT_LINK = re.compile(r"https?://\S+?(/sign-up/new\?token=\S+)")


def accounts(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(Account)) or 0


def last_text(app: Flask, server: MailServer) -> str:
    with app.app_context():
        assert send_due() == 1
    body = server.box.letters[-1].get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def link_in(text: str) -> str:
    found = TEXT_LINK.search(text)
    assert found
    return found[1]


class TestByMail:
    @pytest.fixture
    def settings_overrides(self, mail_server: MailServer) -> dict[str, str]:
        return mail_server.settings()

    def test_an_endless_address_to_add_leaves_the_cookie_one_that_browsers_keep(
        self, charlie: Visitor
    ) -> None:
        site = "".join(Random(1).choices(ascii_letters, k=20_000))
        assert charlie.send(JOIN, {"email": NEW, "site": site}, page=JOIN).status_code == 200
        cookie = charlie.client.get_cookie("session")
        assert cookie is not None
        assert 1000 < len(cookie.value) < 4000

    def test_there_is_an_account_once_the_password_is_chosen_behind_the_link(
        self, app: Flask, charlie: Visitor, mail_server: MailServer
    ) -> None:
        assert 'name="password"' not in charlie.get(JOIN).text
        assert 'name="password"' not in charlie.get("/").text
        answer = charlie.send(JOIN, {"email": NEW, "site": "dora.example"}, page=JOIN)
        assert (answer.status_code, "Look into your mailbox" in answer.text) == (200, True)
        path = link_in(last_text(app, mail_server))
        assert (mail_server.box.recipients, accounts(app)) == ([NEW], 0)
        assert charlie.get(path).location == ACCEPT
        assert charlie.send(ACCEPT, {"password": "dora@example.com"}).status_code == 422
        assert charlie.send(ACCEPT, {"password": PASSWORD}).location == "/projects/new?site=dora.example"
        assert charlie.get("/projects").status_code == 200
        assert Visitor(app).sign_in(NEW, PASSWORD).status_code == 302
        again = Visitor(app)
        again.get(path)
        assert again.get(ACCEPT).status_code == 404

    def test_the_form_says_and_does_the_same_for_an_address_that_has_an_account(
        self, app: Flask, alice: Visitor, charlie: Visitor, mail_server: MailServer
    ) -> None:
        answers, statements = [], []
        for email in ("alice@example.com", NEW):
            fields = {**charlie.hidden(JOIN), "email": email}
            with app.app_context(), listening(db.engine) as heard:
                answer = charlie.client.post(JOIN, data=fields)
            answers.append((answer.status_code, answer.text.replace(email, "-")))
            statements.append([text for text, _ in heard])
        assert answers[0] == answers[1]
        assert statements[0] == statements[1]
        with app.app_context():
            assert send_due() == 2
        subjects = {str(letter["To"]): letter["Subject"] for letter in mail_server.box.letters}
        assert subjects == {"alice@example.com": "You have an account already", NEW: "Create your account"}

    def test_a_password_cannot_be_chosen_for_an_address_before_its_link_is_opened(
        self, app: Flask, charlie: Visitor
    ) -> None:
        charlie.send(JOIN, {"email": NEW, "password": PASSWORD})
        assert accounts(app) == 0

    @pytest.mark.parametrize("change", ["a day passes", "sign-up is closed"])
    def test_no_link_is_mailed_when_it_would_not_work(
        self, app: Flask, charlie: Visitor, mail_server: MailServer, change: str
    ) -> None:
        charlie.send(JOIN, {"email": NEW})
        with app.app_context():
            if change == "a day passes":
                db.session.execute(update(Mail).values(created_at=utc_now() - timedelta(days=1)))
                db.session.commit()
            else:
                app.extensions["settings"] = replace(app.extensions["settings"], sign_up="closed")
            assert send_due() == 0
        assert mail_server.box.letters == []

    def test_mails_asked_for_from_one_network_are_limited(self, charlie: Visitor) -> None:
        most = FROM_ADDRESS[0]
        answers = [charlie.send(JOIN, {"email": f"dora{n}@example.com"}).status_code for n in range(most + 1)]
        assert answers == [200] * most + [429]

    def test_a_link_to_sign_up_resets_no_password(
        self, app: Flask, charlie: Visitor, mail_server: MailServer
    ) -> None:
        charlie.send(JOIN, {"email": NEW})
        token = link_in(last_text(app, mail_server)).partition("=")[2]
        charlie.get(f"/reset-password?token={token}")
        assert charlie.get("/reset-password").status_code == 404


class TestWithoutConfirmation:
    @pytest.fixture
    def settings_overrides(self, mail_server: MailServer) -> dict[str, str]:
        return mail_server.settings(CONFIRM_EMAIL="0")

    def test_an_account_is_created_at_once(self, charlie: Visitor) -> None:
        assert charlie.send(JOIN, {"email": NEW, "password": PASSWORD}).location == "/projects/new"

    def test_the_form_that_has_to_say_which_address_is_taken_answers_20_times_an_hour(
        self, charlie: Visitor, alice: Visitor
    ) -> None:
        taken = {"email": "alice@example.com", "password": PASSWORD}
        answers = [charlie.send(JOIN, taken).status_code for _ in range(21)]
        assert answers == [422] * 20 + [429]


class TestByInvitation:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"SIGN_UP": "invitation"}

    def invite(self, app: Flask, email: str = NEW) -> Result:
        return app.test_cli_runner().invoke(args=["user", "invite", email])

    def test_an_invited_address_gets_one_account(self, app: Flask, charlie: Visitor) -> None:
        path = link_in(self.invite(app).stdout)
        charlie.get(path)
        assert NEW in charlie.get(ACCEPT).text
        assert charlie.send(ACCEPT, {"password": PASSWORD}).status_code == 302
        refused = self.invite(app)
        assert (refused.exit_code, service.TAKEN in refused.stderr) == (1, True)
        charlie.get(path)
        assert charlie.get(ACCEPT).status_code == 404

    def test_nobody_signs_up_without_one(self, charlie: Visitor) -> None:
        assert charlie.get(JOIN).status_code == 404
        assert JOIN not in charlie.get("/sign-in").text
        assert charlie.get(ACCEPT).status_code == 404


class TestClosed:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"SIGN_UP": "closed"}

    def test_nobody_is_invited(self, app: Flask) -> None:
        refused = app.test_cli_runner().invoke(args=["user", "invite", NEW])
        assert (refused.exit_code, "SIGN_UP is closed" in refused.stderr) == (1, True)
