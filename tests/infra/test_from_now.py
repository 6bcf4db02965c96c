"""When a wait is over, in words."""

from __future__ import annotations

import pytest

from app.infra.clock import from_now


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "in 1 second"),
        (119, "in 119 seconds"),
        (121, "in 3 minutes"),
        (7199, "in 120 minutes"),
        (7200, "in 2 hours"),
        (86_399, "in 24 hours"),
        (86_400, "tomorrow"),
        (129_600, "tomorrow"),
        (129_601, "in 2 days"),
        (999_999_999, "in 11,575 days"),
    ],
)
def test_a_wait_is_rounded_up_to_the_largest_unit_that_it_has_twice(seconds: int, words: str) -> None:
    assert from_now(seconds) == words
