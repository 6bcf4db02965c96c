"""API keys: ``seo_live_``, 43 random characters (256 bits) and a checksum of 6, all base62.

A key has full entropy, so a keyed digest is enough and a slow hash is not needed. The checksum detects a
mistyped key without a query.

A key may read or read and write. It may be limited to some scopes, the nouns of the API, and to one project.
"""

import hashlib
import hmac
import re
import secrets
import string
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import bindparam, or_, select, update
from sqlalchemy.exc import OperationalError

from app.accounts import security_log
from app.accounts.model import Account, ApiKey
from app.failures import ServiceFailure, existing, invalid_field
from app.infra.checks import required_line
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db, table_of
from app.infra.settings import current_settings

PREFIX: Final = "seo_live_"
_ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
_KEY: Final = re.compile(r"seo_live_[0-9A-Za-z]{49}", re.ASCII)
SCOPES: Final = ("projects", "pages", "keywords", "posts", "targets", "search", "executions")
"""The nouns that a key may be limited to. ``executions`` starts, reads and stops jobs of every operation."""

LONGEST_OVERLAP: Final = timedelta(days=30)

_SHOWN: Final = 16
_TOUCH_EVERY: Final = timedelta(minutes=1)


class AuthenticKey(NamedTuple):
    """The key of a request: what each request has to know of it, and of its account."""

    id: int
    account_id: int
    account_active: bool
    name: str
    can_write: bool
    scopes: list[str] | None
    project_id: int | None
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


# The tables rather than the models, and made once: every request of the API runs the first statement.
_KEYS = table_of(ApiKey)
_ACCOUNTS = table_of(Account)
_COLUMNS: Final = {**_KEYS.c, "account_active": _ACCOUNTS.c.active}
_WITH_ACCOUNT: Final = select(*(_COLUMNS[name] for name in AuthenticKey._fields)).join_from(
    _KEYS, _ACCOUNTS, _ACCOUNTS.c.id == _KEYS.c.account_id
)
_OF_DIGEST: Final = _WITH_ACCOUNT.where(_KEYS.c.digest == bindparam("digest"))
_OF_FORMER_DIGEST: Final = _WITH_ACCOUNT.where(
    _KEYS.c.former_digest == bindparam("digest"), _KEYS.c.former_expires_at > bindparam("now")
)


def create_key(
    account: Account,
    name: str,
    *,
    can_write: bool = True,
    expires_at: datetime | None = None,
    scopes: Sequence[str] | None = None,
    project_id: int | None = None,
) -> tuple[ApiKey, str]:
    """Create a key and return it with its text, which is not stored. Raises INVALID_REQUEST.

    ``project_id`` is that of a project of the account. None and an empty list of ``scopes`` mean all.
    """
    name = required_line("name", name, 80)
    if expires_at is not None and expires_at <= utc_now():
        raise invalid_field("/expires_at", "This time has passed.")
    if unknown := sorted(set(scopes or ()) - set(SCOPES)):
        raise invalid_field("/scopes", f"There is no scope {unknown[0]}.")
    text = _new_text()
    key = ApiKey(
        account_id=account.id,
        name=name,
        prefix=text[:_SHOWN],
        digest=_digest(text),
        can_write=can_write,
        expires_at=expires_at,
        scopes=[scope for scope in SCOPES if scope in scopes] if scopes else None,
        project_id=project_id,
    )
    db.session.add(key)
    security_log.record(account.id, "key_created", key.name)
    db.session.commit()
    return key, text


def roll_key(account: Account, key_id: int, overlap: timedelta) -> tuple[ApiKey, str]:
    """Give a key a new text and return both; the text is not stored. The former one works for ``overlap``.

    Any text before that ends at once. Raises NOT_FOUND, and INVALID_REQUEST for an overlap of more than
    LONGEST_OVERLAP and for a key that is revoked or has expired.
    """
    key = find_key(account, key_id)
    if not timedelta() <= overlap <= LONGEST_OVERLAP:
        raise invalid_field("/overlap", f"The former key may work for {LONGEST_OVERLAP.days} days at most.")
    # Locked, so that of two requests at once the second one sees the text of the first.
    db.session.refresh(key, with_for_update=True)
    now = utc_now()
    if (state := state_of(key, now)) != "active":
        db.session.rollback()
        raise invalid_field("/overlap", f"This key is {state}. Create a new one.")
    text = _new_text()
    key.former_digest, key.former_expires_at = (key.digest, now + overlap) if overlap else (None, None)
    key.digest, key.prefix = _digest(text), text[:_SHOWN]
    security_log.record(account.id, "key_rolled", key.name)
    db.session.commit()
    return key, text


def authenticate_key(text: str | None) -> AuthenticKey:
    """Return the key with this text, and record when it was last used.

    Raises MISSING_API_KEY, INVALID_API_KEY (for unknown, revoked and expired keys) and ACCOUNT_INACTIVE. Call
    it before any other work of a request, because it ends the current transaction once a minute.
    """
    if not text:
        raise ServiceFailure("MISSING_API_KEY")
    if not is_well_formed(text):
        raise ServiceFailure("INVALID_API_KEY")
    now = utc_now()
    values = {"digest": _digest(text), "now": now}
    found = (
        db.session.execute(_OF_DIGEST, values).one_or_none()
        or db.session.execute(_OF_FORMER_DIGEST, values).one_or_none()
    )
    if found is None or state_of(key := AuthenticKey(*found), now) != "active":
        raise ServiceFailure("INVALID_API_KEY")
    if not key.account_active:
        raise ServiceFailure("ACCOUNT_INACTIVE")
    if key.last_used_at is None or key.last_used_at <= now - _TOUCH_EVERY:
        _touch(key.id, now)
    return key


def state_of(key: ApiKey | AuthenticKey, now: datetime) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "active"


def is_well_formed(text: str) -> bool:
    """Return whether a text has the length, the characters and the checksum of a key (pure)."""
    return bool(_KEY.fullmatch(text)) and hmac.compare_digest(_checksum(text[:-6]), text[-6:])


def list_keys(account: Account) -> Sequence[ApiKey]:
    """Return the account's keys, newest first, revoked ones included."""
    return db.session.scalars(
        select(ApiKey).where(ApiKey.account_id == account.id).order_by(ApiKey.id.desc())
    ).all()


def find_key(account: Account, key_id: int) -> ApiKey:
    """Return a key of the account. Raises NOT_FOUND, also for a key of another account."""
    key = db.session.scalar(select(ApiKey).where(ApiKey.id == key_id, ApiKey.account_id == account.id))
    return existing(key, "NOT_FOUND", "There is no such API key.")


def revoke_key(account: Account, key_id: int) -> ApiKey:
    """Revoke a key and its former text. Repeating it changes nothing. Raises NOT_FOUND."""
    key = find_key(account, key_id)
    if key.revoked_at is None:
        key.revoked_at = utc_now()
        security_log.record(account.id, "key_revoked", key.name)
        db.session.commit()
    return key


def _new_text() -> str:
    body = PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(43))
    return body + _checksum(body)


def _touch(key_id: int, now: datetime) -> None:
    # A separate transaction: SQLite cannot turn a read transaction into a write transaction.
    db.session.rollback()
    try:
        changed_rows(
            update(ApiKey)
            .where(
                ApiKey.id == key_id,
                or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at <= now - _TOUCH_EVERY),
            )
            .values(last_used_at=now)
        )
        db.session.commit()
    except OperationalError:
        # The request is more important.
        db.session.rollback()


def _digest(text: str) -> bytes:
    pepper = current_settings().api_key_pepper.encode()
    return hmac.new(pepper, text.encode(), hashlib.sha256).digest()


def _checksum(body: str) -> str:
    number = zlib.crc32(body.encode())
    digits = ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = _ALPHABET[digit] + digits
    return digits
