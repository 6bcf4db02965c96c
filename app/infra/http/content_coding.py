"""Decompression of responses up to a limit (Content-Encoding gzip and deflate). Pure."""

from collections.abc import Iterator
from typing import Final

from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.inflate import GZIP, GZIP_MAGIC, RAW_DEFLATE, ZLIB, InflateError, inflated, peek

_MAX_LAYERS: Final = 2
_SUPPORTED: Final = ("gzip", "x-gzip", "deflate")
# The other registered codings. Any other name, such as "none" or "utf-8", means that nothing is compressed.
_NOT_REQUESTED: Final = frozenset(
    ("aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd")
)


def decoded(wire: Iterator[bytes], coding: str, max_bytes: int) -> Iterator[bytes]:
    """Yield the decompressed pieces of ``wire``, at most ``max_bytes`` in all.

    Raises FetchError: ``too_large`` over the limit, ``truncated`` when the data ends early, ``protocol`` for
    a coding that was not requested, data that does not decompress or something else behind it.
    """
    names = [name.strip().lower() for name in coding.split(",")]
    layers = [name for name in names if name in _SUPPORTED]
    if len(layers) > _MAX_LAYERS or not _NOT_REQUESTED.isdisjoint(names):
        raise FetchError(FetchErrorKind.PROTOCOL, "The response uses a compression that was not requested.")
    for name in reversed(layers):
        wire = _decoded_layer(wire, max_bytes, gzip=name != "deflate")
    return wire


def _decoded_layer(wire: Iterator[bytes], max_bytes: int, *, gzip: bool) -> Iterator[bytes]:
    head, wire = peek(wire, len(GZIP_MAGIC))
    if gzip and not head.startswith(GZIP_MAGIC):
        # Some servers label every file gzip. What is not compressed is passed on as it is.
        yield from wire
        return
    total = 0
    try:
        for piece in inflated(wire, GZIP if gzip else ZLIB if head[:1] == b"\x78" else RAW_DEFLATE):
            total += len(piece)
            if total > max_bytes:
                raise FetchError(
                    FetchErrorKind.TOO_LARGE, f"The response is over {max_bytes} bytes after decompression."
                )
            yield piece
    except InflateError as error:
        kind = FetchErrorKind.TRUNCATED if error.truncated else FetchErrorKind.PROTOCOL
        raise FetchError(kind, error.message) from None
