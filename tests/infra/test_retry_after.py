"""The forms of Retry-After."""

from __future__ import annotations

import pytest

from app.infra.http.headers import retry_after_seconds
from tests.support.validating import http_now


def test_retry_after_in_seconds_is_returned() -> None:
    assert retry_after_seconds({"retry-after": " 120 "}) == 120


def test_retry_after_as_a_date_is_the_time_until_then() -> None:
    seconds = retry_after_seconds({"retry-after": http_now(90)})
    assert seconds is not None
    assert 80 < seconds <= 90
    assert retry_after_seconds({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0


@pytest.mark.parametrize("value", ["", "soon", "-5", "1.5", "9" * 10, "Wed, 99 Oct 2015"])
def test_an_unreadable_retry_after_is_none(value: str) -> None:
    assert retry_after_seconds({"retry-after": value}) is None
    assert retry_after_seconds({}) is None
