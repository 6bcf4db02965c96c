"""Writes mails about changes of how somebody signs in, from the security log.

The packages that make such a change are below this one, so that the log says what is to be mailed.
"""

from datetime import timedelta
from typing import Final

from sqlalchemy import String, cast, exists, select

from app.accounts.model import SecurityEvent
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.settings import current_settings
from app.notifications import outbox
from app.notifications.kinds import SIGN_IN_CHANGED
from app.notifications.model import Mail

NOTICED: Final = ("password_changed", "second_factor_on", "second_factor_off")
"""The events that are mailed. The e-mail of an account cannot be changed."""

WITHIN: Final = timedelta(days=1)
"""Older events are not mailed: the service had no mail server then."""

_AT_ONCE: Final = 200


def write_due_notices() -> int:
    """Write a mail for each such event that has none, and commit; return how many.

    It may run twice at once: there is one mail for an event.
    """
    if not current_settings().sends_mail:
        return 0
    event = SecurityEvent
    has_mail = exists().where(
        Mail.account_id == event.account_id,
        Mail.kind == SIGN_IN_CHANGED,
        Mail.event == cast(event.id, String),
    )
    due = db.session.scalars(
        select(event)
        .where(
            event.at > utc_now() - WITHIN, event.kind.in_(NOTICED), event.account_id.is_not(None), ~has_mail
        )
        .order_by(event.at)
        .limit(_AT_ONCE)
    ).all()
    for each in due:
        facts = {"kind": each.kind, "at": each.at.isoformat(), "via": each.via, "address": each.address}
        outbox.write(SIGN_IN_CHANGED, each.account_id or 0, str(each.id), facts)
    db.session.commit()
    return len(due)
