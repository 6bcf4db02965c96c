"""Plain items are read without the XML parser, with the same result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.sitemaps import xml_reader
from app.pages.sitemaps.parse import Document
from app.pages.sitemaps.plain_urlset import PlainItem, plain_items
from app.pages.sitemaps.report import ParseError
from app.pages.sitemaps.xml_reader import Item

PLAIN = b"<url><loc>https://example.com/a</loc><lastmod>2024-05-01</lastmod></url>"
FRAGMENTS = [
    PLAIN,
    PLAIN,
    b"\n  <url>\r\n <loc> https://example.com/b </loc>\n<priority>0.5</priority></url>\n",
    b"<url><loc>https://example.com/c</loc><changefreq>daily</changefreq><priority>1</priority></url>",
    b"<url><loc>https://example.com/?a=1&amp;b=2</loc></url>",
    b"<url><loc>https://example.com/?a=1&b=2</loc></url>",
    b"<url><loc>https://example.com/\xc3\xa4</loc></url>",
    b"<url><loc>https://example.com/\xff</loc></url>",
    b"<url><lastmod>2024</lastmod><loc>https://example.com/d</loc></url>",
    b"<url><loc>https://example.com/e</loc><lastmod>2024</lastmod><lastmod>2025</lastmod></url>",
    b"<url><loc>https://example.com/f</loc><loc>https://example.com/g</loc></url>",
    b"<url><loc>https://example.com/h]]></loc></url>",
    b"<url><loc></loc></url>",
    b"<url/>",
    b"<url a='1'>",
    b"</url>",
    b"</url >",
    b"<sitemap><loc>https://example.com/s.xml</loc></sitemap>",
    b"<url><loc>https://example.com/i</loc><image:image><image:loc>x</image:loc></image:image></url>",
    b"<x>",
    b"</x>",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"]]>",
    b"<?stop",
    b"?>",
    b"text",
    b"&",
    b"\x00",
    b"</urlset>",
]
HEADS = [
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    b'\xef\xbb\xbf<?xml version="1.0" encoding="UTF-8"?><urlset>',
    b'<?xml version="1.0" encoding="ISO-8859-1"?><urlset>',
    b"<sitemapindex>",
    b'<s:urlset xmlns:s="x">',
    b"<rss><channel><item><url></url></item>",
]


def read(document: bytes, size: int) -> tuple[list[Item], str]:
    """The items and how the document ended, read in pieces of this size."""
    pieces: Iterator[bytes] = (document[at : at + size] for at in range(0, len(document), size))
    items: list[Item] = []
    try:
        for batch in Document(pieces).batches():
            items += batch
    except ParseError as damage:
        return items, damage.code
    return items, ""


@given(
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(FRAGMENTS), max_size=12),
    st.sampled_from([b"</urlset>", b"</urlset>", b"", b"</urlset>\n<url></url>"]),
    st.integers(1, 400),
)
def test_a_document_reads_the_same_with_and_without_the_fast_path(
    head: bytes, fragments: list[bytes], tail: bytes, size: int
) -> None:
    document = head + b"".join(fragments) + tail
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml_reader, "plain_items", lambda _data, start: ([], start))
        expected = read(document, size)
    assert read(document, size) == expected


@pytest.mark.parametrize("size", [1, 7, 100, 65536])
@pytest.mark.parametrize("head", HEADS[:4])
def test_plain_items_never_meet_the_xml_parser(
    head: bytes, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []

    def spy(text: str, start: int) -> tuple[list[PlainItem], int]:
        found, end = plain_items(text, start)
        taken.extend(found)
        return found, end

    monkeypatch.setattr(xml_reader, "plain_items", spy)
    end = b"</sitemapindex>" if b"index" in head else b"</urlset>"
    items, damage = read(head + PLAIN * 50 + end, size)
    assert (len(items), damage) == (50, "")
    assert len(taken) == 49


@pytest.mark.parametrize("before", [1, 7, 8, 9, 30, 1000])
@pytest.mark.parametrize("fragment", FRAGMENTS[4:])
def test_other_items_are_left_to_the_xml_parser(fragment: bytes, before: int) -> None:
    lead, text = "</url>", (PLAIN * before + fragment + PLAIN * 9).decode("latin-1")
    found, end = plain_items(lead + text, len(lead))
    assert found == [("https://example.com/a", "2024-05-01")] * before
    assert end == len(lead) + len(PLAIN) * before


@given(st.lists(st.integers(0, 1500), min_size=1, max_size=3), st.integers(2000, 9000))
def test_long_runs_of_plain_items_are_taken_to_their_ends(runs: list[int], size: int) -> None:
    other = b"<url><loc>https://example.com/o</loc><x/></url>"
    document = HEADS[0] + other.join(PLAIN * run for run in runs) + b"</urlset>"
    items, damage = read(document, size)
    assert (len(items), damage) == (sum(runs) + len(runs) - 1, "")
    assert sum(loc.endswith("/o") for loc, *_ in items) == len(runs) - 1


def test_a_line_without_an_end_is_cut_and_so_takes_little_memory() -> None:
    endless = chain(
        [b"https://example.org/one\n"], repeat(b"a" * 65536, 100), [b"\nhttps://example.org/two\n"]
    )
    lines = [value for batch in Document(endless).batches() for value, *_ in batch]
    assert (lines[0], lines[-1]) == ("https://example.org/one", "https://example.org/two")
    assert max(map(len, lines)) <= 2 * 65536
