"""Asking a site for its robots.txt."""

from __future__ import annotations

from app.failures import ServiceFailure
from app.infra.fetch_errors import FetchError
from app.infra.http import Fetcher
from app.infra.outbound import PRODUCT
from app.pages.robots import MAX_BYTES, Robots


def fetch_robots(http: Fetcher, address: str) -> Robots:
    """Return what the robots.txt at ``address`` says to this service; one that cannot be had allows all."""
    try:
        with http.get(address, max_bytes=MAX_BYTES) as response:
            text = response.read().decode("utf-8-sig", "replace") if response.status == 200 else None
    except (FetchError, ServiceFailure):
        text = None
    return Robots(text, PRODUCT)
