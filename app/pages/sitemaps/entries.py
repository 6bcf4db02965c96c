"""The words of sitemap reading: entries, problems, limits, the report, and W3C dates. Pure.

``sitemap_read`` walks, ``sitemap_parse`` understands one document, ``sitemap_bytes`` unpacks and mends bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Final

MAX_PROBLEMS: Final = 200
EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
AHEAD: Final = timedelta(days=1)
"""How far ahead of now a page may say that it changed: clocks and zones differ, others are wrong."""

_INSTANT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_W3C: Final = re.compile(
    r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?",
    re.ASCII | re.IGNORECASE,
)


Entry = tuple[str, datetime | None]
"""One page of a sitemap: its normalised URL and, when stated, when it last changed (UTC).

A plain tuple: to make a named one takes as long as to read the page's line.
"""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something worth telling about a sitemap; ``where`` is the document's URL or the offending text, cut."""

    code: str
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read. Every limit that is met is reported and makes the reading incomplete."""

    depth: int = 3
    children: int = 50_000
    urls: int = 5_000_000
    document_bytes: int = 64 * 1024 * 1024


@dataclass
class Report:
    """What reading a sitemap found, filled while the entries are drawn; final when they are exhausted.

    ``complete``: everything the sitemap lists was read. ``is_feed``: RSS or Atom, which list only the newest.
    ``invalid`` counts entries without a usable URL, ``bytes`` is what the opener gave,
    ``children`` the documents asked for below the first, ``gone`` those of them that answered 404 or 410.
    """

    complete: bool = True
    is_feed: bool = False
    urls: int = 0
    invalid: int = 0
    invalid_dates: int = 0
    children: int = 0
    bytes: int = 0
    gone: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0

    @property
    def lists_everything(self) -> bool:
        """Whether a page that is not in it may be believed to be gone."""
        return self.complete and not self.is_feed

    def findings(self, root: str) -> list[Problem]:
        """Return what was only counted, then the problems; ``root`` is where the reading began."""
        counted = []
        if self.invalid_dates:
            message = f"Values of lastmod that are no date or cannot be true, ignored: {self.invalid_dates}."
            counted.append(Problem("INVALID_DATES", root, message))
        if (more := self.problem_count - len(self.problems)) > 0:
            counted.append(Problem("MORE_PROBLEMS", root, f"Problems that are not listed: {more}."))
        return [*counted, *self.problems]

    def note(self, code: str, where: str, message: str) -> None:
        """Record a problem that loses nothing. Problems over MAX_PROBLEMS are only counted."""
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(code, where[:500], message))

    def note_feed(self, where: str) -> None:
        """Record that a document is a feed; the first one is named."""
        if not self.is_feed:
            message = "A feed lists only the newest pages, so that none is taken for gone."
            self.note("FEED", where, message)
        self.is_feed = True

    def lose(self, code: str, where: str, message: str) -> None:
        """Record a problem by which something may be missing."""
        self.complete = False
        if len(self.problems) >= MAX_PROBLEMS:
            self.problems.pop(0)  # a loss is always named, also after very many small complaints
        self.note(code, where, message)


class Damage(Exception):
    """A document that is not whole; what was readable before this point stands.

    ``repairable``: reading it again through ``sitemap_bytes.repaired`` may give the rest.
    """

    def __init__(self, code: str, message: str, *, repairable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.repairable = repairable


class DocumentUnreadable(Exception):
    """To be raised by an opener for an answer that is no document, such as status 404 (then ``gone``).

    ``empty``: a child that has been gone for so long that it counts as one without an entry.
    """

    def __init__(self, message: str, *, gone: bool = False, empty: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.gone = gone
        self.empty = empty


def parse_lastmod(text: str, latest: datetime) -> datetime | None:
    """Return a W3C date (https://www.w3.org/TR/NOTE-datetime) or an RSS date in UTC; None when it is neither.

    A time without a zone is read as UTC. A date before 1970 or after ``latest`` is none: no page changed
    then, and one far ahead would hide every true date that follows.
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
