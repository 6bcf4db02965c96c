"""Servers that are busy, and the Retry-After header: when they want to be asked again. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from app.infra.clock import utc_now
from app.infra.http_dates import http_date

BUSY: Final = (429, 503)
"""The statuses of a server that wants to be left alone for a while."""


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a Retry-After header asks for, None without a readable one.

    It holds seconds or a date (RFC 9110, 10.2.3); a date that has passed asks for nothing: 0. Names of
    ``headers`` are in lower case.
    """
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    moment = http_date(value)
    return None if moment is None else max(0.0, (moment - utc_now()).total_seconds())
