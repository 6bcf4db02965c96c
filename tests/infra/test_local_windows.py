"""Rate limits in the memory of one process. The clock is an argument."""

from __future__ import annotations

import pytest

from app.infra import local_windows
from app.infra.local_windows import LocalWindows

HOUR = 3600


def test_a_full_window_frees_one_request_after_the_other_in_the_next() -> None:
    windows = LocalWindows()
    assert [windows.hit("a", 4, HOUR, 10 * HOUR).allowed for _ in range(5)] == [True] * 4 + [False]
    next_hour = 11 * HOUR
    assert not windows.hit("a", 4, HOUR, next_hour).allowed
    quarter = windows.hit("a", 4, HOUR, next_hour + HOUR / 4 + 1)
    assert (quarter.allowed, quarter.remaining) == (True, 1)  # 2.99 of the last hour count as 2
    assert windows.hit("a", 4, HOUR, next_hour + HOUR / 4 + 2).allowed
    assert not windows.hit("a", 4, HOUR, next_hour + HOUR / 4 + 3).allowed


def test_after_the_time_to_wait_a_request_is_allowed() -> None:
    windows = LocalWindows()
    now = 20.0 * HOUR
    assert all(windows.hit("a", 3, HOUR, now - 100).allowed for _ in range(3))
    refused = windows.hit("a", 3, HOUR, now)
    assert refused.reset_seconds == HOUR - 100
    later = now + refused.reset_seconds
    again = windows.hit("a", 3, HOUR, later)
    while not again.allowed:
        assert 1 <= again.reset_seconds <= HOUR / 3 + 1
        later += again.reset_seconds
        again = windows.hit("a", 3, HOUR, later)
    assert later - now <= HOUR * 4 / 3


def test_two_windows_later_nothing_is_left() -> None:
    windows = LocalWindows()
    assert not [windows.hit("a", 2, 60, 60.0) for _ in range(3)][-1].allowed
    assert [windows.hit("a", 2, 60, 180.0).remaining for _ in range(2)] == [1, 0]


def test_only_buckets_that_are_not_asked_for_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_windows, "MOST", 3)
    windows = LocalWindows()
    for number in range(20):
        assert windows.hit("guessed", 1, HOUR, 0.0).allowed is (number == 0)
        assert windows.hit(f"other {number}", 1, HOUR, 0.0).allowed
    assert windows.hit("other 0", 1, HOUR, 0.0).allowed


def test_times_in_another_order_renew_no_limit() -> None:
    windows = LocalWindows()
    times = (1000.0, 1000.1, 1000.2, 999.9, 1000.3, 1000.4)
    assert [windows.hit("a", 3, 60, now).allowed for now in times] == [True] * 3 + [False] * 3
