"""Targets of redirects, and the headers that may be sent there. Pure; the client checks the target's URL."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urljoin, urlsplit

from app.infra.http.errors import FetchError, FetchErrorKind

_STATUSES: Final = (301, 302, 303, 307, 308)


def redirect_target(url: str, status: int, location: str | None) -> str | None:
    """Return the URL that a response redirects to, None if it is no redirect.

    Raises FetchError ``redirect`` if the URL is not well-formed or leads from https to http.
    """
    if status not in _STATUSES or not location:
        return None
    # http.client reads header bytes as Latin-1; servers send UTF-8.
    location = location.encode("latin-1", "replace").decode("utf-8", "replace").strip()
    try:
        target = urljoin(url, location.replace(" ", "%20"))
        secure = urlsplit(target).scheme == "https"
    except ValueError:
        raise FetchError(FetchErrorKind.REDIRECT, "The redirect's URL is not well-formed.") from None
    if urlsplit(url).scheme == "https" and not secure:
        raise FetchError(FetchErrorKind.REDIRECT, "A redirect from https to http was refused.")
    return target


def headers_for(headers: Mapping[str, str], url: str, target: str) -> Mapping[str, str]:
    """Return the request headers that may be sent on from ``url`` to ``target``.

    If scheme, host or port changes, only Accept headers are: any other header may contain a secret.
    """
    if urlsplit(url)[:2] == urlsplit(target)[:2]:
        return headers
    return {name: value for name, value in headers.items() if name.lower().startswith("accept")}
