"""URLs that people give, to be fetched or shown later: judged by the door's rules, in their one spelling."""

from __future__ import annotations

from app.failures import ServiceFailure
from app.infra.addresses import check_url
from app.infra.settings import current_settings
from app.infra.urls import InvalidUrl, normalise


def outbound_url(text: str) -> str:
    """Return the normalised spelling of a URL that the service may call.

    Raises URL_NOT_ALLOWED, in words that never repeat the URL. Nothing is resolved.
    """
    url = text.strip()
    check_url(url, current_settings().fetch_allow)
    try:
        return normalise(url)
    except InvalidUrl as error:
        raise ServiceFailure("URL_NOT_ALLOWED", f"The URL cannot be used: {error.reason}.") from error
