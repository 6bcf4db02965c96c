"""The times of an autopilot: weekdays, hours, time zones, and days on which clocks change."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

import pytest

from app.autopilot.slots import slots_after

TUESDAY, FRIDAY, SUNDAY = 1, 4, 6
BERLIN = ZoneInfo("Europe/Berlin")


def utc(*members: int) -> datetime:
    return datetime(*members, tzinfo=UTC)  # type: ignore[misc]


def first(after: datetime, weekdays: list[int], hour: int, zone: ZoneInfo, many: int = 3) -> list[datetime]:
    return list(islice(slots_after(after, weekdays, hour, zone), many))


def test_it_runs_at_the_hour_of_the_zone_on_its_weekdays() -> None:
    assert first(utc(2026, 11, 23, 12), [TUESDAY, FRIDAY], 9, BERLIN) == [
        utc(2026, 11, 24, 8), utc(2026, 11, 27, 8), utc(2026, 12, 1, 8),
    ]  # fmt: skip


def test_the_day_is_that_of_the_zone() -> None:
    # In Auckland it is Tuesday already.
    assert first(utc(2026, 11, 23, 12), [TUESDAY], 9, ZoneInfo("Pacific/Auckland"), 1) == [
        utc(2026, 11, 23, 20)
    ]


def test_a_time_of_today_that_has_passed_is_not_taken_again() -> None:
    assert first(utc(2026, 11, 24, 8), [TUESDAY], 9, BERLIN, 1) == [utc(2026, 12, 1, 8)]
    assert first(utc(2026, 11, 24, 7, 59), [TUESDAY], 9, BERLIN, 1) == [utc(2026, 11, 24, 8)]


def test_the_hour_on_the_clock_stays_when_clocks_change() -> None:
    assert first(utc(2027, 3, 26, 12), [FRIDAY, TUESDAY], 9, BERLIN, 1) == [utc(2027, 3, 30, 7)]


def test_in_the_hour_that_is_skipped_it_runs_an_hour_later_and_once() -> None:
    assert first(utc(2027, 3, 27, 12), [SUNDAY], 2, BERLIN, 2) == [utc(2027, 3, 28, 1), utc(2027, 4, 4)]


def test_of_the_hour_that_comes_twice_it_runs_in_the_first_and_once() -> None:
    assert first(utc(2026, 10, 24, 12), [SUNDAY], 2, BERLIN, 2) == [utc(2026, 10, 25), utc(2026, 11, 1, 1)]
    assert first(utc(2026, 10, 25, 0, 30), [SUNDAY], 2, BERLIN, 1) == [utc(2026, 11, 1, 1)]


def test_without_weekdays_it_never_runs() -> None:
    assert first(utc(2026, 11, 23), [], 9, BERLIN) == []


@pytest.mark.parametrize("hour", [0, 23])
def test_between_two_moments(hour: int) -> None:
    coming = slots_after(utc(2026, 11, 23), range(7), hour, ZoneInfo("UTC"))
    found = list(takewhile(lambda slot: slot < utc(2026, 12, 7), coming))
    assert len(found) == 13 + (hour > 0)
