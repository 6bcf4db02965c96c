"""Fetchers made from the service's settings, so that every outbound request follows the operator's rules."""

from __future__ import annotations

from collections.abc import Callable

from app.config import Settings
from app.infra.http import Fetcher, FetchPolicy


def user_agent(settings: Settings) -> str:
    """Return the name this service gives itself, with an address for whoever wonders."""
    return f"SEOContentService/1.0 (+{settings.fetch_contact_url})"


def fetcher(
    settings: Settings,
    *,
    total_seconds: float,
    max_bytes: int,
    should_stop: Callable[[], bool] | None = None,
) -> Fetcher:
    """Return a fetcher whose every request ends within ``total_seconds`` and ``max_bytes``."""
    return Fetcher(
        FetchPolicy(
            user_agent=user_agent(settings),
            allow=settings.fetch_allow,
            connect_timeout=10.0,
            read_timeout=min(30.0, total_seconds),
            total_seconds=total_seconds,
            max_bytes=max_bytes,
            should_stop=should_stop,
        )
    )
