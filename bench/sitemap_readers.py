"""Reading one sitemap tree, each way in a process of its own: ``python -m bench.sitemap_readers WAY URL``.

Prints the number of URLs and what it cost from the first request to the last URL, imports aside.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable, Iterator
from itertools import chain

from bench.measuring import Spending
from bench.sitemap_site import PROJECT

Reader = Callable[[str], int]


def _http_client() -> Callable[[str], Iterator[Iterator[bytes]]]:
    """Return a function that fetches the documents of a sitemap with the service's HTTP client."""
    from app.config import load_settings
    from app.infra.http.client import fetcher_from

    http = fetcher_from(load_settings(), total_seconds=600, max_bytes=1 << 30, should_stop=lambda: False)

    def documents(url: str) -> Iterator[Iterator[bytes]]:
        with http.get(url) as response:
            pieces = response.chunks()
            head = next(pieces)
            children = re.findall(rb"<sitemap><loc>([^<]+)", head)
            yield chain([head], pieces)
        for child in children:
            with http.get(child.decode()) as response:
                yield response.chunks()

    return documents


def wire() -> Reader:
    """The bytes alone."""

    documents = _http_client()

    def read(url: str) -> int:
        for document in documents(url):
            for _ in document:
                pass
        return 0

    return read


def expat_bare() -> Reader:
    from xml.parsers import expat

    documents = _http_client()

    def read(url: str) -> int:
        for document in documents(url):
            parser = expat.ParserCreate()
            for piece in document:
                parser.Parse(piece, False)
            parser.Parse(b"", True)
        return 0

    return read


def expat_locs() -> Reader:
    """The smallest fair use of expat: loc and lastmod unchanged and unchecked."""
    from xml.parsers import expat

    documents = _http_client()

    def read(url: str) -> int:
        found: list[tuple[str, str]] = []
        for document in documents(url):
            parser = expat.ParserCreate()
            parser.buffer_text = True
            text: list[str] = []
            item: dict[str, str] = {}

            def start(name: str, _attributes: object, text: list[str] = text) -> None:
                text.clear()

            def end(name: str, text: list[str] = text, item: dict[str, str] = item) -> None:
                if name == "url":
                    found.append((item.get("loc", ""), item.get("lastmod", "")))
                    item.clear()
                else:
                    item[name] = "".join(text).strip()

            parser.StartElementHandler, parser.EndElementHandler = start, end
            parser.CharacterDataHandler = text.append
            for piece in document:
                parser.Parse(piece, False)
            parser.Parse(b"", True)
        return len(found)

    return read


def libxml2_bare() -> Reader:
    from lxml import etree

    documents = _http_client()

    def read(url: str) -> int:
        for document in documents(url):
            etree.fromstring(b"".join(document))
        return 0

    return read


def ours() -> Reader:
    from app.config import load_settings
    from app.pages.sitemaps.fetch import read_tree
    from app.pages.sitemaps.report import Report

    settings = load_settings()

    def read(url: str) -> int:
        report = Report()
        count = sum(1 for _ in read_tree(settings, url, report, seconds=600))
        assert report.complete, report.problems
        return count

    return read


def scrapy() -> Reader:
    from scrapy.crawler import CrawlerProcess
    from scrapy.spiders import SitemapSpider

    class Counting(SitemapSpider):
        name = "counting"
        found = 0

        def sitemap_filter(self, entries):  # type: ignore[no-untyped-def]
            for entry in entries:
                if entry["loc"].startswith(PROJECT):
                    Counting.found += 1  # counted and left: no request is made of it
                else:
                    yield entry

    def read(url: str) -> int:
        quiet = {"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_MAXSIZE": 0}
        process = CrawlerProcess(quiet)
        process.crawl(Counting, sitemap_urls=[url])
        process.start()
        return Counting.found

    return read


def trafilatura() -> Reader:
    from trafilatura.settings import DEFAULT_CONFIG
    from trafilatura.sitemaps import SitemapObject

    DEFAULT_CONFIG.set("DEFAULT", "SSRF_PROTECTION", "no")  # the measured site is on the loopback

    def read(url: str) -> int:
        base = url.rpartition("/")[0]
        sitemap = SitemapObject(base, "127.0.0.1", [url], None, True, DEFAULT_CONFIG)
        while sitemap.sitemap_urls:
            sitemap.current_url = sitemap.sitemap_urls.pop()
            sitemap.fetch()
            sitemap.process()
            sitemap.sitemap_urls = [each for each in sitemap.sitemap_urls if each not in sitemap.seen]
        return len(sitemap.urls)

    return read


def ultimate_sitemap_parser() -> Reader:
    from usp.fetch_parse import SitemapFetcher

    def read(url: str) -> int:
        return sum(1 for _ in SitemapFetcher(url, recursion_level=0).sitemap().all_pages())

    return read


def advertools() -> Reader:
    from advertools import sitemap_to_df

    return lambda url: len(sitemap_to_df(url))


WAYS: dict[str, Callable[[], Reader]] = {
    "wire": wire,
    "expat bare": expat_bare,
    "expat, locs collected": expat_locs,
    "libxml2 bare": libxml2_bare,
    "ours": ours,
    "scrapy": scrapy,
    "trafilatura": trafilatura,
    "ultimate-sitemap-parser": ultimate_sitemap_parser,
    "advertools": advertools,
}


def main() -> None:
    logging.disable(logging.CRITICAL)
    way, url = sys.argv[1:]
    read = WAYS[way]()
    with Spending() as spent:
        count = read(url)
    print(json.dumps({"urls": count, **spent.as_dict()}))


if __name__ == "__main__":
    main()
