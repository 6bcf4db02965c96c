"""Checks of the text and the URLs that callers send."""

from collections.abc import Iterable, Mapping
from typing import Any

from marshmallow import ValidationError

from app.failures import ServiceFailure, invalid_field
from app.infra.http.address_rules import check_url
from app.infra.inputs import Line, Text
from app.infra.settings import current_settings
from app.infra.urls import InvalidUrl, normalise


def clean_text(name: str, value: Any, most: int, kind: type[Text] = Text) -> str | None:
    """Return a text trimmed, None if it is absent or empty. Raises INVALID_REQUEST that names ``/name``."""
    try:
        return kind(0, most).deserialize(value) or None
    except ValidationError as error:
        raise invalid_field(f"/{name}", str(error.messages[0])) from None


def clean_line(name: str, value: Any, most: int) -> str | None:
    """Return a text as ``clean_text`` does, on one line, such as a name."""
    return clean_text(name, value, most, Line)


def required_text(name: str, value: Any, most: int) -> str:
    """Return a text as ``clean_text`` does. Raises INVALID_REQUEST if it is absent or empty, too."""
    return _required(name, clean_text(name, value, most))


def required_line(name: str, value: Any, most: int) -> str:
    """Return a text as ``clean_line`` does. Raises INVALID_REQUEST if it is absent or empty, too."""
    return _required(name, clean_line(name, value, most))


def _required(name: str, text: str | None) -> str:
    if text is None:
        raise invalid_field(f"/{name}", "This is required.")
    return text


def refuse_unknown(fields: Mapping[str, Any], known: Iterable[str], at: str = "") -> None:
    """Raise INVALID_REQUEST for members of ``fields`` that are not ``known``; ``at`` is the path of all."""
    unknown = sorted(set(fields) - set(known))
    if unknown:
        raise ServiceFailure(
            "INVALID_REQUEST",
            errors=[{"location": "body", "field": f"{at}/{n}", "message": "Unknown field."} for n in unknown],
        )


def outbound_url(text: str, field: str) -> str:
    """Return the normalised URL that the service may call; ``field`` is its path, such as ``/sitemap_url``.

    Nothing is resolved. Raises URL_NOT_ALLOWED, with a message that never repeats the URL.
    """
    url = text.strip()
    try:
        check_url(url, current_settings().fetch_allow)
    except ServiceFailure as refused:
        raise url_refused(field, refused.failure.message) from None
    return display_url(url, field)


def confidential_url(text: str, field: str) -> str:
    """Return the normalised URL to which the service may send a secret of its owner.

    Raises URL_NOT_ALLOWED, also for http unless the operator allowed the host.
    """
    url = outbound_url(text, field)
    allowed = current_settings().fetch_allow
    endpoint = check_url(url, allowed)
    if endpoint.scheme == "http" and (endpoint.host, endpoint.port) not in allowed:
        raise url_refused(field, "The address must begin with https://, so that nobody can read along.")
    return url


def display_url(text: str, field: str) -> str:
    """Return the normalised URL that is only shown, never called. Raises URL_NOT_ALLOWED."""
    try:
        return normalise(text)
    except InvalidUrl as error:
        raise url_refused(field, f"The URL cannot be used: {error.reason}.") from None


def url_refused(field: str, message: str) -> ServiceFailure:
    """Return the URL_NOT_ALLOWED failure for one field."""
    return ServiceFailure(
        "URL_NOT_ALLOWED", message, errors=[{"location": "body", "field": field, "message": message}]
    )
