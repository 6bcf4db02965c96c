"""Dates in headers: any text is a time or None."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.infra.http.headers import Validators, http_date, retry_after_seconds

FAR_ZONE = "Mon, 01 Jan 2024 00:00:00 +9999999999999999"

_NUMBERS = st.integers(min_value=0, max_value=10**20).map(str)
_NEARLY_DATES = st.tuples(
    _NUMBERS, st.sampled_from(["Jan", "Feb", "Foo"]), _NUMBERS, _NUMBERS, st.sampled_from("+- "), _NUMBERS
).map(lambda part: f"Mon, {part[0]} {part[1]} {part[2]} {part[3]}:00:00 {part[4]}{part[5]}")


def test_a_date_without_a_zone_is_utc() -> None:
    assert http_date("Wed, 21 Oct 2015 07:28:00 GMT") == datetime(2015, 10, 21, 7, 28, tzinfo=UTC)
    assert http_date("Wed, 21 Oct 2015 07:28:00") == datetime(2015, 10, 21, 7, 28, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "soon", "Wed, 99 Oct 2015 00:00:00 GMT", FAR_ZONE])
def test_an_unreadable_date_is_none(text: str) -> None:
    assert http_date(text) is None


@given(text=st.one_of(st.text(alphabet=st.characters(max_codepoint=255)), _NEARLY_DATES))
@example(text=FAR_ZONE)
@example(text="Fri, 31 Dec 9999 23:59:59 -2359")
@example(text="Mon, 01 Jan 0001 00:00:00 +2359")
def test_no_header_raises(text: str) -> None:
    seconds = retry_after_seconds({"retry-after": text})
    assert seconds is None or seconds >= 0
    for headers in ({"last-modified": text, "date": text}, {"last-modified": text, "date": FAR_ZONE}):
        assert Validators.of(headers) is None
