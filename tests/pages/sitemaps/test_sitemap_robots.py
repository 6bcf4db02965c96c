"""A robots.txt as a sitemap: every sitemap that it names is read."""

from __future__ import annotations

from itertools import chain, repeat

import pytest

from app.pages.crawling.robots import MAX_BYTES
from app.pages.sitemaps.parse import Document
from app.pages.sitemaps.read import read_sitemap
from app.pages.sitemaps.report import ParseError, Report
from tests.support.sitemaps import A, B, C, Site, codes, index, urlset

ROBOTS = "https://example.com/robots.txt"


def read(text: str, **documents: bytes) -> tuple[list[str], Report]:
    """The addresses below a robots.txt with these sitemaps, and the report."""
    named = {f"https://example.com/{name}.xml": [body] for name, body in documents.items()}
    report = Report()
    opener = Site({ROBOTS: [text.encode()], **named}).open
    return [url for url, _ in read_sitemap(opener, ROBOTS, report)], report


def test_every_sitemap_that_it_names_is_read() -> None:
    text = "\ufeffUser-agent: *\nDisallow: /x # Sitemap: /no.xml\nSITEMAP: /one.xml\r\nsitemap : https://example.com/two.xml\n"
    nested = index("https://example.com/three.xml")
    urls, report = read(text, one=urlset(A), two=nested, three=urlset(B, C))
    assert (urls, report.complete, report.children) == ([A, B, C], True, 3)


def test_a_sitemap_that_does_not_answer_makes_the_reading_incomplete() -> None:
    urls, report = read("Sitemap: /one.xml\nSitemap: /gone.xml", one=urlset(A))
    assert (urls, report.complete, codes(report)) == ([A], False, ["GONE"])


def test_a_line_that_is_no_address_makes_the_reading_incomplete() -> None:
    urls, report = read("Sitemap: /one.xml\nSitemap: http://\n", one=urlset(A))
    assert (urls, report.complete, codes(report)) == ([A], False, ["INVALID_CHILD"])


@pytest.mark.parametrize("text", ["", "User-agent: *\nDisallow:\n", "<html>Not found</html>"])
def test_one_that_names_no_sitemap_is_not_an_empty_sitemap(text: str) -> None:
    urls, report = read(text)
    assert (urls, report.complete, codes(report)) == ([], False, ["NOT_A_SITEMAP"])


def test_one_that_may_have_been_cut_is_not_complete() -> None:
    document = Document(iter([b"Sitemap: /one.xml\nSitem"]), may_be_cut=lambda: True, is_robots=True)
    batches = document.batches()
    assert [item[0] for item in next(batches)] == ["/one.xml"]
    with pytest.raises(ParseError, match="end early"):
        next(batches)


def test_an_endless_robots_txt_is_read_up_to_its_limit() -> None:
    chunk = b"# bees\n" * 1000
    chunks = chain([b"Sitemap: https://example.org/map.xml\n"], repeat(chunk, 10 * MAX_BYTES // len(chunk)))
    found = [value for batch in Document(chunks, is_robots=True).batches() for value, *_ in batch]
    assert found == ["https://example.org/map.xml"]
    assert sum(len(each) for each in chunks) > 8 * MAX_BYTES
