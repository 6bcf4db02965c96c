"""Parsers of environment variables. Each raises ValueError with a clause such as "must be at least 1"."""

import base64
import hashlib
import ipaddress
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

from redis import Redis
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

T = TypeVar("T")

_HOST: Final = re.compile(r"[A-Za-z0-9.:_-]{1,253}")
_MAIL_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)*[A-Za-z0-9-]{1,63}"
)
_BUCKET: Final = re.compile(r"[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]")
_KEY_PREFIX: Final = re.compile(
    r"(?=.{1,100}\Z)[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*"
)
_LEAST_DIFFERENT: Final = 6
"""Different characters that a secret has to have. Even of 32 random digits it is rare to have fewer."""

OF_DEVELOPMENT: Final = "development-"
"""What the secrets that bin/dev makes begin with."""

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
    return of_form(f"one of {', '.join(choices)}", {each: each for each in choices}.__getitem__)


def choices(*all_choices: str) -> Callable[[str], tuple[str, ...]]:
    """Return a parser of one or several of ``all_choices``, separated by commas, in this order."""
    form = f"one or several of {','.join(all_choices)}, separated by commas"

    def parser(text: str) -> tuple[str, ...]:
        chosen = {each.strip() for each in text.split(",")}
        if not chosen <= set(all_choices):
            raise ValueError(f"must be {form}")
        return tuple(each for each in all_choices if each in chosen)

    return parser


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
    """Return a secret of at least 32 characters that is no repetition of a few."""
    if len(text) < 32:
        raise ValueError("is too short: use at least 32 random characters")
    # A text is a repetition of a shorter one if it is found in its double before its end.
    if len(set(text)) < _LEAST_DIFFERENT or (text + text).find(text, 1) < len(text):
        raise ValueError("repeats a few characters: use at least 32 random ones")
    return text


def fernet_key(text: str) -> str:
    """Return a Fernet key derived from any secret, because platforms generate secrets of any form."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret(text).encode()).digest()).decode()


def fernet_keys(text: str) -> tuple[str, ...]:
    """Return the Fernet keys of secrets that are separated by commas."""
    return tuple(fernet_key(part.strip()) for part in text.split(","))


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


def _port(text: str) -> int:
    number = int(text)
    if not 0 < number < 65536:
        raise ValueError
    return number


def _host_name(text: str) -> str:
    if not _HOST.fullmatch(text):
        raise ValueError
    return text


def _mail_address(text: str) -> str:
    if not _MAIL_ADDRESS.fullmatch(text):
        raise ValueError
    return text


def _public_url(text: str) -> str:
    parts = urlsplit(text)
    is_bare = parts.path in ("", "/") and not (parts.query or parts.fragment or parts.username)
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.hostname or "") or not is_bare:
        raise ValueError
    _ = parts.port  # raises ValueError for what is no port
    return f"{parts.scheme}://{parts.netloc}"


def _of_pattern(pattern: re.Pattern[str]) -> Callable[[str], str]:
    def parser(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError
        return text

    return parser


def _web_page(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.hostname or "") or parts.username:
        raise ValueError
    return text


def _sentry_dsn(text: str) -> str:
    parts = urlsplit(text)
    number = parts.path.rpartition("/")[2]
    is_whole = parts.scheme in ("http", "https") and parts.username and parts.hostname and number.isdecimal()
    if not is_whole:
        raise ValueError
    _ = parts.port  # raises ValueError for what is no port
    return text


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
port = of_form("a port from 1 to 65535", _port)
host_name = of_form("a host name or an IP address, without a scheme and a port", _host_name)
mail_address = of_form("an e-mail address such as notices@example.com, without a name", _mail_address)
public_url = of_form(
    "the address of this service without a path, such as https://app.example.com", _public_url
)
service_url = of_form(
    "the address of a server without a path, such as https://s3.eu-central-1.amazonaws.com", _public_url
)
bucket_name = of_form("the name of a bucket, such as my-images", _of_pattern(_BUCKET))
key_prefix = of_form("a folder in the bucket, such as seo/production", _of_pattern(_KEY_PREFIX))
web_page = of_form("the address of a page, such as https://example.com/terms", _web_page)
sentry_dsn = of_form("a DSN such as https://key@sentry.example.com/1", _sentry_dsn)
folder = of_form("the absolute path of a folder that is there", _folder)
