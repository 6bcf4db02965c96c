"""A whole sitemap or feed is read to its last address, with its dates."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest

from app.pages.sitemaps.entries import parse_lastmod
from tests.support.sitemaps import NS, ROOT, A, B, C, Site, read, read_all, urlset


@pytest.mark.parametrize(
    "document",
    [
        urlset(A, B),
        urlset(A, B, attributes=""),
        urlset(A, B, attributes='xmlns="https://www.google.com/schemas/sitemap/0.84"'),
        b"\xef\xbb\xbf" + urlset(A, B),
        b"\n\n  " + urlset(A, B),
        urlset(A, B).decode().replace("UTF-8", "UTF-16").encode("utf-16"),
        urlset(f"  {A}\n", f"<![CDATA[{B}]]>"),
        urlset(A, B) + b"<!-- cached -->\n",
        b"<!-- made by hand -->" + urlset(A, B).split(b"?>", 1)[1],
        b'<s:urlset xmlns:s="x"><s:url><s:loc>%b</s:loc></s:url><s:url><s:loc>%b</s:loc></s:url></s:urlset>'
        % (A.encode(), B.encode()),
        f"\ufeff{A}\r\n{B}\r\n".encode(),
        f"{A}\n\n{B}".encode(),
        f"{A}\n{B}".encode("utf-16"),
        gzip.compress(urlset(A, B), mtime=0),
        gzip.compress(gzip.compress(urlset(A, B), mtime=0), mtime=0),
        gzip.compress(urlset(A, B)[:70], mtime=0) + gzip.compress(urlset(A, B)[70:], mtime=0) + b"\0\0\0",
        urlset("/a", "b", attributes=NS),
    ],
)
def test_every_common_form_of_a_complete_sitemap_is_read_to_its_end(document: bytes) -> None:
    assert read(document) == read(*[document[i : i + 1] for i in range(len(document))])
    urls, report = read(document)
    assert urls == [A, B]
    assert report.complete
    assert report.problems == []


def test_images_videos_and_alternates_are_no_pages() -> None:
    urls, report = read(
        f"""<urlset {NS} xmlns:image="i" xmlns:xhtml="h"><url><loc>{A}</loc><image:loc>{B}</image:loc>
        <image:image><image:loc>{B}</image:loc><loc>{B}</loc></image:image>
        <xhtml:link rel="alternate" hreflang="de" href="{C}"/></url></urlset>""".encode()
    )
    assert (urls, report.complete) == ([A], True)


def test_spellings_are_normalised() -> None:
    urls, _ = read(urlset("HTTPS://EXAMPLE.com:443/x/../a#top"))
    assert urls == [A]


def test_an_empty_urlset_is_complete() -> None:
    urls, report = read(urlset())
    assert (urls, report.complete, report.lists_everything) == ([], True, True)


@pytest.mark.parametrize(
    "feed",
    [
        f'<rss version="2.0" xmlns:atom="a"><channel><link>{C}</link><atom:link href="{C}"/>'
        f"<item><link>{A}</link>"
        "<pubDate>Tue, 10 Jun 2025 04:00:00 GMT</pubDate></item></channel></rss>",
        f'<feed xmlns="http://www.w3.org/2005/Atom"><link href="{C}"/><entry><link rel="self" href="{C}"/>'
        f'<link href="{A}"/><updated>2025-06-10T04:00:00Z</updated></entry></feed>',
        f'<rdf:RDF xmlns:rdf="r" xmlns:dc="d"><item><link>{A}</link>'
        "<dc:date>2025-06-10T04:00:00Z</dc:date></item>"
        "</rdf:RDF>",
    ],
)  # fmt: skip
def test_a_feed_gives_pages_and_never_lists_everything(feed: str) -> None:
    entries, report = read_all(Site({ROOT: [feed.encode()]}))
    assert entries == [(A, datetime(2025, 6, 10, 4, tzinfo=UTC))]
    assert report.complete
    assert not report.lists_everything
    assert [problem.code for problem in report.problems] == ["FEED"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024-05-06", datetime(2024, 5, 6, tzinfo=UTC)),
        ("2024-05-06T07:08Z", datetime(2024, 5, 6, 7, 8, tzinfo=UTC)),
        ("2024-05-06T07:08:09+02:00", datetime(2024, 5, 6, 5, 8, 9, tzinfo=UTC)),
        ("2024-05-06T07:08:09.5Z", datetime(2024, 5, 6, 7, 8, 9, 500000, tzinfo=UTC)),
        (" 2024-05-06T07:08:09.123456789Z ", datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)),
        ("2024-13-01", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("1969-12-31T23:59:59Z", None),
        ("2030-01-02T00:00:00Z", datetime(2030, 1, 2, tzinfo=UTC)),
        ("2030-01-02T00:00:01Z", None),
        ("9999-12-31", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_w3c_dates_are_read_and_others_ignored(text: str, expected: datetime | None) -> None:
    assert parse_lastmod(text, datetime(2030, 1, 2, tzinfo=UTC)) == expected


def test_invalid_dates_are_counted() -> None:
    entries, report = read_all(
        Site({ROOT: [f"<urlset><url><loc>{A}</loc><lastmod>soon</lastmod></url></urlset>".encode()]})
    )
    assert entries == [(A, None)]
    assert report.invalid_dates == 1
