"""Which URLs and IP addresses may be requested. Pure.

``check_url`` checks the text of a URL, ``is_public`` one resolved address. Both are needed: a harmless name
may resolve to a private address.
"""

import ipaddress
import re
from dataclasses import dataclass
from typing import Final

from app.failures import ServiceFailure
from app.infra.hosts import InvalidUrl, split_url
from app.infra.urls import MAX_URL

AllowedPairs = frozenset[tuple[str, int]]
"""Exact (IP address, port) pairs that may be requested although they are not public."""

_PORTS: Final = (80, 443)
# 168.63.129.16 is in a public range, but on every machine of one cloud it is the host's own agent.
_NET4_REFUSED: Final = tuple(
    map(ipaddress.IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32"))
)
_NET6_GLOBAL: Final = ipaddress.IPv6Network("2000::/3")
_NET6_REFUSED: Final = tuple(
    map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
)
# RFC 6761, and the names that private networks use. ".example" is missing: it never resolves, and documents
# need it.
_SPECIAL_NAMES: Final = frozenset(
    {"localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan"}
    | {"test", "invalid", "onion", "alt", "arpa"}
)
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff\\]")


@dataclass(frozen=True)
class Endpoint:
    """Where a checked URL leads. ``host`` is a lower-case ASCII name or an IP address without brackets."""

    scheme: str
    host: str
    port: int
    target: str
    is_address: bool
    host_header: str


def is_public(address: str) -> bool:
    """Return whether an IP address in text form belongs to the public internet.

    ``ipaddress.is_global`` alone is not enough: it is true for NAT64, 6to4 and other ranges that lead inside.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv4Address):
        if not ip.is_global or ip.is_multicast:
            return False
        return not any(ip in network for network in _NET4_REFUSED)
    if ip.scope_id or ip not in _NET6_GLOBAL:
        return False
    return not any(ip in network for network in _NET6_REFUSED)


def is_reachable(endpoint: Endpoint, address: str, allow: AllowedPairs) -> bool:
    """Return whether a connection to ``address``, an address of the endpoint's host, is allowed.

    ``allow`` applies only to a URL that names the address itself: a name that resolves to it is refused.
    """
    if endpoint.is_address and (address, endpoint.port) in allow:
        return True
    return endpoint.port in _PORTS and is_public(address)


def check_url(url: str, allow: AllowedPairs = frozenset()) -> Endpoint:
    """Return the endpoint of a URL whose text is acceptable for an outbound request. Nothing is resolved.

    Raises ServiceFailure URL_NOT_ALLOWED. Its message never repeats the URL, which may contain a secret.
    """
    if len(url) > MAX_URL:
        raise _refused(f"The URL is over {MAX_URL} characters.")
    if _FORBIDDEN.search(url):
        raise _refused("The URL contains a space, a control character or a backslash.")
    try:
        parts = split_url(url)
    except InvalidUrl as error:
        raise _refused(f"The URL cannot be used: {error.reason}.") from None
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    endpoint = Endpoint(
        parts.scheme, parts.host.text, parts.port, _ascii(target), parts.host.is_address, parts.authority
    )
    _check_place(endpoint, allow)
    return endpoint


def _check_place(endpoint: Endpoint, allow: AllowedPairs) -> None:
    if endpoint.is_address and (endpoint.host, endpoint.port) in allow:
        return
    if not endpoint.is_address and not _is_public_name(endpoint.host):
        raise _refused("The URL's host is not a public name.")
    if endpoint.port not in _PORTS:
        raise _refused("Only the standard ports 80 and 443 may be used.")
    if endpoint.is_address and not is_public(endpoint.host):
        raise _refused("The URL leads to an address that is not public.")


def _is_public_name(host: str) -> bool:
    labels = host.split(".")
    return len(labels) > 1 and labels[-1] not in _SPECIAL_NAMES


def _ascii(target: str) -> str:
    return "".join(c if c.isascii() else "".join(f"%{b:02X}" for b in c.encode()) for c in target)


def _refused(message: str) -> ServiceFailure:
    return ServiceFailure("URL_NOT_ALLOWED", message)
