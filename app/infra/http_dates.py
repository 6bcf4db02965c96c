"""Dates in the headers of answers. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def http_date(text: str) -> datetime | None:
    """Return the moment that a header's date tells (RFC 9110, 5.6.7), aware; None when it tells none."""
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError, TypeError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
