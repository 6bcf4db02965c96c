"""A sitemap's bytes before they are understood: gunzipped by magic, mended when XML chokes on them. Pure."""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Final

from app.infra.http.gzip_members import GZIP_MAGIC, NoMember, next_member
from app.pages.sitemaps.entries import Damage

_PIECE: Final = 65536
_GZIP_LAYERS: Final = 2
_MAX_CARRY: Final = 1024 * 1024

_ENCODING: Final = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_MENDED: Final = re.compile(
    r"(?P<open><!\[CDATA\[)|(?P<close>\]\]>)|(?P<declaration><\?xml[^>]*\?>)"
    r"|&(?:(?:amp|lt|gt|quot|apos)|#(?P<dec>[0-9]{1,8})|#x(?P<hex>[0-9A-Fa-f]{1,8}));"
    r"|(?P<raw>&)|(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff])"
)


def unpacked(chunks: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    """Yield the document without its gzip layers, in pieces of at most 64 KB, nothing empty.

    Raises Damage when it is over ``max_bytes`` or a gzip layer is cut or damaged, after the readable pieces.
    """
    stream: Iterator[bytes] = iter(chunks)
    for _ in range(_GZIP_LAYERS):
        head, stream = peek(stream, 2)
        if head[:2] != GZIP_MAGIC:
            break
        stream = _gunzipped(stream)
    return _capped(stream, max_bytes)


def peek(stream: Iterator[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    """Return at least ``size`` first bytes (fewer at the end) and a stream that still begins with them.

    A stream that breaks before ``size`` bytes breaks again, at the same place, when it is read on.
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


def _raising(error: Exception) -> Iterator[bytes]:
    yield from ()
    raise error


def _capped(stream: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    total = 0
    for piece in stream:
        allowed = min(len(piece), max_bytes - total)
        total += len(piece)
        for start in range(0, allowed, _PIECE):
            yield piece[start : min(start + _PIECE, allowed)]
        if total > max_bytes:
            raise Damage("DOCUMENT_TOO_LARGE", f"The document is over {max_bytes} bytes after decompression.")


def _gunzipped(stream: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the content of one gzip layer of one or several members; zero padding behind them is allowed."""
    inflate = zlib.decompressobj(31)
    rest = b""
    while data := rest or next(stream, b""):
        before = inflate.copy()
        try:
            piece = inflate.decompress(data, _PIECE)
        except zlib.error:
            yield from _salvaged(before, data)
            raise Damage("GZIP_DAMAGED", "The compressed data is damaged.") from None
        if piece:
            yield piece
        rest = inflate.unconsumed_tail
        if not inflate.eof:
            continue
        try:
            rest = next_member(inflate.unused_data, stream)
        except NoMember:
            raise Damage("GZIP_DAMAGED", "Something else follows the compressed data.") from None
        if not rest:
            return
        inflate = zlib.decompressobj(31)
    raise Damage("TRUNCATED", "The compressed data ends early.")


def _salvaged(inflate: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """Yield what stands before the damage, which one call for all of the data would throw away."""
    with suppress(zlib.error):
        for at in range(len(data)):
            if piece := inflate.decompress(data[at : at + 1]):
                yield piece


def repaired(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield an XML document as UTF-8 with raw ampersands escaped and characters XML forbids dropped.

    Undecodable bytes become U+FFFD, so that the URL they stand in can be told from a good one.
    Raises Damage for a text without any markup.
    """
    head, stream = peek(iter(chunks), 4096)
    decoder = _decoder(head)
    inside = False
    carry = ""
    for chunk in chain(stream, [b""]):
        text = carry + decoder.decode(chunk, final=not chunk)
        # Cutting before a "<" never cuts one of the tokens below in two.
        cut = text.rfind("<") if chunk else len(text)
        if cut <= 0 < len(text) and chunk:
            carry = text
            if len(carry) > _MAX_CARRY:
                raise Damage("MALFORMED", "The document is not valid XML.")
            continue
        carry = text[cut:]
        mended, inside = _mend(text[:cut], inside)
        if mended:
            yield mended.encode()


def _decoder(head: bytes) -> codecs.IncrementalDecoder:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return codecs.getincrementaldecoder("utf-16")("replace")
    if head.startswith((b"<\0", b"\0<")):
        return codecs.getincrementaldecoder("utf-16-le" if head[1] == 0 else "utf-16-be")("replace")
    declared = _ENCODING.search(head)
    name = declared.group(1).decode("ascii") if declared else "utf-8"
    return codecs.getincrementaldecoder(name if _may_be(name) else "utf-8-sig")("replace")


def _may_be(encoding: str) -> bool:
    """Return whether bytes in which a declaration could be read may be in the encoding that it names."""
    if encoding.lower() in ("utf-8", "utf8"):
        return False
    try:
        return b"<?xml ?>\xe9".decode(encoding, "replace").startswith("<?xml ?>")
    except (LookupError, ValueError):
        return False


def _mend(text: str, inside: bool) -> tuple[str, bool]:
    """Return the mended text and whether it ends inside a CDATA section, where an ampersand is itself."""
    state = inside

    def mend_one(match: re.Match[str]) -> str:
        nonlocal state
        kind = match.lastgroup
        if kind in ("open", "close"):
            state = kind == "open"
            return match.group()
        if kind in ("control", "declaration"):
            return ""
        if kind == "raw":
            return "&" if state else "&amp;"
        if kind is None or state:
            return match.group()
        code = int(match.group(kind), 10 if kind == "dec" else 16)
        return match.group() if _is_xml_character(code) else ""

    return _MENDED.sub(mend_one, text), state


def _is_xml_character(code: int) -> bool:
    return (
        code in (9, 10, 13)
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or 0x10000 <= code <= 0x10FFFF
    )
