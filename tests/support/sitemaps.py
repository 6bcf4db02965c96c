"""Sitemaps in memory, and what reading them finds."""

from __future__ import annotations

from collections.abc import Iterator

from app.pages.sitemaps.entries import Entry
from app.pages.sitemaps.read import read_sitemap
from app.pages.sitemaps.report import DocumentUnreadable, Limits, Report

ROOT = "https://example.com/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*locs: str, attributes: str = NS) -> bytes:
    """A sitemap of these addresses as they are, unescaped."""
    body = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {attributes}>{body}</urlset>'.encode()


def index(*locs: str) -> bytes:
    """An index of these sitemaps."""
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
    """The entries of a site's sitemap, and the report."""
    report = Report()
    return list(read_sitemap(site.open, ROOT, report, limits)), report


def read(*pieces: bytes | Exception) -> tuple[list[str], Report]:
    """The addresses in a document that comes in these pieces, and the report."""
    entries, report = read_all(Site({ROOT: list(pieces)}))
    return [url for url, _ in entries], report


def codes(report: Report) -> list[str]:
    """The codes of what was found wrong."""
    return [problem.code for problem in report.problems]


A, B, C = "https://example.com/a", "https://example.com/b", "https://example.com/c"
WHOLE = urlset(A, B, C)
