"""The sitemaps that are measured: 50,000 URLs in one file, 1,000,000 in an index of 20, served from files."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

PROJECT = "https://www.example.com/"
SIZES = {"few": 100, "50k": 50_000, "1M": 1_000_000}
FILE_OF = 50_000

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


class SitemapSite:
    """A folder of sitemaps and the address where they are found."""

    def __init__(self, folder: Path, url: str) -> None:
        self.url = url
        self.address = url.removeprefix("http://")
        self.folder = folder
        self._began, self._written = time.time() - 3600, 0

    def sitemap(self, size: str) -> str:
        """The address of the sitemap of this size."""
        return f"{self.url}/{size}.xml"

    def write(self, size: str, changed: int = 0) -> None:
        """Write the sitemap of this size; ``changed`` of its first pages are others than at 0."""
        files = range(SIZES[size] // FILE_OF)
        if len(files) <= 1:
            self._urlset(f"{size}.xml", range(SIZES[size]), changed)
            return
        for number in files:
            pages = range(number * FILE_OF, (number + 1) * FILE_OF)
            self._urlset(f"{size}-{number}.xml", pages, changed // len(files))
        children = (f"<sitemap><loc>{self.url}/{size}-{n}.xml</loc></sitemap>\n" for n in files)
        head, foot = f"{_HEAD}<sitemapindex {_NAMESPACE}>\n", "</sitemapindex>\n"
        self._put(f"{size}.xml", chain([head], children, [foot]))

    def _urlset(self, name: str, pages: range, changed: int) -> None:
        lines = (_line(number, "new" if number < pages.start + changed else "page") for number in pages)
        self._put(name, chain([f"{_HEAD}<urlset {_NAMESPACE}>\n"], lines, ["</urlset>\n"]))

    def _put(self, name: str, lines: Iterable[str]) -> None:
        # Never the whole text: the process that writes it may be one whose memory is measured.
        path = self.folder / name
        with path.open("w", encoding="ascii") as file:
            file.writelines(lines)
        # Not of this very second, whose date no reader may trust; and never the same date again.
        self._written += 1
        os.utime(path, times=(self._began + self._written,) * 2)


def _line(number: int, word: str) -> str:
    path = f"blog/{number % 97}/an-article-about-something-{word}-{number}"
    day, second = number % 28 + 1, number * 7919 % 86_400  # hardly two pages changed at the same moment
    clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    moment = f"2026-{number % 9 + 1:02}-{day:02}T{clock}+00:00"
    return f"<url><loc>{PROJECT}{path}</loc><lastmod>{moment}</lastmod></url>\n"


@contextmanager
def sitemap_site(folder: Path) -> Iterator[SitemapSite]:
    """Serve a folder of sitemaps from a process of its own."""
    words = [
        sys.executable,
        "-u",
        "-m",
        "http.server",
        "0",
        "--bind",
        "127.0.0.1",
        "--directory",
        str(folder),
    ]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        port = server.stdout.readline().rpartition("(http://")[2].rpartition("/)")[0].rpartition(":")[2]
        yield SitemapSite(folder, f"http://127.0.0.1:{port}")
    finally:
        server.terminate()
        server.wait()
