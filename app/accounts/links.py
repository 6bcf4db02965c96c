"""Links to choose a password with: each is sent to one address, good once and for a while.

The link holds a random token of 256 bits, the row its digest.
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, select

from app.accounts.model import Account, AccountLink
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db
from app.infra.pruning import delete_older

RESET_LASTS: Final = timedelta(hours=1)
SIGN_UP_LASTS: Final = timedelta(days=1)
INVITATION_LASTS: Final = timedelta(days=7)


def begin(email: str, expires_at: datetime, account: Account | None = None) -> str:
    """Make a link and return its token, which is not stored. Without an account, it creates one. Commits."""
    token = secrets.token_urlsafe(32)
    db.session.add(
        AccountLink(
            account_id=account.id if account else None,
            email=email,
            digest=digest_of(token),
            expires_at=expires_at,
        )
    )
    db.session.commit()
    return token


def find_reset(token: str) -> AccountLink | None:
    """Return the link with this token if it is to set a forgotten password and still works."""
    found = _find(token)
    return found if found and found.account_id is not None else None


def find_sign_up(token: str) -> AccountLink | None:
    """Return the link with this token if it is to create an account and still works."""
    found = _find(token)
    return found if found and found.account_id is None else None


def use(link: AccountLink) -> bool:
    """Delete a link, and all others to the same address; False if it was used already. Commits nothing.

    Of two requests with one link, the second waits for the first one's commit and gets False.
    """
    if not changed_rows(delete(AccountLink).where(AccountLink.id == link.id)):
        return False
    changed_rows(delete(AccountLink).where(AccountLink.email == link.email))
    return True


def prune() -> int:
    """Delete the links whose time is over, and commit; return how many."""
    return delete_older(AccountLink.expires_at, timedelta())


def _find(token: str) -> AccountLink | None:
    return db.session.scalar(
        select(AccountLink).where(AccountLink.digest == digest_of(token), AccountLink.expires_at > utc_now())
    )


def digest_of(token: str) -> bytes:
    """Return what is stored of a token. It needs no key: 256 random bits cannot be guessed from a digest."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
