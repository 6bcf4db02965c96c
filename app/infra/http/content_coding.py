"""Decompression of responses (Content-Encoding gzip and deflate) up to a size limit. Pure."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.gzip_members import GZIP_MAGIC, NoMember, next_member

_PIECE = 65536
_MAX_LAYERS = 2
_SUPPORTED = ("gzip", "x-gzip", "deflate")
# The other registered codings. Unregistered names, such as "none" or "utf-8", mean no compression.
_NOT_REQUESTED = frozenset(
    ("aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd")
)


def decoded(wire: Iterator[bytes], coding: str, max_bytes: int) -> Iterator[bytes]:
    """Yield the decompressed pieces of ``wire``, at most ``max_bytes`` in all.

    Raises FetchError: ``too_large`` over the limit, ``truncated`` if the data ends early, ``protocol`` for a
    coding that was not requested, for damaged data and for other data after it.
    """
    names = [name.strip().lower() for name in coding.split(",")]
    layers = [name for name in names if name in _SUPPORTED]
    if len(layers) > _MAX_LAYERS or not _NOT_REQUESTED.isdisjoint(names):
        raise FetchError(FetchErrorKind.PROTOCOL, "The response uses a compression that was not requested.")
    for name in reversed(layers):
        wire = _inflated(wire, max_bytes, gzip=name != "deflate")
    return wire


def _inflated(wire: Iterator[bytes], max_bytes: int, *, gzip: bool) -> Iterator[bytes]:
    head = next(wire, b"")
    while 0 < len(head) < 2:
        more = next(wire, b"")
        if not more:
            break
        head += more
    if gzip and not head.startswith(GZIP_MAGIC):
        # Some servers label every file gzip. Uncompressed data is passed on unchanged.
        yield head
        yield from wire
        return
    bits = 31 if gzip else (15 if head[:1] == b"\x78" else -15)
    total = 0
    for piece in _pieces(head, wire, bits):
        total += len(piece)
        if total > max_bytes:
            raise FetchError(
                FetchErrorKind.TOO_LARGE, f"The response is over {max_bytes} bytes after decompression."
            )
        yield piece


def _pieces(head: bytes, wire: Iterator[bytes], bits: int) -> Iterator[bytes]:
    inflate = zlib.decompressobj(bits)
    data = head
    while data:
        try:
            piece = inflate.decompress(data, _PIECE)
        except zlib.error:
            raise FetchError(FetchErrorKind.PROTOCOL, "The response's compressed data is damaged.") from None
        if piece:
            yield piece
        if not inflate.eof:
            data = inflate.unconsumed_tail or next(wire, b"")
            continue
        try:
            data = next_member(inflate.unused_data, wire)
        except NoMember:
            raise FetchError(
                FetchErrorKind.PROTOCOL, "Other data follows the response's compressed data."
            ) from None
        if not data:
            return
        # Only gzip has members: behind anything else this does not decompress.
        inflate = zlib.decompressobj(bits)
    raise FetchError(FetchErrorKind.TRUNCATED, "The response's compressed data ends early.")
