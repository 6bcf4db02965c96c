"""Hosts of URLs: the one parser of scheme, host and port, and registrable domains. Pure."""

import ipaddress
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import idna
from publicsuffixlist import PublicSuffixList

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_SPLIT: Final = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.ASCII | re.IGNORECASE)
_AUTHORITY: Final = re.compile(r"(\[[^\[\]]*\]|[^\[\]:]*)(?::(0*[0-9]{0,5}))?", re.ASCII)
_LABEL: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII)
# Browsers read a host whose last label is a number as an IP address: 127.1, 2130706433, 0x7f.1.
_NUMERIC_LABEL: Final = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)


class InvalidUrl(ValueError):
    """The text is not a usable http(s) URL; ``reason`` is a clause such as "its port is not valid"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Host:
    """A host: a lower-case ASCII name, or an IP address in its short form, without brackets."""

    text: str
    is_address: bool = False

    def __str__(self) -> str:
        return f"[{self.text}]" if ":" in self.text else self.text


@dataclass(frozen=True)
class UrlParts:
    """The parts of a URL. Path and query are as they were written, the fragment is dropped."""

    scheme: str
    host: Host
    port: int
    path: str
    query: str

    @property
    def authority(self) -> str:
        """Host and port; the port only if it is not the scheme's default."""
        return str(self.host) if self.port == _DEFAULT_PORTS[self.scheme] else f"{self.host}:{self.port}"


def split_url(url: str) -> UrlParts:
    """Return the parts of an absolute http(s) URL. Raises InvalidUrl."""
    match = _SPLIT.fullmatch(url)
    if match is None:
        raise InvalidUrl("it is not an http or https URL")
    scheme, authority, path, query = match.groups()
    scheme = scheme.lower()
    if "@" in authority:
        raise InvalidUrl("it contains a user name or password")
    place = _AUTHORITY.fullmatch(authority)
    if place is None:
        raise InvalidUrl("its host or port is not valid")
    port = int(place[2] or _DEFAULT_PORTS[scheme])
    if not 0 < port < 65536:
        raise InvalidUrl("its port is not valid")
    return UrlParts(scheme, parse_host(place[1]), port, path, query or "")


@lru_cache(maxsize=1024)
def parse_host(text: str) -> Host:
    """Return the host that a URL spells as ``text``. Raises InvalidUrl.

    An IDN becomes punycode and a dot at the end is dropped. IPv4 addresses have four decimal numbers; IPv6
    addresses are in brackets and have no zone.
    """
    if text.startswith("["):
        return _ipv6(text[1:-1])
    name = text.lower().removesuffix(".")
    if not name.isascii() or "xn--" in name:
        name = _punycode(name)
    labels = name.split(".")
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        return _ipv4(name)
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise InvalidUrl("its host name is not valid")
    return Host(name)


def is_ip(host: str) -> bool:
    """Return whether the host of a normalised URL is an IP address (IPv6 in brackets)."""
    return host.startswith("[") or host.rsplit(".", 1)[-1].isdigit()


@lru_cache(maxsize=4096)
def registrable_domain(host: str) -> str | None:
    if is_ip(host):
        return None
    domain = _suffixes().privatesuffix(host)
    return str(domain) if domain else None


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def _punycode(name: str) -> str:
    try:
        return idna.encode(idna.decode(name, uts46=True), uts46=True).decode().lower()
    except UnicodeError:  # the base of IDNAError
        raise InvalidUrl("its host name is not valid") from None


def _ipv4(text: str) -> Host:
    try:
        return Host(str(ipaddress.IPv4Address(text)), is_address=True)
    except ValueError:
        raise InvalidUrl("an IP address must be written as four decimal numbers") from None


def _ipv6(text: str) -> Host:
    try:
        if "%" in text:
            raise ValueError
        return Host(str(ipaddress.IPv6Address(text)), is_address=True)
    except ValueError:
        raise InvalidUrl("its IPv6 address is not valid") from None
