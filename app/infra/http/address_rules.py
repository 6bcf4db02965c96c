"""Which outbound URLs and which IP addresses are acceptable: the pure half of the door in ``http``.

``check_url`` judges the text of a URL; ``is_public`` judges one resolved address. Both are needed: a harmless
name may resolve to a private address.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import idna

from app.failures import ServiceFailure

AllowedPairs = frozenset[tuple[str, int]]
"""Exact (IP address, port) pairs that may be reached although they are not public."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_MAX_URL: Final = 2048
# The last one is public by its range, and on every machine of one cloud the host's own agent.
_NET4_REFUSED: Final = tuple(
    map(ipaddress.IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32"))
)
_NET6_GLOBAL: Final = ipaddress.IPv6Network("2000::/3")
_NET6_REFUSED: Final = tuple(
    map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
)
# RFC 6761 and the names networks use for themselves. ".example" stays out: it resolves nowhere, and documents
# need it.
_SPECIAL_NAMES: Final = (
    "localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "test",
    "invalid", "onion", "alt", "arpa",
)  # fmt: skip
_LABEL: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII)
_NUMERIC_LABEL: Final = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff\\]")
_BRACKETED: Final = re.compile(r"\[[^\[\]]*\](?::[0-9]*)?", re.ASCII)


@dataclass(frozen=True)
class Endpoint:
    """Where a checked URL leads: ``host`` is a lower-case ASCII name or an IP address without brackets."""

    scheme: str
    host: str
    port: int
    target: str
    is_address: bool

    @property
    def host_header(self) -> str:
        """The value of the Host header: IPv6 in brackets, the port only when it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


def is_public(address: str) -> bool:
    """Return whether an IP address in text form belongs to the public internet.

    ``ipaddress.is_global`` alone is not enough: it is true for NAT64, 6to4 and others that lead inside.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv4Address):
        if not ip.is_global or ip.is_multicast or ip.is_reserved:
            return False
        return not any(ip in network for network in _NET4_REFUSED)
    if ip.scope_id or ip not in _NET6_GLOBAL:
        return False
    return not any(ip in network for network in _NET6_REFUSED)


def is_reachable(endpoint: Endpoint, address: str, allow: AllowedPairs) -> bool:
    """Return whether ``address``, to which the endpoint's host resolved, may be connected to.

    An allowed pair counts only when the URL spells the address itself: a name resolving to it stays refused.
    """
    if endpoint.is_address and (address, endpoint.port) in allow:
        return True
    return endpoint.port in (80, 443) and is_public(address)


def check_url(url: str, allow: AllowedPairs = frozenset()) -> Endpoint:
    """Return where ``url`` leads when its text is acceptable for an outbound request; nothing is resolved.

    Raises ServiceFailure URL_NOT_ALLOWED otherwise, in words that never repeat the URL: it may hold a secret.
    """
    if len(url) > _MAX_URL:
        raise _refused(f"The URL is over {_MAX_URL} characters.")
    if _FORBIDDEN.search(url):
        raise _refused("The URL holds a space, a control character or a backslash.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _refused("The URL is not well-formed.") from None
    if parts.scheme not in _DEFAULT_PORTS:
        raise _refused("Only http and https URLs may be used.")
    if "@" in parts.netloc:
        raise _refused("The URL must not hold a user name or password.")
    bracketed = "[" in parts.netloc
    if bracketed and not _BRACKETED.fullmatch(parts.netloc):
        raise _refused("The URL's host is not a valid IPv6 address.")
    host, is_address = _checked_host(parts.hostname or "", bracketed=bracketed)
    port = _DEFAULT_PORTS[parts.scheme] if port is None else port
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    endpoint = Endpoint(parts.scheme, host, port, _ascii(target), is_address)
    _check_place(endpoint, allow)
    return endpoint


def _check_place(endpoint: Endpoint, allow: AllowedPairs) -> None:
    if endpoint.is_address and (endpoint.host, endpoint.port) in allow:
        return
    if endpoint.port not in (80, 443):
        raise _refused("Only the standard ports 80 and 443 may be used.")
    if endpoint.is_address and not is_public(endpoint.host):
        raise _refused("The URL leads to an address that is not public.")


def _checked_host(host: str, *, bracketed: bool) -> tuple[str, bool]:
    """Return (host, is it an IP address) or raise URL_NOT_ALLOWED."""
    if bracketed:
        return _checked_ipv6(host), True
    host = host.removesuffix(".")
    if not host.isascii():
        host = _idna(host)
    labels = host.split(".")
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        return _checked_ipv4(host), True
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise _refused("The URL's host is not a valid name.")
    if len(labels) < 2 or labels[-1] in _SPECIAL_NAMES:
        raise _refused("The URL's host is not a public name.")
    return host, False


def _checked_ipv4(host: str) -> str:
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        raise _refused("An IP address must be written as four decimal numbers.") from None


def _checked_ipv6(host: str) -> str:
    if "%" in host:
        raise _refused("The URL must not hold a zone id.")
    try:
        return str(ipaddress.IPv6Address(host))
    except ValueError:
        raise _refused("The URL's host is not a valid IPv6 address.") from None


def _idna(host: str) -> str:
    try:
        return idna.encode(host, uts46=True).decode("ascii").lower()
    except UnicodeError:  # what idna raises is one, and not all that it raises is its own
        raise _refused("The URL's host is not a valid name.") from None


def _ascii(target: str) -> str:
    return "".join(c if c.isascii() else "".join(f"%{b:02X}" for b in c.encode()) for c in target)


def _refused(message: str) -> ServiceFailure:
    return ServiceFailure("URL_NOT_ALLOWED", message)
