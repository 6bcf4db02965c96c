"""The ages of the installed packages: when the package index got each version."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import distributions

from app.infra.http.client import Fetcher
from app.infra.http.errors import FetchError


@dataclass(frozen=True)
class Package:
    """An installed package. ``released_at`` is None if the index does not say."""

    name: str
    version: str
    released_at: datetime | None = None


def installed() -> list[Package]:
    """Return the installed packages by name, from their metadata."""
    found = {each.metadata["Name"]: each.version for each in distributions()}
    return [
        Package(name, version) for name, version in sorted(found.items(), key=lambda each: each[0].lower())
    ]


def with_dates(packages: list[Package], index: str, http: Fetcher) -> Iterator[Package]:
    """Yield each package with the time at which ``index``, such as https://pypi.org, got its version."""
    for package in packages:
        yield Package(package.name, package.version, _released_at(package, index, http))


def _released_at(package: Package, index: str, http: Fetcher) -> datetime | None:
    try:
        answer = http.request("GET", f"{index}/pypi/{package.name}/{package.version}/json")
        times = [
            datetime.fromisoformat(file["upload_time_iso_8601"]) for file in json.loads(answer.body)["urls"]
        ]
    except (FetchError, ValueError, KeyError, TypeError):
        return None
    return min(times, default=None)
