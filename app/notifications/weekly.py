"""Writes the weekly summaries into the outbox on Monday mornings."""

from datetime import datetime, time, timedelta
from typing import Final

from sqlalchemy import exists, select

from app.accounts.model import Account
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.local_time import monday_of
from app.infra.settings import current_settings
from app.notifications.kinds import WEEKLY_SUMMARY
from app.notifications.model import Mail, UnwantedMail
from app.notifications.outbox import write
from app.projects.model import Project

HOUR: Final = 6
"""When summaries are due on Mondays, in UTC."""

_LATEST: Final = timedelta(days=2)
"""A summary that could not be written for so long is left out."""

_AT_ONCE: Final = 500


def write_due_summaries(now: datetime | None = None) -> int:
    """Write the summary of the last week for each account that wants one and has a project; return how many.

    It may run twice: an account gets one summary a week. Commits.
    """
    now = now or utc_now()
    monday = monday_of(now.date())
    due = datetime.combine(monday, time(HOUR), tzinfo=now.tzinfo)
    if not current_settings().sends_mail or not due <= now < due + _LATEST:
        return 0
    event = f"week:{monday.isoformat()}"
    written = exists().where(Mail.account_id == Account.id, Mail.kind == WEEKLY_SUMMARY, Mail.event == event)
    unwanted = exists().where(UnwantedMail.account_id == Account.id, UnwantedMail.kind == WEEKLY_SUMMARY)
    accounts = db.session.scalars(
        select(Account.id)
        .where(Account.active, exists().where(Project.account_id == Account.id), ~written, ~unwanted)
        .order_by(Account.id)
        .limit(_AT_ONCE)
    ).all()
    for account_id in accounts:
        write(WEEKLY_SUMMARY, account_id, event, {"until": due.isoformat()})
    db.session.commit()
    return len(accounts)
