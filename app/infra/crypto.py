"""Encryption of stored secrets with the operator's key."""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken


class UnreadableSecret(Exception):
    """Raised when a stored secret cannot be decrypted with the current ENCRYPTION_KEY."""


def encrypt(text: str, key: str) -> str:
    """Return ``text`` encrypted with the Fernet key ``key``, in ASCII."""
    return Fernet(key).encrypt(text.encode()).decode("ascii")


def decrypt(token: str, key: str) -> str:
    """Return the text that was encrypted. Raises UnreadableSecret if the key is a different one."""
    try:
        return Fernet(key).decrypt(token.encode()).decode()
    except InvalidToken as error:
        raise UnreadableSecret("A stored secret cannot be read with this ENCRYPTION_KEY.") from error
