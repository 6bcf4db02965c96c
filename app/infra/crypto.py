"""Secrets at rest: encrypted with the operator's key, readable only by the process that needs them."""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken


class UnreadableSecret(Exception):
    """Raised when a stored secret does not open with the present ENCRYPTION_KEY."""


def encrypt(text: str, key: str) -> str:
    """Encrypt ``text`` with the Fernet key ``key``; the result is ASCII."""
    return Fernet(key).encrypt(text.encode()).decode("ascii")


def decrypt(token: str, key: str) -> str:
    """Return the text that ``encrypt`` took. Raises UnreadableSecret when the key is another one."""
    try:
        return Fernet(key).decrypt(token.encode()).decode()
    except InvalidToken as error:
        raise UnreadableSecret("A stored secret cannot be read with this ENCRYPTION_KEY.") from error
