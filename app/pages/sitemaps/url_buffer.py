"""The URLs of one reading of a sitemap, kept in a temporary file, so that memory stays flat."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Final

from app.infra.urls import bare_authority_of, origin_of, same_site, url_key
from app.pages.sitemaps.documents import Harvest
from app.pages.sitemaps.entries import Entry, Problem, Report

Row = tuple[bytes, str, str | None]
"""A listed page: its key, its URL, and when it last changed, as ``2024-05-01 10:00:00.000000`` in UTC."""

SITES_NAMED: Final = 20
SITES_COUNTED: Final = 1000
_BLOCK: Final = 65536
_NULL: Final = r"\N"
_TWO_DIGITS: Final = tuple(f"{number:02}" for number in range(60))


def belongs(project_url: str, site: str, subdomains: bool) -> bool:
    """Return whether a sitemap's pages on ``site`` are a project's: those of its own host, www. or not.

    With ``subdomains`` those of its registrable domain and of all hosts below it.
    """
    if subdomains:
        return same_site(project_url, site)
    return bare_authority_of(project_url) == bare_authority_of(site)


def _told(moment: datetime) -> str:
    """Return a time of UTC as isoformat would, in half the time."""
    at, two = moment, _TWO_DIGITS
    day = f"{at.year:04}-{two[at.month]}-{two[at.day]}"
    return f"{day} {two[at.hour]}:{two[at.minute]}:{two[at.second]}.{at.microsecond:06}+00:00"


class Spool:
    """What a sitemap lists of the project's own site, with the report that tells whether it is all.

    ``listed`` counts the lines, ``foreign`` the pages of other sites, which are left out.
    """

    def __init__(self, project_url: str, sitemap_url: str, *, subdomains: bool = True) -> None:
        self.sitemap_url = sitemap_url
        self.report = Report()
        self.harvest = Harvest()
        self.listed = 0
        self.foreign = 0
        self._foreign_sites: Counter[str] = Counter()
        self._is_own = lru_cache(maxsize=1024)(lambda origin: belongs(project_url, origin + "/", subdomains))
        # Most pages are on the site of the one before.
        self._last_own = f"{origin_of(project_url)}/"
        # Lines are in the text form of PostgreSQL's COPY: nothing in a normalised URL has to be escaped.
        self._file = tempfile.TemporaryFile("w+", encoding="ascii", newline="\n")  # noqa: SIM115

    def add(self, entry: Entry) -> None:
        """Write down a page, unless it belongs to another site."""
        url, lastmod = entry
        if not url.startswith(self._last_own):
            origin = origin_of(url)
            if not self._is_own(origin):
                self._leave_out(origin)
                return
            self._last_own = f"{origin}/"
        self.listed += 1
        changed = _told(lastmod) if lastmod else _NULL
        self._file.write(f"\\\\x{url_key(url).hex()}\t{url}\t{changed}\n")

    def figures(self) -> dict[str, int]:
        """Return what was read, counted, as the history of syncs names it.

        Bytes are those of the documents that were sent, without a Content-Encoding.
        """
        return {
            "invalid": self.report.invalid,
            "foreign": self.foreign,
            "bytes": self.report.bytes - self.harvest.saved_bytes,
            "children": self.report.children,
            "not_modified": len(self.harvest.unchanged),
        }

    def findings(self) -> list[Problem]:
        """Return what is worth telling: the sites that were left out, then what the report found."""
        named = self._foreign_sites.most_common(SITES_NAMED)
        told = [Problem("OTHER_SITE", site, f"Pages of another site, left out: {n}.") for site, n in named]
        if (more := self.foreign - sum(count for _, count in named)) > 0:
            told.append(Problem("OTHER_SITE", self.sitemap_url, f"Pages of more sites, left out: {more}."))
        return [*told, *self.report.findings(self.sitemap_url)]

    def _leave_out(self, origin: str) -> None:
        """Count a page of another site, for each of the first SITES_COUNTED sites."""
        self.foreign += 1
        if origin in self._foreign_sites or len(self._foreign_sites) < SITES_COUNTED:
            self._foreign_sites[origin] += 1

    def blocks(self) -> Iterator[str]:
        """Yield everything as text for COPY: key, URL, lastmod."""
        self._file.seek(0)
        return iter(lambda: self._file.read(_BLOCK), "")

    def rows(self) -> Iterator[Row]:
        """Yield everything row by row."""
        self._file.seek(0)
        for line in self._file:
            key, url, changed = line[3:-1].split("\t")
            yield bytes.fromhex(key), url, None if changed == _NULL else changed[:26]
