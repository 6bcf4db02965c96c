"""Which validators of a response are reliable."""

from __future__ import annotations

import pytest

from app.infra.http.headers import MAX_ETAG, Validators

DATE = "Tue, 02 Jan 2024 10:00:00 GMT"
SECOND_BEFORE = "Tue, 02 Jan 2024 09:59:59 GMT"


@pytest.mark.parametrize("etag", ['"abc"', 'W/"abc"', '""'])
def test_an_etag_is_sent_back_as_it_was(etag: str) -> None:
    found = Validators.of({"etag": etag})
    assert found is not None
    assert found.headers() == {"If-None-Match": etag}


@pytest.mark.parametrize("etag", ["abc", '"a b"', '"a"b"', 'w/"abc"', '"é"', f'"{"x" * MAX_ETAG}"'])
def test_an_invalid_etag_is_none(etag: str) -> None:
    assert Validators.of({"etag": etag}) is None


def test_a_date_a_second_before_the_response_is_reliable() -> None:
    found = Validators.of({"last-modified": SECOND_BEFORE, "date": DATE, "etag": '"1"'})
    assert found is not None
    assert found.headers() == {"If-None-Match": '"1"', "If-Modified-Since": SECOND_BEFORE}


@pytest.mark.parametrize(
    "headers",
    [
        {"last-modified": DATE, "date": DATE},
        {"last-modified": DATE, "date": SECOND_BEFORE},
        {"last-modified": SECOND_BEFORE},
        {"last-modified": "yesterday", "date": DATE},
        {"last-modified": SECOND_BEFORE, "date": "now"},
        {},
    ],
    ids=["same-second", "later", "no-date", "nonsense", "nonsense-date", "nothing"],
)
def test_a_date_of_possibly_two_versions_is_not_reliable(headers: dict[str, str]) -> None:
    assert Validators.of(headers) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"last-modified": DATE, "date": DATE},
        {"last-modified": DATE, "date": SECOND_BEFORE},
        {"last-modified": SECOND_BEFORE},
    ],
    ids=["same-second", "later", "no-date"],
)
def test_an_etag_with_an_unreliable_date_is_not_reliable_either(headers: dict[str, str]) -> None:
    assert Validators.of({"etag": '"659400f0-64"', **headers}) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"date": DATE},
        {"last-modified": "yesterday", "date": DATE},
        {"last-modified": SECOND_BEFORE + " " * 60 + "(late)", "date": DATE},
    ],
    ids=["none", "nonsense", "long"],
)
def test_an_etag_needs_no_date(headers: dict[str, str]) -> None:
    found = Validators.of({"etag": '"1"', **headers})
    assert found is not None
    assert found.headers() == {"If-None-Match": '"1"'}
