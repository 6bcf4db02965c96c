"""Responses with generated files, which are generated only if the client's ETag differs."""

from collections.abc import Callable
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, Final

from flask import Response, request

_IN_MEMORY: Final = 256 * 1024
"""A larger file is on disk until it is sent."""
_AT_ONCE: Final = 64 * 1024


def send_bytes(etag: str, media_type: str, make: Callable[[], bytes]) -> Response:
    """Return a private file, or 304 without calling ``make``. ``etag`` identifies its content."""
    return send_file(etag, media_type, lambda file: file.write(make()))


def send_file(etag: str, media_type: str, write: Callable[[IO[bytes]], object]) -> Response:
    """Return a private file, or 304 without calling ``write``, which writes it to the file it is given.

    A large file is never in memory as a whole. What ``write`` raises is raised before anything is sent.
    """
    response = Response(mimetype=media_type)
    response.set_etag(etag)
    response.cache_control.private = True
    response.cache_control.no_cache = True
    if not request.if_none_match.contains_weak(etag):
        _fill(response, write)
    response.make_conditional(request)
    return response


def _fill(response: Response, write: Callable[[IO[bytes]], object]) -> None:
    file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the response
    response.call_on_close(file.close)
    try:
        write(file)
    except BaseException:
        file.close()
        raise
    size = file.tell()
    file.seek(0)
    if size <= _IN_MEMORY:
        response.set_data(file.read())
        return
    response.response = iter(partial(file.read, _AT_ONCE), b"")
    response.content_length = size
