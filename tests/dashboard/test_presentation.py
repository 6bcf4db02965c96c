"""How values are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.dashboard.ui.jobs import asker
from app.dashboard.ui.presentation import (
    ago,
    dollars,
    duration,
    has_passed,
    number,
    path_of,
    shortened,
    site_of,
    status_word,
)
from app.dashboard.ui.zones import zone_words
from app.executions.states import Status
from app.infra.clock import utc_now

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2, "just now"), (-2, "now"), (45, "45 s ago"), (7200, "2 h ago"), (-90, "in 1 min"),
     (86_400 * 3, "3 d ago"), (86_400 * 800, "2 y ago")],
)  # fmt: skip
def test_times_are_relative_to_now(seconds, text):
    assert ago(NOW - timedelta(seconds=seconds), NOW) == text


def test_durations_are_shown_only_when_they_have_ended():
    assert duration(NOW, None) == "–"
    assert duration(NOW, NOW + timedelta(seconds=1.84)) == "1.8 s"
    assert duration(NOW, NOW + timedelta(seconds=124)) == "2 min 04 s"


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0.0, "$0.00"), (0.0004, "less than $0.01"), (0.0314, "$0.03"), (1.5, "$1.50"), (1234.5, "$1,234.50")],
)
def test_amounts_are_written_in_cents(amount, text):
    assert dollars(amount) == text


def test_every_status_has_a_sign_and_a_word():
    words = [status_word(status) for status in (*Status, "fresh", "stale")]
    assert "".join(word.sign for word in words) == "◌◐✓✗⊘●○"
    assert [word.text for word in words] == [*Status, "fresh", "stale"]


def test_numbers_and_paths():
    assert number(1234567) == "1,234,567"
    assert path_of("https://a.example/x?y=1") == "/x?y=1"
    assert path_of("https://a.example") == "/"


def test_a_site_that_is_a_part_of_its_host_is_named_with_its_path() -> None:
    assert site_of("https://a.example/") == "a.example"
    assert site_of("https://a.example:8080/docs/?x=1") == "a.example:8080/docs"


def test_a_long_text_is_shortened_in_its_midst() -> None:
    path = f"/blog/{'x' * 300}/part-7"
    assert shortened(path) == f"/blog/{'x' * 127}…{'x' * 59}/part-7"
    assert len(shortened(path)) == 200
    assert shortened(path[:200]) == path[:200]


def test_a_time_has_passed_or_not() -> None:
    assert has_passed(utc_now() - timedelta(seconds=1))
    assert not has_passed(utc_now() + timedelta(minutes=1))


@pytest.mark.parametrize(
    ("requested_by", "words"),
    [
        (None, "the service itself"),
        ("the schedule", "the service itself"),
        ("the schedule, set by the dashboard", "your calendar"),
        ("the dashboard", "you"),
        ("the autopilot", "the autopilot"),
        ("Our script", "Our script"),
    ],
)
def test_a_job_says_who_asked_for_it(requested_by, words):
    assert asker(requested_by) == words


@pytest.mark.parametrize(("zone", "words"), [("UTC", "UTC"), ("America/New_York", "America/New York time")])
def test_a_time_is_followed_by_its_zone(zone, words):
    assert zone_words(ZoneInfo(zone)) == words
