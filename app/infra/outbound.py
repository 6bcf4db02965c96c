"""The outbound door as the operator's settings want it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.config import Settings
from app.infra.http import Fetcher, FetchPolicy

PRODUCT: Final = "seo-content-service"
"""The name by which robots.txt files may address this service."""


def fetcher_from(
    settings: Settings,
    *,
    total_seconds: float = 120.0,
    max_bytes: int = 64 * 1024 * 1024,
    should_stop: Callable[[], bool] | None = None,
) -> Fetcher:
    """Return a Fetcher that names the service and its contact page, and may reach what FETCH_ALLOW lists."""
    return Fetcher(
        FetchPolicy(
            user_agent=f"{PRODUCT}/1.0 (+{settings.fetch_contact_url})",
            allow=settings.fetch_allow,
            total_seconds=total_seconds,
            max_bytes=max_bytes,
            should_stop=should_stop,
        )
    )
