"""The outbox loses no mail, and sends none twice where that can be known."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.accounts.model import Account
from app.infra.clock import utc_now
from app.infra.db import db
from app.notifications import choices, delivery, outbox
from app.notifications.delivery import send_due
from app.notifications.kinds import KINDS, PUBLISHING_FAILED
from app.notifications.model import Mail
from tests.notifications.conftest import due_again, mails, states
from tests.support.mail_server import MailServer
from tests.support.scheduling import Planned
from tests.support.together import together


@pytest.fixture
def written(planned: Planned) -> Planned:
    """One mail in the outbox, about Alice's post."""
    write(planned, "one")
    return planned


def write(planned: Planned, event: str) -> None:
    facts = {"blog_post_id": planned.post_id, "failure": {"code": "TARGET_AUTH", "message": "No."}}
    outbox.put(PUBLISHING_FAILED, planned.project().id, event, facts)
    db.session.commit()


def test_an_event_has_one_mail_and_a_transaction_that_fails_has_none(planned: Planned) -> None:
    write(planned, "one")
    write(planned, "one")
    outbox.put(PUBLISHING_FAILED, planned.project().id, "two", {})
    db.session.rollback()
    assert [mail.event for mail in mails()] == ["one"]


def test_a_refused_mail_is_sent_later(written: Planned, mail_server: MailServer) -> None:
    mail_server.box.answers["RCPT"] = "451 later"
    assert (send_due(), states()) == (0, ["waiting"])
    assert mails()[0].problem == "The mail server answered 451."
    assert send_due() == 0  # not before the pause is over
    mail_server.box.answers.clear()
    due_again()
    assert (send_due(), states(), len(mail_server.box.letters)) == (1, ["sent"], 1)
    due_again()
    assert send_due() == 0


def test_a_mail_is_given_up_after_a_number_of_attempts(written: Planned, mail_server: MailServer) -> None:
    mail_server.box.answers["DATA"] = "451 later"
    for _ in range(outbox.MOST_ATTEMPTS):
        assert states() == ["waiting"]
        send_due()
        due_again()
    assert states() == ["failed"]


def test_a_permanent_refusal_ends_a_mail_and_not_the_others(
    written: Planned, mail_server: MailServer
) -> None:
    write(written, "two")
    mail_server.box.answers["RCPT"] = "550 unknown"
    send_due()
    assert states() == ["failed", "failed"]
    assert mail_server.box.connections == 1


def test_without_a_server_all_mails_wait_after_one_attempt(written: Planned, mail_server: MailServer) -> None:
    write(written, "two")
    mail_server.box.refuses = True
    send_due()
    assert sorted(mail.attempts for mail in mails()) == [0, 1]
    assert states() == ["waiting", "waiting"]


def test_a_mail_whose_answer_never_came_is_not_sent_again(
    written: Planned, mail_server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    mail_server.box.hangs_up = True
    assert (send_due(), states()) == (0, ["unclear"])
    due_again()
    send_due()
    assert mail_server.box.texts == 1
    assert "alice@example.com" not in caplog.text


def test_a_process_that_dies_while_a_text_is_sent_leaves_the_mail_unclear(
    written: Planned, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail_id = mails()[0].id
    mail = outbox.claim(mail_id)
    assert mail is not None
    assert outbox.begin_sending(mail_id, mail.attempts)
    due_again()
    send_due()
    assert (states(), mail_server.box.texts) == (["unclear"], 0)


def test_a_process_that_dies_before_the_text_leaves_the_mail_to_another(
    written: Planned, mail_server: MailServer
) -> None:
    mail_id = mails()[0].id
    first = outbox.claim(mail_id)
    assert first is not None
    assert outbox.claim(mail_id) is None
    due_again()
    assert (send_due(), states()) == (1, ["sent"])
    assert not outbox.begin_sending(mail_id, 1)


def test_two_processes_send_a_mail_once(written: Planned, mail_server: MailServer, app: Flask) -> None:
    assert sorted(together(app, send_due, 2)) == [0, 1]
    assert len(mail_server.box.letters) == 1


def test_a_letter_that_cannot_be_written_does_not_hold_up_the_others(
    written: Planned, mail_server: MailServer
) -> None:
    db.session.execute(update(Mail).values(kind="unheard-of", event="odd"))
    db.session.commit()
    write(written, "two")
    assert (send_due(), states()) == (1, ["waiting", "sent"])


def test_a_mail_that_is_not_wanted_any_more_is_skipped(written: Planned, mail_server: MailServer) -> None:
    choices.set_wanted(written.project().account_id, set(KINDS) - {PUBLISHING_FAILED})
    assert (send_due(), states()) == (0, ["skipped"])


def test_an_old_mail_is_skipped_and_later_deleted(written: Planned) -> None:
    db.session.execute(update(Mail).values(created_at=utc_now() - outbox.TOO_OLD - timedelta(hours=1)))
    db.session.commit()
    assert (send_due(), states(), outbox.prune()) == (0, ["skipped"], 0)
    db.session.execute(update(Mail).values(created_at=utc_now() - outbox.KEPT_FOR - timedelta(hours=1)))
    db.session.commit()
    assert (outbox.prune(), mails()) == (1, [])


def test_an_account_gets_a_limited_number_of_mails_a_day(
    written: Planned, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MOST_A_DAY", 2)
    for event in ("two", "three"):
        write(written, event)
    assert (send_due(), sorted(states())) == (2, ["sent", "sent", "skipped"])


def test_an_inactive_account_gets_no_mail(written: Planned, mail_server: MailServer) -> None:
    db.session.execute(update(Account).values(active=False))
    db.session.commit()
    assert (send_due(), states()) == (0, ["skipped"])


def test_sending_stops_when_its_time_is_over(written: Planned, mail_server: MailServer) -> None:
    assert (delivery.send_due(seconds=-1), states()) == (0, ["waiting"])


def test_the_doctor_says_whether_the_mail_server_can_be_used(
    app: Flask, mail_server: MailServer, planned: Planned
) -> None:
    db.session.remove()
    assert "ok    mail: the server accepts" in app.test_cli_runner().invoke(args=["doctor"]).output
    mail_server.box.refuses = True
    result = app.test_cli_runner().invoke(args=["doctor"])
    assert "TO DO mail: check the server and the SMTP settings. No usable connection" in result.output
    assert result.exit_code == 1


def test_reconcile_sends_mails_where_no_scheduler_runs(
    app: Flask, written: Planned, mail_server: MailServer
) -> None:
    choices.set_wanted(written.project().account_id, {PUBLISHING_FAILED})  # no summary if today is a Monday
    db.session.remove()
    assert "mails sent: 1" in app.test_cli_runner().invoke(args=["reconcile"]).output
    assert len(mail_server.box.letters) == 1
