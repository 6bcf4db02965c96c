"""Sloppy entries: the address is recovered where that is certain; else the reading is not complete."""

from __future__ import annotations

import pytest

from tests.support.hostile.sloppy import LOST, RECOVERED
from tests.support.sitemaps import A, B, read, urlset


@pytest.mark.parametrize(("loc", "url"), RECOVERED)
def test_a_certain_address_is_recovered(loc: str, url: str) -> None:
    urls, report = read(urlset(A, loc, B))
    assert (urls, report.complete) == ([A, url, B], True)


@pytest.mark.parametrize("loc", LOST)
def test_an_uncertain_address_makes_the_reading_incomplete(loc: str) -> None:
    urls, report = read(urlset(A, loc, B))
    assert (urls, report.complete) == ([A, B], False)


@pytest.mark.parametrize("loc", ["mailto:a@example.com", "ftp://example.com/p", "javascript:void(0)"])
def test_what_never_was_an_address_of_a_page_is_no_loss(loc: str) -> None:
    urls, report = read(urlset(A, loc, B))
    assert (urls, report.complete) == ([A, B], True)
