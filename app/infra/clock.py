"""Time: the wall clock in UTC and its one written form. Leases use the database's clock (infra/db)."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the present time, aware, in UTC."""
    return datetime.now(UTC)


def rfc3339(moment: datetime | None) -> str | None:
    """Write a time as RFC 3339 in UTC with ``Z`` and milliseconds, such as ``2026-01-31T09:30:00.125Z``."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
