"""A change of how somebody signs in is mailed to the account's address, once, on both databases."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

import pyotp
import pytest
from flask import Flask
from sqlalchemy import update

from app.accounts import second_factor, service
from app.accounts.model import Account, SecurityEvent
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.origin import set_origin
from app.jobs.tasks import send_mails
from app.notifications.choices import set_wanted
from app.notifications.security_notices import write_due_notices
from tests.notifications.conftest import mails, states
from tests.support.mail_server import MailServer

pytestmark = pytest.mark.usefixtures("no_waiting")

PASSWORD = "correct horse battery"


@pytest.fixture
def alice(db_app: Flask) -> Account:
    account = service.sign_up("alice@example.com", PASSWORD)
    set_origin("the dashboard", "192.0.2.7")
    return account


def text_of(letter: EmailMessage, kind: str = "plain") -> str:
    body = letter.get_body((kind,))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def test_a_changed_password_is_mailed_once_with_when_and_from_where(
    alice: Account, mail_server: MailServer
) -> None:
    service.change_password(alice, PASSWORD, "correct donkey battery")
    send_mails()
    send_mails()
    [letter] = mail_server.box.letters
    assert (letter["To"], letter["Subject"]) == ("alice@example.com", "Your password was changed")
    for kind in ("plain", "html"):
        said = text_of(letter, kind)
        assert "through the dashboard from the address 192.0.2.7" in said
        assert "https://app.example.com/forgot-password" in said
        assert "donkey" not in said
        assert "Turn these mails off" not in said
    assert letter["List-Unsubscribe"] is None


def test_a_second_factor_that_is_turned_on_or_off_is_mailed(alice: Account, mail_server: MailServer) -> None:
    second_factor.begin(alice)
    setup = second_factor.setup_of(alice)
    assert setup is not None
    second_factor.confirm(alice, pyotp.TOTP(setup.secret).now())
    second_factor.turn_off(alice)
    send_mails()
    assert sorted(letter["Subject"] for letter in mail_server.box.letters) == [
        "Your second factor was turned off",
        "Your second factor was turned on",
    ]


def test_these_mails_cannot_be_turned_off(alice: Account, mail_server: MailServer) -> None:
    set_wanted(alice.id, ())
    service.set_password(alice, "correct donkey battery")
    send_mails()
    assert len(mail_server.box.letters) == 1


def test_other_events_and_old_ones_are_not_mailed(alice: Account) -> None:
    service.authenticate("alice@example.com", "wrong")
    service.authenticate("nobody@example.com", "wrong")
    service.set_password(alice, "correct donkey battery")
    db.session.execute(update(SecurityEvent).values(at=utc_now() - timedelta(days=2)))
    db.session.commit()
    assert (write_due_notices(), mails()) == (0, [])


def test_a_blocked_account_gets_no_such_mail(alice: Account, mail_server: MailServer) -> None:
    service.set_password(alice, "correct donkey battery")
    alice.active = False
    db.session.commit()
    send_mails()
    assert (states(), mail_server.box.letters) == (["skipped"], [])


class TestWithoutAMailServer:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {}

    def test_nothing_is_written(self, alice: Account) -> None:
        service.set_password(alice, "correct donkey battery")
        assert (write_due_notices(), mails()) == (0, [])
