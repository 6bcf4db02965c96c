"""One spelling for every address: normalising, keys, and which addresses belong to a project's site. Pure."""

from __future__ import annotations

import ipaddress
import re
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Final
from urllib.parse import urljoin, urlsplit, urlunsplit

import idna
from publicsuffixlist import PublicSuffixList

MAX_URL: Final = 2048
AROUND: Final = (
    " \t\r\n\f\N{NO-BREAK SPACE}\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}\N{ZERO WIDTH NON-JOINER}"
    "\N{ZERO WIDTH JOINER}\N{WORD JOINER}\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}"
)
"""What may stand around an address and is not seen: editors and word processors leave it there."""

_MAX_RAW: Final = 16_384

_KEPT_RAW: Final = r"A-Za-z0-9\-._~!$&'()*+,;=:@/"
_KEPT_ENCODED: Final = r"%(?:[89A-F][0-9A-F]|2[0-9A-CF])"
# An ASCII address that is its own normal form, dot segments and punycode apart: those are looked for besides.
_PLAIN: Final = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?"
    rf"/[{_KEPT_RAW}]*+(?:{_KEPT_ENCODED}[{_KEPT_RAW}]*+)*+"
    rf"(?:\?(?:[{_KEPT_RAW}?]|{_KEPT_ENCODED})++)?",
    re.ASCII,
)
_SPLIT: Final = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.ASCII | re.IGNORECASE)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.ASCII | re.IGNORECASE)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\\\ud800-\udfff\ufffd]")
_LABEL: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII)
_NUMERIC: Final = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_PERCENT: Final = re.compile(r"%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]", re.ASCII)
_DIGEST: Final = blake2b(digest_size=16)
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class InvalidUrl(ValueError):
    """The text is not an http(s) URL that can be stored; ``reason`` says why in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def normalise(url: str, base: str | None = None) -> str:
    """Return the one spelling of ``url``, resolved against ``base`` when it is relative.

    Scheme and host lower-case, IDN as punycode, default port, fragment and empty query dropped, dot segments
    resolved, percent-encoding in one form, an empty path "/"; trailing slash and query stay. Idempotent.
    Raises InvalidUrl.
    """
    if _PLAIN.fullmatch(url) and "/." not in url and "xn--" not in url and len(url) <= MAX_URL:
        return url if len(url) < 255 else _host_length_checked(url)
    return _normalised(url, base)


def _normalised(url: str, base: str | None = None) -> str:
    url = url.strip(AROUND)
    if not url or len(url) > _MAX_RAW:
        raise InvalidUrl("empty" if not url else f"over {MAX_URL} characters")
    if _CONTROL.search(url):
        raise InvalidUrl("control character, backslash or undecodable byte")
    match = _SPLIT.fullmatch(_absolute(url, base))
    if match is None:
        raise InvalidUrl("not an http or https URL")
    scheme, authority, path, query = match.groups()
    scheme = scheme.lower()
    result = f"{scheme}://{_authority(authority, scheme)}{_path(path)}"
    if query:
        result += f"?{percent_normal(query)}"
    if len(result) > MAX_URL:
        raise InvalidUrl(f"over {MAX_URL} characters")
    return result


def page_address(url: str) -> str:
    """Return the address of the page that a link leads to: without fragment and campaign marks (utm_…)."""
    try:
        parts = urlsplit(url)
    except ValueError:  # an address of IPv6 that is none
        return url
    query = "&".join(each for each in parts.query.split("&") if not each.lower().startswith("utm_"))
    return urlunsplit(parts._replace(query=query, fragment=""))


def url_key(normalised: str) -> bytes:
    """Return the 16 bytes that stand for a normalised URL in indexes."""
    digest = _DIGEST.copy()  # cheaper than a new one
    digest.update(normalised.encode("ascii"))
    return digest.digest()


@lru_cache(maxsize=4096)
def registrable_domain(host: str) -> str | None:
    """Return the registrable domain of a host by the public-suffix list; None for an IP or a bare suffix."""
    if is_ip(host):
        return None
    domain = _suffixes().privatesuffix(host)
    return str(domain) if domain else None


def same_site(project_url: str, url: str) -> bool:
    """Return whether ``url`` belongs to the project: same registrable domain; for an IP the same host:port.

    Both must be normalised.
    """
    own_host, other_host = host_of(project_url), host_of(url)
    if is_ip(own_host) or is_ip(other_host):
        return _with_port(project_url) == _with_port(url)
    if authority_of(project_url) == authority_of(url):
        return True
    domain = registrable_domain(own_host)
    return domain is not None and (other_host == domain or other_host.endswith(f".{domain}"))


def authority_of(normalised: str) -> str:
    """Return host or host:port of a normalised URL."""
    return normalised.split("/", 3)[2]


def bare_authority_of(normalised: str) -> str:
    """Return the authority of a normalised URL without a leading "www."."""
    return authority_of(normalised).removeprefix("www.")


def origin_of(normalised: str) -> str:
    """Return scheme, host and port of a normalised URL."""
    return "/".join(normalised.split("/", 3)[:3])


def host_of(normalised: str) -> str:
    """Return the host of a normalised URL, an IPv6 address in brackets."""
    return _without_port(authority_of(normalised))


def readable(authority: str) -> str:
    """Return a host, with its port if it has one, as people read it: punycode decoded."""
    if "xn--" not in authority:
        return authority
    host = _without_port(authority)
    try:
        return str(idna.decode(host)) + authority[len(host) :]
    except (idna.IDNAError, UnicodeError):
        return authority


def is_ip(host: str) -> bool:
    """Return whether a normalised host is an IP address (IPv6 in brackets)."""
    return host.startswith("[") or host.rsplit(".", 1)[-1].isdigit()


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def _without_port(authority: str) -> str:
    return authority[: authority.index("]") + 1] if authority.startswith("[") else authority.split(":", 1)[0]


def _with_port(normalised: str) -> str:
    authority = authority_of(normalised)
    if authority != _without_port(authority):
        return authority
    return f"{authority}:{443 if normalised.startswith('https:') else 80}"


def _host_length_checked(url: str) -> str:
    if len(authority_of(url)) > 253:
        raise InvalidUrl("host name too long")
    return url


def _absolute(url: str, base: str | None) -> str:
    if base is None or _SCHEME.match(url):
        return url
    try:
        return urljoin(base, url)
    except ValueError:
        raise InvalidUrl("not well-formed") from None


def _authority(authority: str, scheme: str) -> str:
    if "@" in authority:
        raise InvalidUrl("user name or password")
    host, colon, port = authority, "", ""
    if not authority.endswith("]"):
        host, colon, port = authority.rpartition(":")
        if not colon:
            host, port = authority, ""
    if port and not (port.isascii() and port.isdigit() and 0 < int(port[:9]) < 65536):
        raise InvalidUrl("invalid port")
    default = "443" if scheme == "https" else "80"
    port = port.lstrip("0")
    return _host(host) if port in ("", default) else f"{_host(host)}:{port}"


@lru_cache(maxsize=1024)
def _host(host: str) -> str:
    if host.startswith("["):
        return _ipv6(host)
    host = host.lower().removesuffix(".")
    if not host.isascii() or "xn--" in host:
        host = _idna(host)
    labels = host.split(".")
    if _NUMERIC.fullmatch(labels[-1]):
        return _ipv4(host)
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise InvalidUrl("invalid host name")
    return host


def _idna(host: str) -> str:
    try:
        return idna.encode(idna.decode(host, uts46=True), uts46=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        raise InvalidUrl("invalid host name") from None


def _ipv4(host: str) -> str:
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        raise InvalidUrl("an IP address must be four decimal numbers") from None


def _ipv6(host: str) -> str:
    try:
        if "%" in host or not host.endswith("]"):
            raise ValueError
        return f"[{ipaddress.IPv6Address(host[1:-1])}]"
    except ValueError:
        raise InvalidUrl("invalid IPv6 address") from None


def percent_normal(text: str) -> str:
    """Decode what needs no encoding, encode what may not stand raw, capitals for the rest (RFC 3986)."""
    return _PERCENT.sub(_one_form, text)


def _one_form(match: re.Match[str]) -> str:
    digits = match.group(1)
    if digits is None:
        return "".join(f"%{byte:02X}" for byte in match.group().encode())
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else f"%{digits.upper()}"


def _path(path: str) -> str:
    path = percent_normal(path)
    if "/." not in path:
        return path or "/"
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)
