"""The geometry of charts and of the link map."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.dashboard.ui.charts import (
    Box,
    Curve,
    LinkLine,
    bars,
    beside_their_posts,
    curve,
    link_lines,
    top_of,
    whole,
)
from app.overview.progress import Change, counts_at


@pytest.mark.parametrize(
    ("values", "top"), [([], 2), ([0], 2), ([3], 4), ([10], 10), ([11], 20), ([48, 2], 60), ([990], 1000)]
)
def test_an_axis_ends_at_a_round_even_number(values, top):
    assert top_of(values) == top


def test_bars_stand_on_the_axis_in_equal_steps():
    assert bars([1, 0, 2], 2)[0].height == 50
    assert [(box.y, box.height) for box in bars([1, 0, 2], 2)] == [(50, 50), (100, 0), (0, 100)]
    first, second = bars([1, 1], 2)
    assert second.x - first.x == 500
    assert bars([], 2) == []


def test_a_curve_reaches_both_ends_and_its_area_the_axis():
    assert curve([0, 1, 2], 2) == Curve(
        "M0 100.0 L500 50.0 L1000 0.0", "M0 100.0 L500 50.0 L1000 0.0 L1000 100 L0 100Z"
    )
    assert curve([1], 2).line == "M0 50.0 L1000 50.0"


def test_the_parts_of_a_bar_fill_it_and_a_small_one_is_still_seen():
    parts = whole([100_000, 0, 1])
    assert parts[1] == Box(parts[2].x, 0, 0, 100)
    assert parts[2].width > 5
    assert parts[2].x + parts[2].width == pytest.approx(1000, abs=0.5)
    assert [box.width for box in whole([0, 0])] == [0, 0]


def test_pages_stand_beside_the_posts_that_link_to_them():
    links = [(7, 1), (8, 1), (8, 3)]
    assert beside_their_posts([2, 3, 1], [7, 8], links) == [1, 3, 2]
    drawn = link_lines([1, 3, 2], [7, 8], links)
    assert drawn == [LinkLine(0.5, 0.5), LinkLine(1.5, 0.5), LinkLine(1.5, 1.5)]


def test_earlier_counts_are_the_present_ones_without_what_came_later():
    now = datetime(2026, 11, 23, tzinfo=UTC)
    changes = [Change(now - timedelta(days=1), 5, -1), Change(now - timedelta(days=9), 40, 0)]
    moments = [now - timedelta(days=days) for days in (14, 7, 0)]
    assert counts_at(moments, changes, (44, 2)) == [(0, 3), (39, 3), (44, 2)]
