"""Sends the mails that are due: claims each, has its text written, sends it and records the result."""

import logging
import time
from collections.abc import Callable
from typing import Final

from flask import Flask, current_app
from rq.timeouts import BaseTimeoutException

from app.infra.db import release
from app.infra.logs import cause_of
from app.infra.mail import Letter, Mailer, NotAccepted, Unclear
from app.infra.settings import current_settings
from app.notifications import outbox
from app.notifications.model import Mail

Compose = Callable[[Mail], Letter | None]
"""Writes the letter of a mail, None if there is nothing to say any more."""

BATCH: Final = 50
_SECONDS: Final = 60.0
_COMPOSE: Final = "compose_mail"

_log = logging.getLogger(__name__)


class _ClaimLost(Exception):
    """Raised before a mail's text is sent, if another process has the mail by now."""


def init_app(app: Flask, compose: Compose) -> None:
    """Set who writes the letters of the application."""
    app.extensions[_COMPOSE] = compose


def send_due(seconds: float = _SECONDS) -> int:
    """Send the mails that are due, for so many seconds; return how many were sent.

    It may run twice at once: each mail is claimed. After a lost connection the others wait for the next run.
    """
    if not current_settings().sends_mail:
        return 0
    outbox.record_interrupted()
    due, deadline, sent = outbox.due_ids(BATCH), time.monotonic() + seconds, 0
    release()
    with Mailer() as mailer:
        for mail_id in due:
            if time.monotonic() > deadline:
                break
            mail = outbox.claim(mail_id)
            if mail is None:
                continue
            try:
                sent += _attempt(mailer, mail)
            except NotAccepted:
                break
            finally:
                release()
    return sent


def _attempt(mailer: Mailer, mail: Mail) -> bool:
    mail_id, attempt = mail.id, mail.attempts
    try:
        letter = None if outbox.is_needless(mail) else current_app.extensions[_COMPOSE](mail)
    except BaseTimeoutException:
        raise
    except Exception as error:
        # One that cannot be written must not keep the others waiting.
        _log.exception("mail %s could not be written", mail_id)
        release()
        outbox.record_refusal(mail_id, attempt, cause_of(error)[:200])
        return False
    if letter is None:
        outbox.record_end(mail_id, attempt, "skipped")
        return False
    release()
    return _send(mailer, letter, mail_id, attempt)


def _send(mailer: Mailer, letter: Letter, mail_id: int, attempt: int) -> bool:
    def begin() -> None:
        is_claimed = outbox.begin_sending(mail_id, attempt)
        release()
        if not is_claimed:
            raise _ClaimLost

    try:
        mailer.send(letter, f"mail-{mail_id}", begin)
    except _ClaimLost:
        return False
    except Unclear as problem:
        _log.warning("mail %s: %s It may have been sent; it is not sent again.", mail_id, problem)
        outbox.record_end(mail_id, attempt, "unclear", str(problem))
        return False
    except NotAccepted as problem:
        _log.warning("mail %s, attempt %s: %s", mail_id, attempt, problem)
        outbox.record_refusal(mail_id, attempt, str(problem), permanent=problem.permanent)
        if problem.is_connected:
            return False
        raise
    outbox.record_end(mail_id, attempt, "sent")
    return True
