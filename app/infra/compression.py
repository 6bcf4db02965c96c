"""Compresses responses with gzip for clients that accept it.

The length of a compressed response reveals nothing exact about its content: its gzip header has a name of
random length, as in Django's GZipMiddleware. docs/decisions/0025-compressed-responses.md says why.
"""

import gzip
import secrets
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Final

from flask import Flask, Response, request

LEVEL: Final = 6
SMALLEST: Final = 1_000
"""Shorter bodies fit in one packet anyway."""

LONGEST_NAME: Final = 100
_TYPES: Final = frozenset({"application/json", "application/javascript", "application/xml", "image/svg+xml"})


def init_app(app: Flask) -> None:
    """Compress responses. Call it before other extensions: the first of these functions is run last."""
    app.after_request(compress)


def compress(response: Response) -> Response:
    """Return ``response`` with a compressed body if its type, its length and the request allow it.

    Its strong ETag becomes a weak one, because it names the content and no longer the bytes. A file and
    a streamed body are compressed piece by piece.
    """
    if "Content-Encoding" in response.headers or not _is_text(response.mimetype):
        return response
    response.vary.add("Accept-Encoding")
    accepted = request.accept_encodings.best_match(["gzip", "identity"])
    if accepted != "gzip" or response.status_code == 206:
        return response
    etag, weak = response.get_etag()
    if etag is not None and not weak:
        response.set_etag(etag, weak=True)
    if _is_worth_it(response):
        _pack(response)
    return response


def packed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the gzip form of ``pieces``. Holds one piece and the compressor's window in memory."""
    buffer = BytesIO()
    name = "a" * secrets.randbelow(LONGEST_NAME + 1)
    with gzip.GzipFile(name, "wb", LEVEL, buffer, mtime=0) as file:
        for piece in pieces:
            file.write(piece)
            if ready := _taken(buffer):
                yield ready
    yield _taken(buffer)


def _is_text(mimetype: str | None) -> bool:
    return mimetype is not None and (mimetype.startswith("text/") or mimetype in _TYPES)


def _is_worth_it(response: Response) -> bool:
    if response.status_code in (204, 304):
        return False
    if _is_file_or_stream(response):
        return True
    return len(response.get_data()) >= SMALLEST


def _is_file_or_stream(response: Response) -> bool:
    # The web server's file wrapper has a length, so ``is_streamed`` alone takes a file for a list of pieces.
    return response.is_streamed or response.direct_passthrough


def _pack(response: Response) -> None:
    response.content_encoding = "gzip"
    response.headers.pop("Accept-Ranges", None)
    if not _is_file_or_stream(response):
        response.set_data(b"".join(packed([response.get_data()])))
        return
    if close := getattr(response.response, "close", None):
        response.call_on_close(close)
    response.direct_passthrough = False
    response.headers.pop("Content-Length", None)
    response.response = packed(response.iter_encoded())


def _taken(buffer: BytesIO) -> bytes:
    ready = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return ready
