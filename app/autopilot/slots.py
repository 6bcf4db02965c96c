"""The times at which an autopilot runs: an hour on some weekdays in a time zone (pure)."""

from collections.abc import Collection, Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.infra.local_time import nearest_moment

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def slots_after(moment: datetime, weekdays: Collection[int], hour: int, zone: ZoneInfo) -> Iterator[datetime]:
    """Yield the times after a moment, in UTC, without end. Weekdays count from Monday, 0.

    In the hour that clocks skip, a slot is an hour later on the clock; of an hour that comes twice it is the
    first. Without weekdays there is none.
    """
    day = moment.astimezone(zone).date()
    while weekdays and day.year < date.max.year:
        slot = nearest_moment(datetime.combine(day, time(hour)), zone)
        if day.weekday() in weekdays and slot > moment:
            yield slot
        day += timedelta(days=1)
