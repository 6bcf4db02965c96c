"""Retry-After in its forms."""

from __future__ import annotations

import pytest

from app.infra.http.headers import retry_after_seconds
from tests.support.validating import http_now


def test_seconds_are_taken_as_they_are() -> None:
    assert retry_after_seconds({"retry-after": " 120 "}) == 120


def test_a_date_is_that_long_from_now_and_a_past_one_is_now() -> None:
    seconds = retry_after_seconds({"retry-after": http_now(90)})
    assert seconds is not None
    assert 80 < seconds <= 90
    assert retry_after_seconds({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0


@pytest.mark.parametrize("value", ["", "soon", "-5", "1.5", "9" * 10, "Wed, 99 Oct 2015"])
def test_nonsense_asks_for_nothing(value: str) -> None:
    assert retry_after_seconds({"retry-after": value}) is None
    assert retry_after_seconds({}) is None
