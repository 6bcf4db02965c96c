"""A sitemap that is not whole never looks whole, and a whole one is read to its last address."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.infra.fetch_errors import FetchError, FetchErrorKind
from app.pages.sitemap import DocumentUnreadable, Entry, Limits, Report, parse_lastmod
from app.pages.sitemap_read import read_sitemap

ROOT = "https://example.com/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*locs: str, attributes: str = NS) -> bytes:
    body = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {attributes}>{body}</urlset>'.encode()


def index(*locs: str) -> bytes:
    body = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f"<sitemapindex {NS}>{body}</sitemapindex>".encode()


class Site:
    """Documents by address; an exception among a document's pieces is raised at its place."""

    def __init__(self, documents: dict[str, list[bytes | Exception]]) -> None:
        self.documents = documents
        self.asked: list[str] = []

    def open(self, url: str) -> Iterator[bytes]:
        self.asked.append(url)
        if url not in self.documents:
            raise DocumentUnreadable("The address answers 404.", gone=True)
        for piece in self.documents[url]:
            if isinstance(piece, Exception):
                raise piece
            yield piece


def read_all(site: Site, limits: Limits | None = None) -> tuple[list[Entry], Report]:
    report = Report()
    return list(read_sitemap(site.open, ROOT, report, limits)), report


def read(*pieces: bytes | Exception) -> tuple[list[str], Report]:
    entries, report = read_all(Site({ROOT: list(pieces)}))
    return [entry.url for entry in entries], report


def codes(report: Report) -> list[str]:
    return [problem.code for problem in report.problems]


A, B, C = "https://example.com/a", "https://example.com/b", "https://example.com/c"


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
        gzip.compress(urlset(A, B)),
        gzip.compress(gzip.compress(urlset(A, B))),
        gzip.compress(urlset(A, B)[:70]) + gzip.compress(urlset(A, B)[70:]) + b"\0\0\0",
        urlset("/a", "b", attributes=NS),
    ],
)
def test_every_common_form_of_a_whole_sitemap_is_read_to_its_end(document: bytes) -> None:
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


WHOLE = urlset(A, B, C)


@pytest.mark.parametrize("wrap", [lambda data: data, gzip.compress])
def test_a_sitemap_cut_anywhere_is_never_complete(wrap) -> None:
    data = wrap(WHOLE)
    for cut in range(len(data)):
        urls, report = read(data[:cut])
        assert not report.complete, cut
        assert urls == [A, B, C][: len(urls)], cut


@pytest.mark.parametrize(
    ("document", "code", "found"),
    [
        (b"<br /><b>Warning</b>: mysql in x.php<br />\n" + WHOLE, "JUNK_BEFORE_XML", 3),
        (b"PHP Warning: x\n" + WHOLE.split(b"?>", 1)[1], "JUNK_BEFORE_XML", 3),
        (WHOLE + b"<b>Warning</b>", "JUNK_AFTER_ROOT", 3),
        (WHOLE + WHOLE, "JUNK_AFTER_ROOT", 3),
        (b'<!DOCTYPE urlset [<!ENTITY a "b">]>' + WHOLE.split(b"?>", 1)[1], "DOCTYPE", 0),
        (b"<!doctype html><html><body>Not found</body></html>", "NOT_A_SITEMAP", 0),
        (b"<html><body>Not found</body></html>", "NOT_A_SITEMAP", 0),
        (b'{"error": "no"}', "NOT_A_SITEMAP", 0),
        (b"Service unavailable", "NOT_A_SITEMAP", 0),
        (b"<error>no</error>", "NOT_A_SITEMAP", 0),
        (b"", "NOT_A_SITEMAP", 0),
        (b"\x89PNG\r\n\x1a\n\0\0", "NOT_A_SITEMAP", 0),
        (WHOLE.replace(b"</loc></url></urlset>", b"</url></urlset>"), "MALFORMED", 2),
        (gzip.compress(WHOLE) + b"tail", "GZIP_DAMAGED", 3),
        (gzip.compress(WHOLE)[:-8] + b"\0" * 8, "GZIP_DAMAGED", 0),
    ],
)
def test_what_is_damaged_or_no_sitemap_is_named_and_incomplete(
    document: bytes, code: str, found: int
) -> None:
    urls, report = read(document)
    assert code in codes(report)
    assert not report.complete
    assert urls == [A, B, C][:found]


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        (urlset(A, "https://example.com/?a=1&b=2", B), "https://example.com/?a=1&b=2"),
        (urlset(A, "https://example.com/?a=1&copy=2", B), "https://example.com/?a=1&copy=2"),
        (urlset(A, "https://example.com/x\x01y", B), "https://example.com/xy"),
        (urlset(A, "https://example.com/x&#x1;y", B), "https://example.com/xy"),
        (urlset(A, "https://example.com/x\xe9".encode("latin-1").decode("latin-1"), B)
         .replace(b"UTF-8", b"ISO-8859-1").replace(b"\xc3\xa9", b"\xe9"), "https://example.com/x%C3%A9"),
        (urlset(A, "https://example.com/\u30da", B).decode().replace("UTF-8", "Shift_JIS")
         .encode("shift_jis"),
         "https://example.com/%E3%83%9A"),
    ],
)  # fmt: skip
def test_a_raw_ampersand_or_control_character_costs_no_url(broken: bytes, expected: str) -> None:
    urls, report = read(broken)
    assert urls == [A, expected, B]
    assert report.complete


def test_ampersands_in_cdata_stay_as_they_are_when_the_rest_is_mended() -> None:
    urls, report = read(urlset("https://example.com/?q=1&r=2", "<![CDATA[https://example.com/?a=1&b=2]]>"))
    assert urls == ["https://example.com/?q=1&r=2", "https://example.com/?a=1&b=2"]
    assert codes(report) == ["REPAIRED"]


def test_undeclared_bad_bytes_make_one_url_invalid_and_the_rest_stands() -> None:
    urls, report = read(urlset(A, "https://example.com/x?", B).replace(b"x?", b"x\xe9"))
    assert (urls, report.invalid) == ([A, B], 1)


def test_a_cut_after_a_raw_ampersand_still_shows() -> None:
    document = urlset("https://example.com/?a=1&b=2", A, B)
    urls, report = read(document[:-20])
    assert not report.complete
    assert urls[:2] == ["https://example.com/?a=1&b=2", A]


def test_unusable_addresses_are_counted_and_named_and_lose_nothing_else() -> None:
    urls, report = read(urlset("mailto:a@example.com", "", A, "http://u:p@example.com/", f"{A}/{'x' * 2100}"))
    assert (urls, report.invalid, report.complete) == ([A], 4, True)
    assert codes(report) == ["INVALID_URL"] * 4


def test_spellings_are_normalised() -> None:
    urls, _ = read(urlset("HTTPS://EXAMPLE.com:443/x/../a#top"))
    assert urls == [A]


def test_a_whole_but_empty_urlset_is_complete() -> None:
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
    assert entries == [Entry(A, datetime(2025, 6, 10, 4, tzinfo=UTC))]
    assert report.complete
    assert not report.lists_everything


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
        ("yesterday", None),
        ("", None),
    ],
)
def test_w3c_dates_are_read_and_others_ignored(text: str, expected: datetime | None) -> None:
    assert parse_lastmod(text) == expected


def test_invalid_dates_are_counted() -> None:
    entries, report = read_all(
        Site({ROOT: [f"<urlset><url><loc>{A}</loc><lastmod>soon</lastmod></url></urlset>".encode()]})
    )
    assert entries == [Entry(A, None)]
    assert report.invalid_dates == 1


def child(name: str) -> str:
    return f"https://example.com/{name}.xml"


def test_an_index_is_walked_in_order_relative_nested_and_on_another_host() -> None:
    other = "https://cdn.example.net/c.xml"
    site = Site({
        ROOT: [index("one.xml", other)],
        child("one"): [index(child("two"))],
        child("two"): [urlset(A, B)],
        other: [urlset(C)],
    })  # fmt: skip
    entries, report = read_all(site)
    assert [entry.url for entry in entries] == [A, B, C]
    assert (report.complete, report.children) == (True, 3)


def test_cycles_and_repeated_children_are_read_once() -> None:
    site = Site({ROOT: [index(child("one"), child("one"), ROOT)], child("one"): [index(ROOT), b""]})
    site.documents[child("one")] = [index(ROOT)]
    _, report = read_all(site)
    assert site.asked == [ROOT, child("one")]
    assert codes(report) == ["REPEATED_CHILD"] * 3


def test_a_missing_child_leaves_the_rest_readable_and_the_reading_incomplete() -> None:
    entries, report = read_all(Site({ROOT: [index(child("gone"), child("one"))], child("one"): [urlset(A)]}))
    assert [entry.url for entry in entries] == [A]
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
    bomb = gzip.compress(b"<urlset>" + b" " * 50_000_000)
    _, report = read_all(Site({ROOT: [bomb]}), Limits(document_bytes=1_000_000))
    assert codes(report) == ["DOCUMENT_TOO_LARGE"]


def test_a_broken_connection_keeps_what_came_before() -> None:
    urls, report = read(WHOLE[:-30], FetchError(FetchErrorKind.TRUNCATED, "The connection ended."))
    assert urls == [A, B]
    assert (codes(report), report.complete) == (["TRUNCATED"], False)


def test_a_sitemap_that_never_came_is_raised_to_the_caller() -> None:
    with pytest.raises(FetchError):
        read(FetchError(FetchErrorKind.REFUSED, "No."))
    with pytest.raises(DocumentUnreadable):
        read_all(Site({}))


def test_a_stop_is_no_finding() -> None:
    with pytest.raises(FetchError):
        read(WHOLE[:-30], FetchError(FetchErrorKind.STOPPED, "Stopped."))


def test_a_loss_is_named_even_after_thousands_of_complaints() -> None:
    _, report = read(urlset(*["ftp://x"] * 1000)[:-9])
    assert report.problem_count == 1001
    assert "TRUNCATED" in codes(report)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_byte_lost_or_changed_never_invents_an_address_of_a_complete_sitemap(data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(WHOLE) - 1))
    length = data.draw(st.integers(1, len(WHOLE) - position))
    urls, report = read(WHOLE[:position] + WHOLE[position + length :])
    if position + length == len(WHOLE):
        assert not report.complete
    assert len(urls) <= 3
