"""The Search Console API: the sites of a person, and what Google counted for one of them."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final, Literal
from urllib.parse import quote

from app.config import Settings
from app.failures import ServiceFailure
from app.infra.http.client import Fetcher
from app.search_performance.google.calls import call, unusable
from app.search_performance.google.oauth import new_access_token
from app.search_performance.reading import Measured

PAGE_ROWS: Final = 25_000

Dimension = Literal["date", "query", "page"]

_BASE: Final = "https://searchconsole.googleapis.com"
_MOST_COUNT: Final = 2**53


class SearchConsole:
    """Calls the API with the access of a refresh token. Every method raises SEARCH_CONSOLE_… failures."""

    def __init__(self, settings: Settings, http: Fetcher, refresh_token: str) -> None:
        self._settings = settings
        self._http = http
        self._refresh_token = refresh_token
        self._access_token: str | None = None

    def site_urls(self) -> list[str]:
        """Return the addresses of the sites whose results the person may read."""
        entries = self._call("GET", "sites").get("siteEntry", [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise unusable()
        readable = (entry for entry in entries if entry.get("permissionLevel") != "siteUnverifiedUser")
        return sorted(url for entry in readable if isinstance(url := entry.get("siteUrl"), str))

    def rows(
        self, site_url: str, dimension: Dimension, first_day: date, last_day: date, most: int
    ) -> Iterator[tuple[str, Measured]]:
        """Yield what was counted for each value of a dimension, most clicks first, at most ``most`` rows.

        Only final figures are counted. One response of up to PAGE_ROWS rows is in memory at a time.
        """
        for start in range(0, most, PAGE_ROWS):
            wanted = min(PAGE_ROWS, most - start)
            found = self._query(
                site_url,
                {
                    "startDate": first_day.isoformat(),
                    "endDate": last_day.isoformat(),
                    "dimensions": [dimension],
                    "type": "web",
                    "dataState": "final",
                    "rowLimit": wanted,
                    "startRow": start,
                },
            )
            yield from (row for each in found if (row := _row(each)) is not None)
            if not found:
                return

    def _query(self, site_url: str, query: Mapping[str, Any]) -> list[Any]:
        path = f"sites/{quote(site_url, safe='')}/searchAnalytics/query"
        rows = self._call("POST", path, json.dumps(query).encode()).get("rows", [])
        if not isinstance(rows, list):
            raise unusable()
        return rows

    def _call(self, method: str, path: str, body: bytes | None = None) -> Mapping[str, Any]:
        """Call the API; a refused access token is renewed once, because it may have just expired."""
        if self._access_token is not None:
            try:
                return self._request(method, path, body, self._access_token)
            except ServiceFailure as refused:
                if (refused.failure.details or {}).get("http_status") != 401:
                    raise
        self._access_token = new_access_token(self._settings, self._http, self._refresh_token)
        return self._request(method, path, body, self._access_token)

    def _request(self, method: str, path: str, body: bytes | None, token: str) -> Mapping[str, Any]:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        url = f"{self._settings.google_base_url or _BASE}/webmasters/v3/{path}"
        return call(self._http, method, url, body, headers)


def _row(row: Any) -> tuple[str, Measured] | None:
    if not isinstance(row, dict):
        return None
    match row:
        case {
            "keys": [str(key)],
            "clicks": int() | float() as clicks,
            "impressions": int() | float() as shown,
        }:
            position = row.get("position")
        case _:
            return None
    if not 0 <= clicks <= _MOST_COUNT or not 0 <= shown <= _MOST_COUNT:
        return None
    place = float(position) if isinstance(position, int | float) and 0 < position < _MOST_COUNT else None
    return key, Measured(int(clicks), int(shown), place)
