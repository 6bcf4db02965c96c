"""URLs that people give, to be fetched or shown later: judged by the door's rules, in their one spelling."""

from __future__ import annotations

from app.failures import ServiceFailure
from app.infra.http.address_rules import check_url
from app.infra.settings import current_settings
from app.infra.urls import InvalidUrl, normalise


def outbound_url(text: str, field: str) -> str:
    """Return the normalised spelling of a URL that the service may call; ``field`` is its path in the body.

    Raises URL_NOT_ALLOWED, in words that never repeat the URL. Nothing is resolved.
    """
    url = text.strip()
    try:
        check_url(url, current_settings().fetch_allow)
    except ServiceFailure as refused:
        raise url_refused(field, refused.failure.message) from None
    return spelled_url(url, field)


def spelled_url(text: str, field: str) -> str:
    """Return the normalised spelling of a URL that is only shown. Raises URL_NOT_ALLOWED."""
    try:
        return normalise(text)
    except InvalidUrl as error:
        raise url_refused(field, f"The URL cannot be used: {error.reason}.") from None


def url_refused(field: str, message: str) -> ServiceFailure:
    """Return the refusal of the URL in a field such as ``/sitemap_url``; the reason stands beside it too."""
    return ServiceFailure(
        "URL_NOT_ALLOWED", message, errors=[{"location": "body", "field": field, "message": message}]
    )
