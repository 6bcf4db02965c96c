"""Decompression of gzip and deflate streams, in pieces. Pure."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Final

GZIP_MAGIC: Final = b"\x1f\x8b"
GZIP: Final = 31
ZLIB: Final = 15
RAW_DEFLATE: Final = -15
"""The formats, as zlib numbers them."""

PIECE: Final = 65536


class InflateError(Exception):
    """The compressed data is damaged, or ends early (``truncated``)."""

    def __init__(self, message: str, *, truncated: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.truncated = truncated


def inflated(stream: Iterator[bytes], bits: int = GZIP) -> Iterator[bytes]:
    """Yield the decompressed stream in pieces of at most 64 KB.

    Gzip may have several members with zero padding behind them (RFC 1952, 2.2). Raises InflateError after
    everything that was readable.
    """
    inflate = zlib.decompressobj(bits)
    rest = b""
    while data := rest or next(stream, b""):
        before = inflate.copy()
        try:
            piece = inflate.decompress(data, PIECE)
        except zlib.error:
            yield from _salvaged(before, data)
            raise InflateError("The compressed data is damaged.") from None
        if piece:
            yield piece
        rest = inflate.unconsumed_tail
        if inflate.eof:
            rest = _next_member(inflate.unused_data, stream)
            if not rest:
                return
            inflate = zlib.decompressobj(bits)
    raise InflateError("The compressed data ends early.", truncated=True)


def peek(stream: Iterator[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    """Return at least ``size`` first bytes (fewer at the end) and a stream that still begins with them.

    A stream that raises before ``size`` bytes raises again, at the same place, when it is read on.
    """
    head = b""
    while len(head) < size:
        try:
            piece = next(stream)
        except StopIteration:
            break
        except Exception as error:
            return head, chain([head], _raising(error))
        head += piece
    return head, chain([head], stream) if head else stream


def _next_member(data: bytes, stream: Iterator[bytes]) -> bytes:
    while not (data := data.lstrip(b"\0")) or len(data) < len(GZIP_MAGIC):
        more = next(stream, b"")
        if not more:
            break
        data += more
    if data and not data.startswith(GZIP_MAGIC):
        raise InflateError("Something else follows the compressed data.")
    return data


def _salvaged(inflate: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """Yield what is readable before the damage, which a call for all of the data would discard."""
    with suppress(zlib.error):
        for at in range(len(data)):
            if piece := inflate.decompress(data[at : at + 1]):
                yield piece


def _raising(error: Exception) -> Iterator[bytes]:
    yield from ()
    raise error
