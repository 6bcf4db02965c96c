"""Files that are made on request: answered by their ETag, made only when the client has another one."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request


def send_bytes(etag: str, media_type: str, make: Callable[[], bytes]) -> Response:
    """Return a file for its owner alone, or 304 without making it; ``etag`` names its bytes."""
    response = Response(mimetype=media_type)
    response.set_etag(etag)
    response.cache_control.private = True
    response.cache_control.no_cache = True
    if not request.if_none_match.contains(etag):
        response.set_data(make())
    response.make_conditional(request)
    return response
