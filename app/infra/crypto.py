"""Encryption of stored secrets with the operator's keys: the present one writes, the former ones read."""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from sqlalchemy import Text
from sqlalchemy.types import TypeDecorator

from app.infra.settings import current_settings


class UnreadableSecret(Exception):
    """Raised when a stored secret cannot be decrypted with any of the keys."""


class Ciphertext(TypeDecorator[str]):
    """The type of every column that holds what ``encrypt`` returned; ``key_rotation`` finds them by it."""

    impl = Text
    cache_ok = True


def encrypt(text: str) -> str:
    """Return ``text`` encrypted with ENCRYPTION_KEY, in ASCII."""
    return _keys().encrypt(text.encode()).decode("ascii")


def decrypt(token: str) -> str:
    """Return the text that was encrypted with the present key or a former one. Raises UnreadableSecret."""
    try:
        return _keys().decrypt(token.encode()).decode()
    except InvalidToken as error:
        raise UnreadableSecret("A stored secret cannot be read with any ENCRYPTION_KEY.") from error


def base64url(data: bytes) -> str:
    """Return data in base64 as tokens have it (RFC 7515): for URLs, and without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def encrypted_anew(token: str) -> str:
    """Return the same secret under the present key: ``token`` itself if it is. Raises UnreadableSecret."""
    try:
        Fernet(current_settings().encryption_key).decrypt(token.encode())
    except InvalidToken:
        return encrypt(decrypt(token))
    return token


def _keys() -> MultiFernet:
    settings = current_settings()
    return MultiFernet([Fernet(key) for key in (settings.encryption_key, *settings.former_encryption_keys)])
