"""Writes mails in the transaction of their events; claims them and records what became of them.

waiting | claim: next_try_at moves on | sending, before the text is sent | sent, or waiting again
                                                                         | unclear: not sent again
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from sqlalchemy import func, select, update

from app.infra.clock import utc_now
from app.infra.db import changed_rows, database_now, db, insert_new
from app.infra.pruning import delete_older
from app.infra.settings import current_settings
from app.notifications.model import Mail, UnwantedMail
from app.projects.model import Project

CLAIM_SECONDS: Final = 600
"""After so long without a result, a claimed mail is claimed again, unless its text may have been sent."""

MOST_ATTEMPTS: Final = 8
_FIRST_PAUSE: Final = 60
_LONGEST_PAUSE: Final = 6 * 3600

MOST_A_DAY: Final = 30
"""Mails that one account, or one typed address, gets in 24 hours. Others are skipped."""

TOO_OLD: Final = timedelta(days=3)
"""A mail that could not be sent for so long is skipped."""

KEPT_FOR: Final = timedelta(days=60)


def put(kind: str, project_id: int, event: str, facts: Mapping[str, Any]) -> None:
    """Write the mail about an event of a project, once for each ``event``. Commits nothing.

    Nothing is written if the service sends no mails.
    """
    if not current_settings().sends_mail:
        return
    account_id = db.session.scalar(select(Project.account_id).where(Project.id == project_id))
    if account_id is not None:
        write(kind, account_id, event, facts, project_id)


def write(
    kind: str, account_id: int, event: str, facts: Mapping[str, Any], project_id: int | None = None
) -> None:
    """Write the mail about an event of an account, once for each ``event``. Commits nothing."""
    insert_new(
        Mail,
        kind=kind,
        account_id=account_id,
        project_id=project_id,
        event=event,
        facts=dict(facts),
        next_try_at=utc_now(),
    )


def write_to(kind: str, recipient: str) -> None:
    """Write a mail that somebody asked for by typing an address, and commit.

    Whether the address has an account is looked up when the letter is written: asking takes the same time.
    """
    db.session.add(Mail(kind=kind, recipient=recipient, event=uuid4().hex, facts={}, next_try_at=utc_now()))
    db.session.commit()


def due_ids(most: int) -> Sequence[int]:
    """Return the ids of at most ``most`` mails that may be claimed, the longest due first."""
    return db.session.scalars(
        select(Mail.id)
        .where(Mail.state == "waiting", Mail.next_try_at <= database_now())
        .order_by(Mail.next_try_at)
        .limit(most)
    ).all()


def claim(mail_id: int) -> Mail | None:
    """Claim a due mail for an attempt, and commit; None if another process has it."""
    is_claimed = changed_rows(
        update(Mail)
        .where(Mail.id == mail_id, Mail.state == "waiting", Mail.next_try_at <= database_now())
        .values(
            attempts=Mail.attempts + 1,
            next_try_at=database_now(CLAIM_SECONDS),
            updated_at=database_now(),
        )
    )
    db.session.commit()
    return db.session.get_one(Mail, mail_id, populate_existing=True) if is_claimed else None


def is_needless(mail: Mail) -> bool:
    """Return whether a mail is not to be sent: it is too old, not wanted, or one too many."""
    if mail.created_at < utc_now() - TOO_OLD:
        return True
    unwanted = select(UnwantedMail.kind).where(
        UnwantedMail.account_id == mail.account_id, UnwantedMail.kind == mail.kind
    )
    if db.session.scalar(unwanted) is not None:
        return True
    own = Mail.recipient == mail.recipient if mail.recipient else Mail.account_id == mail.account_id
    recent = select(func.count()).where(
        own,
        Mail.state.in_(("sending", "sent", "unclear")),
        Mail.updated_at > utc_now() - timedelta(days=1),
    )
    return (db.session.scalar(recent) or 0) >= MOST_A_DAY


def begin_sending(mail_id: int, attempt: int) -> bool:
    """Record that a mail's text is about to be sent, and commit; return whether the claim is still valid."""
    return _change(mail_id, attempt, ("waiting",), state="sending")


def record_end(mail_id: int, attempt: int, state: str, problem: str | None = None) -> None:
    """Record what became of a mail, for good, and commit."""
    _change(mail_id, attempt, ("waiting", "sending"), state=state, problem=problem)


def record_refusal(mail_id: int, attempt: int, problem: str, *, permanent: bool = False) -> None:
    """Record that a mail certainly was not accepted: try again later unless it is permanent, and commit."""
    if permanent or attempt >= MOST_ATTEMPTS:
        record_end(mail_id, attempt, "failed", problem)
        return
    pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 4 ** (attempt - 1))
    _change(
        mail_id,
        attempt,
        ("waiting", "sending"),
        state="waiting",
        problem=problem,
        next_try_at=database_now(pause),
    )


def record_interrupted() -> int:
    """Record as unclear what was being sent when its process ended, and commit; return how many."""
    found = changed_rows(
        update(Mail)
        .where(Mail.state == "sending", Mail.next_try_at <= database_now())
        .values(state="unclear", problem="The process ended.", updated_at=database_now())
    )
    db.session.commit()
    return found


def prune() -> int:
    """Delete the mails whose time is over, and commit; return how many."""
    return delete_older(Mail.created_at, KEPT_FOR)


def _change(mail_id: int, attempt: int, states: tuple[str, ...], **values: Any) -> bool:
    changed = changed_rows(
        update(Mail)
        .where(Mail.id == mail_id, Mail.attempts == attempt, Mail.state.in_(states))
        .values(updated_at=database_now(), **values)
    )
    db.session.commit()
    return changed == 1
