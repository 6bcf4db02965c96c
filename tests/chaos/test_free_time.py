"""Which seconds of a recovery count as those of the service itself. Pure."""

from __future__ import annotations

import pytest

from tests.chaos.free_time import Looks


@pytest.mark.parametrize(
    ("since", "until", "seconds"),
    [(0, 10, 5), (1.5, 3, 0.5), (2, 6, 0), (7, 8.5, 1.5), (20, 30, 0), (3, 1, 0)],
)
def test_only_time_between_two_looks_that_found_a_worker_free_counts(
    since: float, until: float, seconds: float
) -> None:
    looks = Looks()
    for moment, is_free in [(0, True), (2, True), (3, False), (6, False), (7, True), (10, True)]:
        looks.add(moment, is_free)
    assert looks.seconds(since, until) == seconds
