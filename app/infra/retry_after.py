"""The Retry-After header: when a server wants to be asked again. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

from app.infra.clock import utc_now


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a Retry-After header asks for, None without a readable one.

    It holds seconds or a date (RFC 9110, 10.2.3); a date that has passed asks for nothing: 0. Names of
    ``headers`` are in lower case.
    """
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - utc_now()).total_seconds())
