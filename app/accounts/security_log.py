"""The security log: what happened to an account, for its customer and, as log lines, for the operator.

Each service records what it does, in the transaction in which it does it.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Final, Literal

from sqlalchemy import select

from app.accounts.model import Account, SecurityEvent
from app.infra import rate_limit
from app.infra.db import after_commit, db, page_of
from app.infra.origin import origin
from app.infra.pruning import delete_older
from app.infra.settings import current_settings

Kind = Literal[
    "account_created",
    "signed_in",
    "sign_in_failed",
    "signed_out",
    "session_revoked",
    "other_sessions_revoked",
    "password_changed",
    "second_factor_on",
    "second_factor_off",
    "recovery_codes_made",
    "account_blocked",
    "account_unblocked",
    "key_created",
    "key_rolled",
    "key_revoked",
    "target_added",
    "target_changed",
    "target_removed",
    "target_secret_renewed",
    "search_connected",
    "search_disconnected",
    "project_removed",
    "posts_removed",
    "keywords_removed",
]

_log = logging.getLogger(__name__)

_FAILURES_STORED: Final = (("from:{network}", 20), ("from anywhere", 1000))
"""How many failed sign-ins are stored in an hour, so that guessing fills no table.

They do not depend on the account, because the time of an answer must not say whether there is one.
"""
_LONGEST_SUBJECT: Final = 200


def record(account_id: int | None, kind: Kind, subject: str = "") -> None:
    """Record an event of an account, or of nobody; the caller commits, which also writes the line of the log.

    ``subject`` names what it is about.
    """
    came = origin()
    line = "%s account=%s via=%r address=%s subject=%r"
    after_commit(partial(_log.info, line, kind, account_id, came.via, came.address, subject))
    db.session.add(
        SecurityEvent(
            account_id=account_id,
            kind=kind,
            subject=subject[:_LONGEST_SUBJECT],
            via=came.via,
            address=came.address,
        )
    )


def record_failed_sign_in(account: Account | None) -> None:
    """Record a failed sign-in, of nobody without an account, and commit; beyond the limits only log it."""
    account_id = account.id if account else None
    network = rate_limit.network_of(origin().address)
    buckets = [(f"failed-sign-ins:{name.format(network=network)}", most) for name, most in _FAILURES_STORED]
    if all(rate_limit.hit(bucket, most, 3600).allowed for bucket, most in buckets):
        record(account_id, "sign_in_failed")
        db.session.commit()
    else:
        _log.info("sign_in_failed account=%s address=%s", account_id, origin().address)


def list_events(account: Account, page: int, page_size: int) -> tuple[Sequence[SecurityEvent], int]:
    """Return one page of the account's events, newest first, and how many there are."""
    own = select(SecurityEvent).where(SecurityEvent.account_id == account.id)
    return page_of(own.order_by(SecurityEvent.id.desc()), page, page_size)


def latest_events(account: Account | None, most: int) -> Sequence[SecurityEvent]:
    """Return the newest events of an account, of all accounts without one, for operators."""
    newest = select(SecurityEvent).order_by(SecurityEvent.id.desc()).limit(most)
    if account is not None:
        newest = newest.where(SecurityEvent.account_id == account.id)
    return db.session.scalars(newest).all()


def prune() -> int:
    """Delete the events that are older than SECURITY_LOG_DAYS, and commit; return how many."""
    return delete_older(SecurityEvent.at, timedelta(days=current_settings().security_log_days))
