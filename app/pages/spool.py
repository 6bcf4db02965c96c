"""The URLs of one reading of a sitemap, kept in a temporary file, so that memory stays flat."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from app.infra.urls import same_site, url_key
from app.pages.sitemap import Entry, Report

Row = tuple[bytes, str, str | None]
"""A listed page: its key, its URL, and when it last changed, as ``2024-05-01 10:00:00.000000`` in UTC."""

SITES_NAMED: Final = 20
_BLOCK: Final = 65536
_NULL: Final = r"\N"


class Spool:
    """What a sitemap lists of the project's own site, with the report that tells whether it is all.

    ``listed`` counts the lines, ``foreign`` the pages of other sites, which are left out.
    """

    def __init__(self, project_url: str, sitemap_url: str) -> None:
        self.sitemap_url = sitemap_url
        self.report = Report()
        self.listed = 0
        self.foreign = 0
        self._foreign_sites: set[str] = set()
        self._is_own = lru_cache(maxsize=1024)(lambda origin: same_site(project_url, origin + "/"))
        self._last_own = project_url[: project_url.index("/", 8) + 1]  # most pages are on the site of the last
        # Lines are in the text form of PostgreSQL's COPY: nothing in a normalised URL has to be escaped.
        self._file = tempfile.TemporaryFile("w+", encoding="ascii", newline="\n")  # noqa: SIM115

    def add(self, entry: Entry) -> None:
        """Write down a page, unless it belongs to another site."""
        url, lastmod = entry.url, entry.lastmod
        if not url.startswith(self._last_own):
            origin = url[: url.index("/", 8)]
            if not self._is_own(origin):
                self._leave_out(url, origin)
                return
            self._last_own = f"{origin}/"
        self.listed += 1
        changed = lastmod.isoformat(" ", "microseconds") if lastmod else _NULL
        self._file.write(f"\\\\x{url_key(url).hex()}\t{url}\t{changed}\n")

    def _leave_out(self, url: str, origin: str) -> None:
        """Count a page of another site; the first of each of the first SITES_NAMED sites is named."""
        self.foreign += 1
        if origin not in self._foreign_sites and len(self._foreign_sites) < SITES_NAMED:
            self._foreign_sites.add(origin)
            self.report.note("OTHER_SITE", url, "Pages of another site were left out.")

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
