"""Normalised URLs: their keys, their parts, and whether they belong to a project's site. Pure."""

import re
from hashlib import blake2b
from typing import Final
from urllib.parse import urljoin, urlsplit, urlunsplit

import idna

from app.infra.hosts import InvalidUrl as InvalidUrl
from app.infra.hosts import is_ip, registrable_domain, split_url

MAX_URL: Final = 2048
INVISIBLE: Final = (
    " \t\r\n\f\N{NO-BREAK SPACE}\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}\N{ZERO WIDTH NON-JOINER}"
    "\N{ZERO WIDTH JOINER}\N{WORD JOINER}\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}"
)
"""Characters that editors and word processors leave around a URL without showing them."""

_LONG: Final = 255
"""A URL of so many characters may have a host name that is too long."""
_MAX_RAW: Final = 16_384
_TOO_LONG: Final = f"it is longer than {MAX_URL} characters"

_KEPT_RAW: Final = r"A-Za-z0-9\-._~!$&'()*+,;=:@/"
_KEPT_ENCODED: Final = r"%(?:[89A-F][0-9A-F]|2[0-9A-CF])"
# An ASCII URL that is normalised already. Dot segments and punycode are checked separately.
_PLAIN: Final = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?"
    rf"/[{_KEPT_RAW}]*+(?:{_KEPT_ENCODED}[{_KEPT_RAW}]*+)*"
    rf"(?:\?(?:[{_KEPT_RAW}?]|{_KEPT_ENCODED})+)?",
    re.ASCII,
)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.ASCII | re.IGNORECASE)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\\\ud800-\udfff\ufffd]")
_PERCENT: Final = re.compile(r"%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]", re.ASCII)
_DIGEST: Final = blake2b(digest_size=16)
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def normalise(url: str, base: str | None = None) -> str:
    """Return the normalised ``url``, resolved against ``base`` when it is relative.

    Scheme and host lower-case, IDN as punycode, default port, fragment and empty query dropped, dot segments
    resolved, percent-encoding in one form, an empty path "/"; trailing slash and query stay. Idempotent.
    Raises InvalidUrl.
    """
    if len(url) < _LONG and _PLAIN.fullmatch(url) and "/." not in url and "xn--" not in url:
        return url
    url = url.strip(INVISIBLE)
    if not url:
        raise InvalidUrl("it is empty")
    if len(url) > _MAX_RAW:
        raise InvalidUrl(_TOO_LONG)
    if _CONTROL.search(url):
        raise InvalidUrl("it contains a control character, a backslash or an undecodable byte")
    parts = split_url(_absolute(url, base))
    result = f"{parts.scheme}://{parts.authority}{_path(parts.path)}"
    if parts.query:
        result += f"?{percent_normal(parts.query)}"
    if len(result) > MAX_URL:
        raise InvalidUrl(_TOO_LONG)
    return result


def page_address(url: str) -> str:
    """Return a link's URL without its fragment and campaign parameters (utm_…)."""
    try:
        parts = urlsplit(url)
    except ValueError:  # an invalid IPv6 address
        return url
    query = "&".join(each for each in parts.query.split("&") if not each.lower().startswith("utm_"))
    return urlunsplit(parts._replace(query=query, fragment=""))


def url_key(normalised: str) -> bytes:
    """Return the 16-byte digest that indexes use for a normalised URL."""
    digest = _DIGEST.copy()  # cheaper than a new one
    digest.update(normalised.encode("ascii"))
    return digest.digest()


def key_of(url: str, base: str | None = None) -> bytes | None:
    """Return the key of a URL that is not normalised yet, None for one that is not valid."""
    try:
        return url_key(normalise(url, base))
    except InvalidUrl:
        return None


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
    return "/".join(normalised.split("/", 3)[:3])


def host_of(normalised: str) -> str:
    """Return the host of a normalised URL, an IPv6 address in brackets."""
    return _without_port(authority_of(normalised))


def readable(authority: str) -> str:
    """Return a host, or host:port, with its punycode decoded for people to read."""
    if "xn--" not in authority:
        return authority
    host = _without_port(authority)
    try:
        return str(idna.decode(host)) + authority[len(host) :]
    except (idna.IDNAError, UnicodeError):
        return authority


def _without_port(authority: str) -> str:
    return authority[: authority.index("]") + 1] if authority.startswith("[") else authority.split(":", 1)[0]


def _with_port(normalised: str) -> str:
    authority = authority_of(normalised)
    if authority != _without_port(authority):
        return authority
    return f"{authority}:{443 if normalised.startswith('https:') else 80}"


def _absolute(url: str, base: str | None) -> str:
    if base is None or _SCHEME.match(url):
        return url
    try:
        return urljoin(base, url)
    except ValueError:
        raise InvalidUrl("it is not well-formed") from None


def percent_normal(text: str) -> str:
    """Return a path or query with normalised percent-encoding (RFC 3986, 6.2.2), in upper-case digits."""
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
