"""The URLs of one reading of a sitemap, in a temporary file, so that memory stays flat."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Final

from app.infra.urls import bare_authority_of, origin_of, same_site, url_key
from app.pages.sitemaps.crawl_result import CrawlResult
from app.pages.sitemaps.entries import Entry
from app.pages.sitemaps.report import Problem, Report

Row = tuple[bytes, str, str | None]
"""A listed page: its key, its URL, and when it last changed, as ``2024-05-01 10:00:00.000000`` in UTC."""

SITES_NAMED: Final = 20
SITES_COUNTED: Final = 1000
_BLOCK: Final = 65536
_NULL: Final = r"\N"
_TWO_DIGITS: Final = tuple(f"{number:02}" for number in range(60))


def belongs(project_url: str, site: str, subdomains: bool) -> bool:
    """Return whether pages on ``site`` belong to a project: it has the same host, with or without ``www.``.

    With ``subdomains`` it only needs the same registrable domain.
    """
    if subdomains:
        return same_site(project_url, site)
    return bare_authority_of(project_url) == bare_authority_of(site)


def _isoformat(moment: datetime) -> str:
    """Return a UTC time as ``datetime.isoformat`` does, twice as fast."""
    at, two = moment, _TWO_DIGITS
    day = f"{at.year:04}-{two[at.month]}-{two[at.day]}"
    return f"{day} {two[at.hour]}:{two[at.minute]}:{two[at.second]}.{at.microsecond:06}+00:00"


class UrlBuffer:
    """The URLs of the project's own site that a sitemap lists, with the report of the reading.

    ``listed`` counts the lines, ``foreign`` the pages of other sites, which are left out.
    """

    def __init__(self, project_url: str, sitemap_url: str, *, subdomains: bool = True) -> None:
        self.sitemap_url = sitemap_url
        self.report = Report()
        self.crawl = CrawlResult()
        self.listed = 0
        self.foreign = 0
        self._foreign_sites: Counter[str] = Counter()
        self._is_own = lru_cache(maxsize=1024)(lambda origin: belongs(project_url, origin + "/", subdomains))
        # Most pages are on the site of the one before.
        self._last_own = f"{origin_of(project_url)}/"
        # Lines are in the text form of PostgreSQL's COPY: nothing in a normalised URL has to be escaped.
        self._file = tempfile.TemporaryFile("w+", encoding="ascii", newline="\n")  # noqa: SIM115

    def add(self, entry: Entry) -> None:
        """Add a page, unless it belongs to another site."""
        url, lastmod = entry
        if not url.startswith(self._last_own):
            origin = origin_of(url)
            if not self._is_own(origin):
                self._leave_out(origin)
                return
            self._last_own = f"{origin}/"
        self.listed += 1
        changed = _isoformat(lastmod) if lastmod else _NULL
        self._file.write(f"\\\\x{url_key(url).hex()}\t{url}\t{changed}\n")

    def counts(self) -> dict[str, int]:
        """Return the counts of the reading for the history of syncs.

        Bytes are those of the documents that were sent, after undoing Content-Encoding.
        """
        return {
            "invalid": self.report.invalid,
            "foreign": self.foreign,
            "bytes": self.report.bytes - self.crawl.saved_bytes,
            "children": self.report.children,
            "not_modified": len(self.crawl.not_modified),
        }

    def problems(self) -> list[Problem]:
        """Return the sites that were left out, then the problems of the report."""
        named = self._foreign_sites.most_common(SITES_NAMED)
        found = [Problem("OTHER_SITE", site, f"Pages of another site, left out: {n}.") for site, n in named]
        if (more := self.foreign - sum(count for _, count in named)) > 0:
            found.append(Problem("OTHER_SITE", self.sitemap_url, f"Pages of more sites, left out: {more}."))
        return [*found, *self.report.all_problems(self.sitemap_url)]

    def _leave_out(self, origin: str) -> None:
        self.foreign += 1
        if origin in self._foreign_sites or len(self._foreign_sites) < SITES_COUNTED:
            self._foreign_sites[origin] += 1

    def blocks(self) -> Iterator[str]:
        """Yield everything as text for COPY: key, URL, lastmod."""
        self._file.seek(0)
        return iter(lambda: self._file.read(_BLOCK), "")

    def rows(self) -> Iterator[Row]:
        self._file.seek(0)
        for line in self._file:
            key, url, changed = line[3:-1].split("\t")
            yield bytes.fromhex(key), url, None if changed == _NULL else changed[:26]
