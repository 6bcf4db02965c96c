"""Local times: zones, the hour that clocks skip and the one that comes twice."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from app.infra.local_time import moments_of, nearest_moment, next_full_hour, zone_named, zone_names

BERLIN = ZoneInfo("Europe/Berlin")


def utc(*members: int) -> datetime:
    return datetime(*members, tzinfo=UTC)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("zone", "local", "moment"),
    [
        ("Europe/Berlin", datetime(2026, 11, 24, 9), utc(2026, 11, 24, 8)),
        ("Europe/Berlin", datetime(2026, 7, 24, 9), utc(2026, 7, 24, 7)),
        ("America/New_York", datetime(2026, 11, 24, 20), utc(2026, 11, 25, 1)),
        ("Asia/Kathmandu", datetime(2026, 11, 24, 9), utc(2026, 11, 24, 3, 15)),
        ("Pacific/Kiritimati", datetime(2026, 11, 24, 9), utc(2026, 11, 23, 19)),
        ("UTC", datetime(2026, 11, 24, 9), utc(2026, 11, 24, 9)),
    ],
)
def test_a_local_time_is_a_moment(zone: str, local: datetime, moment: datetime) -> None:
    assert moments_of(local, ZoneInfo(zone)) == [moment]
    assert nearest_moment(local, ZoneInfo(zone)) == moment


def test_there_is_no_moment_in_the_hour_that_is_skipped() -> None:
    skipped = datetime(2027, 3, 28, 2, 30)
    assert moments_of(skipped, BERLIN) == []
    assert nearest_moment(skipped, BERLIN) == utc(2027, 3, 28, 1, 30)  # 03:30
    assert moments_of(datetime(2027, 3, 28, 3), BERLIN) == [utc(2027, 3, 28, 1)]


def test_there_are_two_moments_in_the_hour_that_is_repeated() -> None:
    repeated = datetime(2026, 10, 25, 2, 30)
    assert moments_of(repeated, BERLIN) == [utc(2026, 10, 25, 0, 30), utc(2026, 10, 25, 1, 30)]
    assert nearest_moment(repeated, BERLIN) == utc(2026, 10, 25, 0, 30)


@pytest.mark.parametrize(
    "name", [None, "", "Berlin", "Europe/Nowhere", "../etc/passwd", "/etc/localtime", "a\x00b"]
)
def test_an_unknown_zone_is_none(name: str | None) -> None:
    assert zone_named(name) is None


def test_people_choose_from_places() -> None:
    names = zone_names()
    assert names[0] == "UTC"
    assert {"Europe/Berlin", "America/New_York", "Asia/Tokyo"} <= set(names)
    assert not [name for name in names if name.startswith("Etc/")]
    assert all(zone_named(name) for name in names)


def test_the_next_full_hour_is_at_least_half_an_hour_away() -> None:
    assert next_full_hour(utc(2026, 11, 24, 8, 29), BERLIN) == datetime(2026, 11, 24, 10)
    assert next_full_hour(utc(2026, 11, 24, 8, 31), BERLIN) == datetime(2026, 11, 24, 11)
