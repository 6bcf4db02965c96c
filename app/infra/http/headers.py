"""Response headers: dates, Retry-After, and the ETag and Last-Modified of conditional requests. Pure.

Header names are in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from app.infra.clock import utc_now

BUSY: Final = (429, 503)
"""The statuses of a server that asks its clients to slow down."""

MAX_ETAG: Final = 500
MAX_DATE: Final = 60

# RFC 9110, 8.8.3.
_ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"', re.ASCII)


def http_date(text: str) -> datetime | None:
    """Return the time in a date header (RFC 9110, 5.6.7), aware; None when it is not a date."""
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError, TypeError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait by the Retry-After header; None when it is absent or unreadable.

    The header has seconds or a date (RFC 9110, 10.2.3). A date in the past means 0.
    """
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    moment = http_date(value)
    return None if moment is None else max(0.0, (moment - utc_now()).total_seconds())


@dataclass(frozen=True)
class Validators:
    """The validators of a response, sent back in the next request for it. At least one is set."""

    etag: str | None
    last_modified: str | None

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Validators | None:
        """Return the validators in a response's headers, None when there are no reliable ones."""
        etag, date = headers.get("etag", "").strip(), headers.get("last-modified", "").strip()
        modified = http_date(date)
        if modified is not None and not _is_reliable(modified, http_date(headers.get("date", ""))):
            return None
        is_etag = len(etag) <= MAX_ETAG and _ETAG.fullmatch(etag) is not None
        is_date = len(date) <= MAX_DATE and modified is not None
        found = cls(etag if is_etag else None, date if is_date else None)
        return found if found.etag or found.last_modified else None

    def headers(self) -> dict[str, str]:
        conditions = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in conditions.items() if value}


def _is_reliable(modified: datetime, responded: datetime | None) -> bool:
    """Return whether a Last-Modified date is at least a second older than the response.

    Dates have whole seconds: a file that changes twice in one second keeps its date (RFC 9110, 8.8.2.2), and
    its ETag too where the server makes it from date and size.
    """
    return responded is not None and responded - modified >= timedelta(seconds=1)
