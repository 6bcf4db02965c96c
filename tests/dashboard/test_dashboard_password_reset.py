"""A forgotten password: asking for a link, the link, and what nobody learns from either."""

from __future__ import annotations

import logging
import re
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from app.accounts.model import Account, AccountLink
from app.dashboard.forms.by_mail import TO_EMAIL
from app.infra.clock import utc_now
from app.infra.db import db
from app.notifications.delivery import send_due
from app.notifications.model import Mail
from tests.dashboard.conftest import PASSWORD, Visitor
from tests.support.mail_server import MailServer
from tests.support.plans import listening

ASK, CHOOSE = "/forgot-password", "/reset-password"
EMAIL, NEW = "alice@example.com", "another good password"


@pytest.fixture
def settings_overrides(mail_server: MailServer) -> dict[str, str]:
    return mail_server.settings()


def link_by_mail(visitor: Visitor, server: MailServer) -> str:
    """Ask for a link as anybody may, and return its path from the mail that arrives."""
    assert visitor.send(ASK, {"email": " Alice@Example.com "}).status_code == 200
    with visitor.app.app_context():
        assert send_due() == 1
    assert server.box.recipients[-1] == EMAIL
    body = server.box.letters[-1].get_body(("plain",))
    assert body is not None
    found = re.search(r"https://app\.example\.com(/reset-password\?token=\S+)", body.get_content())
    assert found
    return found[1]


def test_a_link_by_mail_sets_a_new_password_once_and_ends_every_session(
    alice: Visitor, charlie: Visitor, mail_server: MailServer
) -> None:
    path = link_by_mail(charlie, mail_server)
    assert charlie.get(path).location == CHOOSE
    weak = charlie.send(CHOOSE, {"password": "password1234"})
    assert (weak.status_code, "easy to guess" in weak.text) == (422, True)
    assert charlie.send(CHOOSE, {"password": NEW}).location == "/sign-in"
    with charlie.client.session_transaction() as session:
        assert "link" not in session
    told = charlie.get("/sign-in").text
    assert "Your new password is set" in told
    assert "data-toast" not in told, "it stays"
    assert alice.get("/projects").status_code == 302
    assert charlie.sign_in(EMAIL, PASSWORD).status_code == 422
    assert charlie.sign_in(EMAIL, NEW).status_code == 302
    again = Visitor(charlie.app)
    again.get(path)
    assert again.get(CHOOSE).status_code == 404


def test_a_used_link_ends_the_other_links_of_the_account(
    alice: Visitor, charlie: Visitor, mail_server: MailServer
) -> None:
    first, second = (link_by_mail(charlie, mail_server) for _ in range(2))
    charlie.get(first)
    charlie.send(CHOOSE, {"password": NEW})
    charlie.get(second)
    assert charlie.get(CHOOSE).status_code == 404


@pytest.mark.parametrize(
    "typed", ["alice", "alice@example", "alice@example.com, bob@example.com", "a b@c.example"]
)
def test_what_is_no_address_gets_no_mail(charlie: Visitor, typed: str) -> None:
    answer = charlie.send(ASK, {"email": typed})
    assert (answer.status_code, "This is not an e-mail address" in answer.text) == (422, True)
    with charlie.app.app_context():
        assert db.session.scalars(select(Mail)).all() == []


def test_a_link_works_for_an_hour(alice: Visitor, charlie: Visitor, mail_server: MailServer) -> None:
    charlie.get(link_by_mail(charlie, mail_server))
    with charlie.app.app_context():
        lasts = db.session.scalars(select(AccountLink)).one().expires_at - utc_now()
        assert timedelta(minutes=59) < lasts <= timedelta(hours=1)
    assert charlie.get(CHOOSE).status_code == 200
    token = charlie.hidden(CHOOSE)
    with charlie.app.app_context():
        db.session.execute(update(AccountLink).values(expires_at=utc_now()))
        db.session.commit()
    assert charlie.client.post(CHOOSE, data={**token, "password": NEW}).status_code == 404


def test_a_mail_that_could_not_be_sent_within_the_hour_is_skipped(
    alice: Visitor, charlie: Visitor, mail_server: MailServer
) -> None:
    charlie.send(ASK, {"email": EMAIL})
    with charlie.app.app_context():
        db.session.execute(update(Mail).values(created_at=utc_now() - timedelta(hours=1)))
        db.session.commit()
        assert send_due() == 0
        assert db.session.scalars(select(Mail.state)).all() == ["skipped"]


def test_asking_says_and_does_the_same_for_addresses_without_an_account(
    alice: Visitor, charlie: Visitor, mail_server: MailServer
) -> None:
    answers, statements = [], []
    for email in (EMAIL, "nobody@example.com"):
        fields = {**charlie.hidden(ASK), "email": email}
        with charlie.app.app_context(), listening(db.engine) as heard:
            answer = charlie.client.post(ASK, data=fields)
        answers.append((answer.status_code, answer.text.replace(email, "-")))
        statements.append([text for text, _ in heard])
    assert answers[0] == answers[1]
    assert statements[0] == statements[1]
    assert any("INSERT INTO mails" in text for text in statements[0])
    with charlie.app.app_context():
        assert send_due() == 1
    assert mail_server.box.recipients == [EMAIL]


def test_the_token_is_in_no_row_no_log_and_no_page(
    alice: Visitor, charlie: Visitor, mail_server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        path = link_by_mail(charlie, mail_server)
        followed = charlie.get(path)
        page = charlie.get(CHOOSE)
        charlie.send(CHOOSE, {"password": NEW})
    token = path.rpartition("=")[2]
    assert len(token) == 43
    assert "GET /reset-password 302" in caplog.text
    assert token not in caplog.text + page.text + followed.text + followed.location
    with charlie.app.app_context():
        rows = [*db.session.scalars(select(Mail)), *db.session.scalars(select(AccountLink))]
        assert not any(token in str(vars(row)) for row in rows)


def test_a_mail_with_a_link_cannot_be_turned_off(
    alice: Visitor, charlie: Visitor, mail_server: MailServer
) -> None:
    link_by_mail(charlie, mail_server)
    assert "List-Unsubscribe" not in mail_server.box.letters[0]
    assert "/mails/" not in mail_server.box.letters[0].as_string()


def test_a_blocked_account_gets_no_link_and_uses_none(
    alice: Visitor, charlie: Visitor, mail_server: MailServer
) -> None:
    charlie.get(link_by_mail(charlie, mail_server))
    token = charlie.hidden(CHOOSE)
    with charlie.app.app_context():
        db.session.execute(update(Account).values(active=False))
        db.session.commit()
    refused = charlie.client.post(CHOOSE, data={**token, "password": NEW})
    assert (refused.status_code, "This link does not work" in refused.text) == (422, True)
    charlie.send(ASK, {"email": EMAIL})
    with charlie.app.app_context():
        assert send_due() == 0


def test_asking_is_limited_for_each_address(alice: Visitor, charlie: Visitor) -> None:
    for _ in range(TO_EMAIL[0]):
        assert charlie.send(ASK, {"email": EMAIL}).status_code == 200
    assert charlie.send(ASK, {"email": EMAIL}).status_code == 429
    assert charlie.send(ASK, {"email": "bob@example.com"}).status_code == 200


@pytest.mark.parametrize("token", ["x", "x" * 43, "%00", "é"])
def test_a_made_up_link_does_not_work(charlie: Visitor, alice: Visitor, token: str) -> None:
    charlie.get(f"{CHOOSE}?token={token}")
    answer = charlie.get(CHOOSE)
    assert (answer.status_code, "This link does not work" in answer.text) == (404, True)


class TestWithoutAMailServer:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {}

    def test_the_page_says_who_can_help(self, charlie: Visitor, alice: Visitor) -> None:
        assert f'href="{ASK}"' in charlie.get("/sign-in").text
        page = charlie.get(ASK)
        assert "Ask the person who operates it" in page.text
        assert "<form" not in page.text
