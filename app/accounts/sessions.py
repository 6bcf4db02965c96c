"""Sessions of the dashboard: a row for each browser that is signed in.

The cookie holds a random token of 256 bits, the row its digest. A session ends when it is signed out or
revoked, after ``SESSION_MAX_SECONDS``, and unless it stays signed in after ``SESSION_IDLE_SECONDS`` without
a request.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, bindparam, delete, or_, select, update
from sqlalchemy.exc import OperationalError

from app.accounts import security_log
from app.accounts.links import digest_of
from app.accounts.model import Account, AccountSession
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db
from app.infra.pruning import delete_older
from app.infra.settings import current_settings

MOST_LISTED: Final = 50
_TOUCH_EVERY: Final = timedelta(minutes=1)
_LONGEST_USER_AGENT: Final = 200
# Made once, because every request of the dashboard runs it.
_OF_DIGEST: Final = (
    select(AccountSession, Account)
    .join(Account, Account.id == AccountSession.account_id)
    .where(AccountSession.digest == bindparam("digest"))
)


@dataclass(frozen=True)
class SignedIn:
    """An account, and the id of the session in which it is signed in."""

    account: Account
    session_id: int


def begin(account: Account, *, stays: bool, user_agent: str = "") -> str:
    """Begin a session and return its token, which is not stored. ``stays`` frees it of the idle limit."""
    token, now = secrets.token_urlsafe(32), utc_now()
    db.session.add(
        AccountSession(
            account_id=account.id,
            digest=digest_of(token),
            stays=stays,
            user_agent=user_agent[:_LONGEST_USER_AGENT],
            created_at=now,
            last_seen_at=now,
            expires_at=now + timedelta(seconds=current_settings().session_max_seconds),
        )
    )
    security_log.record(account.id, "signed_in", user_agent[:_LONGEST_USER_AGENT])
    db.session.commit()
    return token


def load(token: str) -> SignedIn | None:
    """Return who is signed in with this token, None if the session has ended or its account is inactive.

    Records when the session was last used. Call it before any other work of a request, because it ends the
    current transaction once a minute.
    """
    found = db.session.execute(_OF_DIGEST, {"digest": digest_of(token)}).one_or_none()
    if found is None:
        return None
    session, account = found
    now = utc_now()
    if not account.active or session.expires_at <= now or _is_idle(session, now):
        return None
    signed_in = SignedIn(account, session.id)
    if session.last_seen_at <= now - _TOUCH_EVERY:
        _touch(session.id, now)
    return signed_in


def list_sessions(account: Account) -> Sequence[AccountSession]:
    """Return the account's sessions that have not ended, the last used first, MOST_LISTED at most."""
    now = utc_now()
    return db.session.scalars(
        select(AccountSession)
        .where(
            AccountSession.account_id == account.id,
            AccountSession.expires_at > now,
            or_(AccountSession.stays, AccountSession.last_seen_at > now - _idle_limit()),
        )
        .order_by(AccountSession.last_seen_at.desc(), AccountSession.id.desc())
        .limit(MOST_LISTED)
    ).all()


def end(token: str) -> None:
    """End the session with this token. Repeating it changes nothing."""
    ended = AccountSession.digest == digest_of(token)
    account_id = db.session.scalar(select(AccountSession.account_id).where(ended))
    if account_id is not None:
        _delete(ended)
        security_log.record(account_id, "signed_out")
    db.session.commit()


def revoke(account: Account, session_id: int) -> None:
    """End a session of the account. Repeating it changes nothing. Another account's session stays."""
    _delete(AccountSession.account_id == account.id, AccountSession.id == session_id)
    security_log.record(account.id, "session_revoked")
    db.session.commit()


def end_all(account: Account, *, but: int | None = None) -> None:
    """End the account's sessions except the one with the id ``but``. Commits nothing."""
    others = [] if but is None else [AccountSession.id != but]
    _delete(AccountSession.account_id == account.id, *others)


def end_others(account: Account, session_id: int) -> None:
    """End every session of the account but this one."""
    end_all(account, but=session_id)
    security_log.record(account.id, "other_sessions_revoked")
    db.session.commit()


def prune() -> int:
    """Delete the sessions whose time is over, and commit; return how many."""
    return delete_older(AccountSession.expires_at, timedelta())


def _is_idle(session: AccountSession, now: datetime) -> bool:
    return not session.stays and session.last_seen_at <= now - _idle_limit()


def _idle_limit() -> timedelta:
    return timedelta(seconds=current_settings().session_idle_seconds)


def _touch(session_id: int, now: datetime) -> None:
    # A separate transaction: SQLite cannot turn a read transaction into a write transaction.
    db.session.rollback()
    try:
        changed_rows(
            update(AccountSession)
            .where(AccountSession.id == session_id, AccountSession.last_seen_at <= now - _TOUCH_EVERY)
            .values(last_seen_at=now)
        )
        db.session.commit()
    except OperationalError:
        # The request is more important.
        db.session.rollback()


def _delete(*conditions: ColumnElement[bool]) -> None:
    changed_rows(delete(AccountSession).where(*conditions))
