"""An index is read to its end, or to a limit that is reported."""

from __future__ import annotations

import gzip

import pytest

from app.pages.sitemaps.report import Limits
from tests.support.sitemaps import ROOT, A, B, C, Site, codes, index, read_all, urlset


def child(name: str) -> str:
    return f"https://example.com/{name}.xml"


def test_an_index_is_read_in_order_with_relative_nested_and_foreign_children() -> None:
    other = "https://cdn.example.net/c.xml"
    site = Site({
        ROOT: [index("one.xml", other)],
        child("one"): [index(child("two"))],
        child("two"): [urlset(A, B)],
        other: [urlset(C)],
    })  # fmt: skip
    entries, report = read_all(site)
    assert [url for url, _ in entries] == [A, B, C]
    assert (report.complete, report.children) == (True, 3)


def test_cycles_and_repeated_children_are_read_once() -> None:
    site = Site({ROOT: [index(child("one"), child("one"), ROOT)], child("one"): [index(ROOT), b""]})
    site.documents[child("one")] = [index(ROOT)]
    _, report = read_all(site)
    assert site.asked == [ROOT, child("one")]
    assert codes(report) == ["REPEATED_CHILD"] * 3


def test_a_missing_child_leaves_the_rest_readable_and_the_reading_incomplete() -> None:
    entries, report = read_all(Site({ROOT: [index(child("gone"), child("one"))], child("one"): [urlset(A)]}))
    assert [url for url, _ in entries] == [A]
    assert not report.complete
    assert report.gone == [child("gone")]


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (Limits(depth=1), "DEPTH_LIMIT"),
        (Limits(children=1), "CHILDREN_LIMIT"),
        (Limits(urls=1), "URLS_LIMIT"),
        (Limits(document_bytes=150), "DOCUMENT_TOO_LARGE"),
    ],
)
def test_every_limit_is_reported(limits: Limits, code: str) -> None:
    site = Site({
        ROOT: [index(child("one"))],
        child("one"): [index(child("two"))],
        child("two"): [urlset(A, B, C)],
    })  # fmt: skip
    _, report = read_all(site, limits)
    assert codes(report).count(code) == 1
    assert not report.complete


def test_a_decompression_bomb_is_stopped_at_the_limit() -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * 50_000_000, mtime=0)
    _, report = read_all(Site({ROOT: [bomb]}), Limits(document_bytes=1_000_000))
    assert codes(report) == ["DOCUMENT_TOO_LARGE"]
