"""The second factor: one-time codes of a program on the person's phone (RFC 6238), and recovery codes.

The secret is stored encrypted, because codes are computed from it. Recovery codes are stored hashed, as
passwords are. Each code is good once.
"""

import hmac
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import pyotp
from sqlalchemy import delete, exists, func, select, update

from app.accounts import passwords, security_log
from app.accounts.model import Account, RecoveryCode, SecondFactor
from app.failures import invalid_field
from app.infra.clock import utc_now
from app.infra.crypto import UnreadableSecret, decrypt, encrypt
from app.infra.db import changed_rows, db
from app.infra.settings import current_settings

STEP: Final = 30
"""Seconds for which a program shows one code."""

CODES: Final = 10

WRONG: Final = "This code is not right. A code is shown for 30 seconds, and each is good once."

_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_HALF: Final = 6

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Setup:
    """What a program needs to show codes: the secret, also as the address in a QR code."""

    secret: str
    uri: str


def is_on(account_id: int) -> bool:
    confirmed = SecondFactor.account_id == account_id, SecondFactor.confirmed_at.is_not(None)
    return bool(db.session.scalar(select(exists().where(*confirmed))))


def is_on_since(account: Account) -> datetime | None:
    """Return since when signing in takes a code, None if it does not."""
    factor = db.session.get(SecondFactor, account.id)
    return factor.confirmed_at if factor else None


def codes_left(account: Account) -> int:
    return db.session.scalar(select(func.count()).where(RecoveryCode.account_id == account.id)) or 0


def begin(account: Account) -> None:
    """Make a secret that counts once ``confirm`` has seen a code of it; commits. Nothing if one counts."""
    if is_on(account.id):
        return
    turn_off(account)
    secret = encrypt(pyotp.random_base32())
    db.session.add(SecondFactor(account_id=account.id, secret=secret, created_at=utc_now()))
    db.session.commit()


def setup_of(account: Account) -> Setup | None:
    """Return the secret that waits for its first code, None without one."""
    factor = db.session.get(SecondFactor, account.id)
    if factor is None or factor.confirmed_at is not None:
        return None
    secret = _secret_of(factor)
    if secret is None:
        return None
    name = current_settings().brand_name
    return Setup(secret, pyotp.TOTP(secret).provisioning_uri(name=account.email, issuer_name=name))


def confirm(account: Account, code: str) -> list[str]:
    """Turn the second factor on with a code of the new secret; commits. Return the recovery codes.

    They are not stored. Raises INVALID_REQUEST for a wrong code.
    """
    factor = db.session.get(SecondFactor, account.id)
    if factor is None or factor.confirmed_at is not None or not _uses_step(factor, code):
        raise invalid_field("/code", WRONG)
    factor.confirmed_at = utc_now()
    security_log.record(account.id, "second_factor_on")
    return new_recovery_codes(account)


def new_recovery_codes(account: Account) -> list[str]:
    """Replace the recovery codes and return the new ones, which are not stored; commits."""
    _forget_codes(account.id)
    codes = [f"{_letters()}-{_letters()}" for _ in range(CODES)]
    for code in codes:
        db.session.add(RecoveryCode(account_id=account.id, code_hash=passwords.hash_password(code)))
    security_log.record(account.id, "recovery_codes_made")
    db.session.commit()
    return codes


def use_code(account: Account, code: str) -> bool:
    """Return whether this is a code of the program, or a recovery code; it is then used up. Commits."""
    factor = db.session.get(SecondFactor, account.id)
    if factor is None or factor.confirmed_at is None:
        return False
    is_right = _uses_step(factor, code) or _uses_recovery_code(account.id, code)
    db.session.commit()
    return is_right


def turn_off(account: Account) -> None:
    """Forget the secret and the recovery codes; commits."""
    if is_on(account.id):
        security_log.record(account.id, "second_factor_off")
    _forget_codes(account.id)
    db.session.execute(delete(SecondFactor).where(SecondFactor.account_id == account.id))
    db.session.commit()


def _uses_step(factor: SecondFactor, code: str) -> bool:
    digits, secret = "".join(code.split()), _secret_of(factor)
    if secret is None or not digits.isascii():
        return False
    totp, now = pyotp.TOTP(secret), int(utc_now().timestamp()) // STEP
    right = (step for step in (now - 1, now, now + 1) if hmac.compare_digest(totp.generate_otp(step), digits))
    step = next(right, None)
    if step is None:
        return False
    own = SecondFactor.account_id == factor.account_id
    # Of two requests with one code, the second changes nothing.
    later = update(SecondFactor).where(own, SecondFactor.last_step < step).values(last_step=step)
    return bool(changed_rows(later))


def _uses_recovery_code(account_id: int, code: str) -> bool:
    plain = code.strip().lower()
    if len(plain) != 2 * _HALF + 1:
        return False
    rows = db.session.scalars(select(RecoveryCode).where(RecoveryCode.account_id == account_id)).all()
    found = next((row for row in rows if passwords.verify_password(row.code_hash, plain)), None)
    return found is not None and bool(changed_rows(delete(RecoveryCode).where(RecoveryCode.id == found.id)))


def _forget_codes(account_id: int) -> None:
    db.session.execute(delete(RecoveryCode).where(RecoveryCode.account_id == account_id))


def _secret_of(factor: SecondFactor) -> str | None:
    """Return the secret, None if no key can read it: then recovery codes sign in."""
    try:
        return decrypt(factor.secret)
    except UnreadableSecret:
        _log.warning(
            "the second factor of account %s cannot be read with any ENCRYPTION_KEY", factor.account_id
        )
        return None


def _letters() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_HALF))
