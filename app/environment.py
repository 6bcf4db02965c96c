"""Parsers of environment variables. Each raises ValueError with a clause such as "must be at least 1"."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from redis import Redis
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

T = TypeVar("T")

_BOOLEANS: Final = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def of_form(form: str, parse: Callable[[str], T]) -> Callable[[str], T]:
    """Return a parser that fails with "must be ``form``". Values, which may be secret, are not repeated."""

    def parser(text: str) -> T:
        try:
            return parse(text)
        except (ValueError, KeyError, ArgumentError):
            raise ValueError(f"must be {form}") from None

    return parser


def choice(*choices: str) -> Callable[[str], str]:
    """Return a parser that takes one of ``choices``."""
    return of_form(f"one of {', '.join(choices)}", {each: each for each in choices}.__getitem__)


def integer(least: int = 1) -> Callable[[str], int]:
    """Return a parser of whole numbers that are not below ``least``."""

    def parser(text: str) -> int:
        number = of_form("a whole number", int)(text)
        if number < least:
            raise ValueError(f"must be at least {least}")
        return number

    return parser


boolean = of_form("1, true, yes or 0, false, no", lambda text: _BOOLEANS[text.lower()])


def secret(text: str) -> str:
    """Return a secret of at least 32 characters."""
    if len(text) < 32:
        raise ValueError("is too short: use at least 32 random characters")
    return text


def fernet_key(text: str) -> str:
    """Return a Fernet key derived from any secret, because platforms generate secrets of any form."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret(text).encode()).digest()).decode()


def _database_url(text: str) -> str:
    for scheme in ("postgres://", "postgresql://"):
        if text.startswith(scheme):
            text = "postgresql+psycopg://" + text.removeprefix(scheme)
    url = make_url(text)
    # sqlite://x has a host: a third slash is missing.
    if url.drivername != "postgresql+psycopg" and (url.drivername != "sqlite" or url.host):
        raise ValueError
    return text


def _redis_url(text: str) -> str:
    Redis.from_url(text).close()  # parses the URL without connecting
    return text


def _address_pairs(text: str) -> frozenset[tuple[str, int]]:
    pairs = set()
    for item in filter(None, (part.strip() for part in text.split(","))):
        host, _, port = item.rpartition(":")
        address = ipaddress.ip_address(host.strip("[]"))
        if not 0 < int(port) < 65536:
            raise ValueError
        pairs.add((str(address), int(port)))
    return frozenset(pairs)


def _folder(text: str) -> str:
    path = Path(text)
    if not path.is_absolute() or not path.is_dir() or path == Path(path.anchor):
        raise ValueError
    return text


database_url = of_form(
    "postgresql://user:password@host:port/name or, outside production, sqlite:////path", _database_url
)
redis_url = of_form("redis://host:port, rediss://host:port or, outside production, unix:///path", _redis_url)
address_pairs = of_form(
    "addresses as address:port, separated by commas, such as 127.0.0.1:8080,[::1]:9000", _address_pairs
)
folder = of_form("the absolute path of a folder that is there", _folder)
