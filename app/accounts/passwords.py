"""Passwords: their rules, and hashing with Argon2id."""

import unicodedata
from decimal import Decimal
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

LEAST: Final = 12
MOST: Final = 200

_GUESSES: Final = 1_000_000
"""A password that a program finds with fewer guesses is refused: it is common or follows a pattern."""

_JUDGED: Final = 24
"""So many characters are judged: what the judgement takes grows steeply with the length."""

# OWASP's Argon2id parameters for low memory: with 19 MiB a check, a small machine survives many sign-ins.
_hasher = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)


def password_problem(password: str, email: str) -> str | None:
    """Return what is wrong with a new password, None if it is good.

    Its length counts, and that it is not easy to guess; which kinds of characters it has does not (NIST SP
    800-63B, 3.1.1.2).
    """
    if len(password) < LEAST:
        return f"The password needs at least {LEAST} characters."
    if len(password) > MOST:
        return f"The password may have at most {MOST} characters."
    if password.strip().lower() == email.lower():
        return "The password must not be the e-mail address."
    if not _is_text(password):
        return "The password contains a character that cannot be used."
    if _guesses(password, email) < _GUESSES:
        return "This password is easy to guess. Use several words that do not belong together."
    return None


def hash_password(password: str) -> str:
    return _hasher.hash(_normalized(password))


def verify_password(stored: str, password: str) -> bool:
    if len(password) > MOST or not _is_text(password):
        return False
    try:
        return _hasher.verify(stored, _normalized(password))
    except (VerificationError, InvalidHashError):
        return False


def verify_nobody(password: str) -> bool:
    """Return False after the time of a real check, so that timing does not reveal which e-mails exist."""
    verify_password(_nobody(), password)
    return False


def needs_rehash(stored: str) -> bool:
    """Return whether ``stored`` was made with other parameters than the current ones."""
    return _hasher.check_needs_rehash(stored)


def _guesses(password: str, email: str) -> Decimal:
    # Imported when it is needed: its lists take 14 MB.
    from zxcvbn import zxcvbn

    found: Decimal = zxcvbn(password[:_JUDGED], user_inputs=[email, *email.split("@")])["guesses"]
    return found


@cache
def _nobody() -> str:
    return _hasher.hash("nobody has this password")


def _normalized(password: str) -> str:
    # The same key strokes give different code points on different systems (NIST SP 800-63B, 3.1.1.2).
    return unicodedata.normalize("NFKC", password)


def _is_text(password: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in password)
