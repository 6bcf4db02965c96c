"""The entries of a sitemap: pages with their dates, and which texts are damaged addresses. Pure.

A text that never was an address (``mailto:``) is no page. A damaged address may be that of a known page.
Reading it as another address would add a page that does not exist and lose the one that does.
"""

import re
from array import array
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from email.utils import parsedate_to_datetime
from functools import lru_cache
from html import unescape
from typing import Final

from app.infra.urls import INVISIBLE, bare_authority_of

EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
AHEAD: Final = timedelta(days=1)
"""How far ahead of now a lastmod may be: clocks and time zones differ, a later date is wrong."""

UNDECODABLE: Final = "\N{REPLACEMENT CHARACTER}"
"""Decoding puts this in place of undecodable bytes."""

_DAMAGED: Final = "it may be a damaged address"
_ABSOLUTE: Final = re.compile(r"https?://", re.IGNORECASE)
_ANOTHER: Final = re.compile(r"\s+https?://", re.IGNORECASE)
_JOINED: Final = re.compile(r"[^?#]*?[,;|]https?://", re.IGNORECASE)
_BROKEN: Final = re.compile(r"https?://(?:https?[:/]|[^\t\r\n]*[\t\r\n]|[^/?#\s,{]*[\s,])", re.IGNORECASE)
_ESCAPED_SCHEME: Final = re.compile(r"https?%3a", re.IGNORECASE)
_MISSPELT_SCHEME: Final = re.compile(
    r"(?!ftps?:)([a-z]{1,8})\s*[:;.,]*\s*[/\\]{2,}(?:www\.)?([^/\\?#:]+)", re.IGNORECASE
)
_LIKE_A_SCHEME: Final = 0.75
"""How alike a misspelt scheme is to http or https: a letter is missing, wrong, doubled or elsewhere."""
_WEB: Final = re.compile(r"(https?):[/\\]+", re.IGNORECASE)
_BEFORE_QUERY: Final = re.compile(r"[^?#]*")
_LINE_ENDS: Final = re.compile(r"(?<! )[\t\r\n]+(?! )")
_NAMED_ENTITY: Final = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z]+[0-9]*;")
_BEHIND_SOMETHING: Final = re.compile(r"[^?#]*?https?(?::/|//)", re.IGNORECASE)
_PARTS: Final = 1024
_FIRST: Final = re.compile(r"[^/?#]*")
_INSTANT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_W3C: Final = re.compile(
    r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?",
    re.ASCII | re.IGNORECASE,
)

Entry = tuple[str, datetime | None]
"""One page of a sitemap: its normalised URL and, if stated, when it last changed (UTC).

It is a plain tuple because making a named one takes as long as reading the page's line.
"""


def mended(loc: str) -> str:
    """Return an entry's text as a browser would read it; as it is where that is not certain.

    Named entities of HTML become their characters, line breaks and tabs inside the address vanish unless
    spaces are beside them, and before the query backslashes are slashes, of which two follow the scheme.
    """
    text = _NAMED_ENTITY.sub(lambda match: unescape(match.group()), loc).strip(INVISIBLE)
    if _ANOTHER.search(text):
        return text
    text = _LINE_ENDS.sub("", text)
    end = (_BEFORE_QUERY.match(text) or [""])[0]
    path = end.replace("\\/", "/").replace("\\", "/")
    return _WEB.sub(r"\1://", path, count=1) + text[len(end) :]


def why_damaged(loc: str, base: str) -> str | None:
    """Return why a text may be a damaged address; None for one that is not.

    It may be one if it is empty, has undecodable bytes, contains two addresses, has words or quotation marks
    before the address, or lacks the scheme or misspells it: any scheme before the host of its document, whose
    address is ``base``, and one like http or https before any host.
    """
    text = loc.strip(INVISIBLE)
    if not text or UNDECODABLE in text:
        return _DAMAGED
    if _ABSOLUTE.match(text):
        return (
            _DAMAGED
            if any(found(text) for found in (_ANOTHER.search, _JOINED.match, _BROKEN.match))
            else None
        )
    first = (_FIRST.match(text) or [""])[0].lower()
    host = bare_authority_of(base).partition(":")[0]
    misspelt = _MISSPELT_SCHEME.match(text)
    if misspelt is not None and (
        misspelt.group(2).lower() == host or _is_like_web(misspelt.group(1).lower())
    ):
        return f"its scheme is misspelt: {misspelt.group(1)}"
    is_host = first.startswith("www.") or first.partition(":")[0] == host
    is_behind = any(found(text) for found in (_ESCAPED_SCHEME.match, _BEHIND_SOMETHING.match))
    return _DAMAGED if is_host or is_behind else None


@lru_cache(maxsize=1024)
def _is_like_web(scheme: str) -> bool:
    return bool(get_close_matches(scheme, ("http", "https"), cutoff=_LIKE_A_SCHEME))


def parse_lastmod(text: str, latest: datetime) -> datetime | None:
    """Return a W3C date (https://www.w3.org/TR/NOTE-datetime) or an RSS date in UTC; None when it is neither.

    A time without a zone is read as UTC. A date before 1970 or after ``latest`` gives None too: it cannot be
    right, and a date far ahead would hide every later change.
    """
    moment = _instant(text) if _INSTANT.fullmatch(text) else _rarer_form(text)
    return moment if moment is not None and EARLIEST <= moment <= latest else None


def _instant(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


@lru_cache(maxsize=8192)
def _rarer_form(text: str) -> datetime | None:
    text = text.strip()
    match = _W3C.fullmatch(text)
    try:
        if match is None:
            moment = parsedate_to_datetime(text)
        elif match.group(3) is None:
            moment = datetime(int(match.group(1)), int(match.group(2) or 1), 1, tzinfo=UTC)
        else:
            moment = datetime.fromisoformat(text.upper())
        if moment.tzinfo is None:
            return moment.replace(tzinfo=UTC)
        return moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    except (ValueError, OverflowError, TypeError):
        return None


class DistinctCounter:
    """Counts different texts in 8 bytes each. Two of five million share a hash once in a million readings."""

    def __init__(self) -> None:
        # Equal texts go to the same part, so that no set is larger than a part.
        self._parts = [array("q") for _ in range(_PARTS)]

    def add(self, text: str) -> None:
        mark = hash(text)
        self._parts[mark % _PARTS].append(mark)

    def count(self) -> int:
        """Return how many different texts were added."""
        return sum(len(set(part)) for part in self._parts)
