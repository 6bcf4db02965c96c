"""What makes a request for a document conditional: its ETag and its Last-Modified date. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.infra.http_dates import http_date

MAX_ETAG: Final = 500
MAX_DATE: Final = 60

# RFC 9110, 8.8.3.
_ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"', re.ASCII)


@dataclass(frozen=True)
class Validators:
    """What one answer gave to ask with next time; at least one of them is set."""

    etag: str | None
    last_modified: str | None

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Validators | None:
        """Return an answer's validators, None when it has none to rely on. Header names are in lower case."""
        etag, date = headers.get("etag", "").strip(), headers.get("last-modified", "").strip()
        modified = http_date(date)
        if modified is not None and not _has_settled(modified, http_date(headers.get("date", ""))):
            return None
        is_etag = len(etag) <= MAX_ETAG and _ETAG.fullmatch(etag) is not None
        is_date = len(date) <= MAX_DATE and modified is not None
        found = cls(etag if is_etag else None, date if is_date else None)
        return found if found.etag or found.last_modified else None

    def headers(self) -> dict[str, str]:
        """Return the headers of a request that only wants what has changed."""
        asked = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in asked.items() if value}


def _has_settled(modified: datetime, answered: datetime | None) -> bool:
    """Return whether a date is at least a second older than the answer.

    Dates count whole seconds: a file that changes again within its second keeps its date (RFC 9110, 8.8.2.2),
    and its ETag, too, where that is made of date and size.
    """
    return answered is not None and answered - modified >= timedelta(seconds=1)
