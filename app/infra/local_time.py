"""Local times: what a clock on the wall shows in a time zone, and the moments it stands for (pure)."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

_ABBREVIATIONS: Final = ("Etc/", "SystemV/", "US/")


def zone_named(name: str | None) -> ZoneInfo | None:
    """Return the time zone of an IANA name such as ``Europe/Berlin``, None if there is no such zone."""
    return ZoneInfo(name) if name and name in _all_names() else None


@cache
def _all_names() -> frozenset[str]:
    # To ask for them reads a file for each zone.
    return frozenset(available_timezones())


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of time zones that people choose from: UTC, and then those of places."""
    places = sorted(name for name in _all_names() if "/" in name and not name.startswith(_ABBREVIATIONS))
    return ("UTC", *places)


def moments_of(local: datetime, zone: ZoneInfo) -> list[datetime]:
    """Return the moments, in UTC, at which clocks of a zone show the naive time ``local``.

    There is none in the hour that is skipped when clocks are set forward, and there are two in the hour that
    is repeated when they are set back.
    """
    found = []
    for fold in (0, 1):
        moment = local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        if moment not in found and moment.astimezone(zone).replace(tzinfo=None) == local:
            found.append(moment)
    return found


def nearest_moment(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the first moment, in UTC, at which clocks show ``local``, or would if none were skipped."""
    return next(iter(moments_of(local, zone)), local.replace(tzinfo=zone, fold=0).astimezone(UTC))


def next_full_hour(now: datetime, zone: ZoneInfo) -> datetime:
    """Return the naive local time of the next full hour that is at least half an hour away."""
    later = (now + timedelta(minutes=90)).astimezone(zone)
    return later.replace(minute=0, second=0, microsecond=0, tzinfo=None)


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the moment, in UTC, at which a day begins in a zone."""
    return nearest_moment(datetime.combine(day, time()), zone)


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())
