"""Responses with generated files, which are generated only if the client's ETag differs."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request


def send_bytes(etag: str, media_type: str, make: Callable[[], bytes]) -> Response:
    """Return a private file, or 304 without calling ``make``. ``etag`` identifies its content."""
    response = Response(mimetype=media_type)
    response.set_etag(etag)
    response.cache_control.private = True
    response.cache_control.no_cache = True
    if not request.if_none_match.contains_weak(etag):
        response.set_data(make())
    response.make_conditional(request)
    return response
