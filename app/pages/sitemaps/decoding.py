"""Prepares the bytes of a sitemap for the parser: unpacks gzip, and repairs invalid XML. Pure."""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from app.infra.http.inflate import GZIP_MAGIC, PIECE, InflateError, inflated, peek
from app.pages.sitemaps.report import ParseError

_GZIP_LAYERS: Final = 2
_MAX_CARRY: Final = 1024 * 1024

_ENCODING: Final = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_REPAIRS: Final = re.compile(
    r"(?P<open><!\[CDATA\[)|(?P<close>\]\]>)|(?P<declaration><\?xml[^>]*\?>)"
    r"|&(?:(?:amp|lt|gt|quot|apos)|#(?P<dec>[0-9]{1,8})|#x(?P<hex>[0-9A-Fa-f]{1,8}));"
    r"|(?P<raw>&)|(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff])"
)


def unpacked(chunks: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    """Yield the document without its gzip layers, in pieces of at most 64 KB, none of them empty.

    Raises ParseError when it is over ``max_bytes`` or a gzip layer is cut or damaged, after the readable
    pieces.
    """
    stream: Iterator[bytes] = iter(chunks)
    for _ in range(_GZIP_LAYERS):
        head, stream = peek(stream, len(GZIP_MAGIC))
        if not head.startswith(GZIP_MAGIC):
            break
        stream = _gunzipped(stream)
    return _capped(stream, max_bytes)


def _gunzipped(stream: Iterator[bytes]) -> Iterator[bytes]:
    try:
        yield from inflated(stream)
    except InflateError as error:
        raise ParseError("TRUNCATED" if error.truncated else "GZIP_DAMAGED", error.message) from None


def _capped(stream: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    total = 0
    for piece in stream:
        allowed = min(len(piece), max_bytes - total)
        total += len(piece)
        for start in range(0, allowed, PIECE):
            yield piece[start : min(start + PIECE, allowed)]
        if total > max_bytes:
            message = f"The document is over {max_bytes} bytes after decompression."
            raise ParseError("DOCUMENT_TOO_LARGE", message)


def repaired(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield an XML document as UTF-8, with raw ampersands escaped and without characters that XML forbids.

    Undecodable bytes become U+FFFD, which shows that their URL is damaged. Raises ParseError for a text
    without any markup.
    """
    head, stream = peek(iter(chunks), 4096)
    decoder = _decoder(head)
    inside = False
    carry = ""
    for chunk in chain(stream, [b""]):
        text = carry + decoder.decode(chunk, final=not chunk)
        # A cut before a "<" never splits one of the tokens of _REPAIRS.
        cut = text.rfind("<") if chunk else len(text)
        if cut <= 0 < len(text) and chunk:
            carry = text
            if len(carry) > _MAX_CARRY:
                raise ParseError("MALFORMED", "The document is not valid XML.")
            continue
        carry = text[cut:]
        repaired_text, inside = _repair(text[:cut], inside)
        if repaired_text:
            yield repaired_text.encode()


def _decoder(head: bytes) -> codecs.IncrementalDecoder:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return codecs.getincrementaldecoder("utf-16")("replace")
    if head.startswith((b"<\0", b"\0<")):
        return codecs.getincrementaldecoder("utf-16-le" if head[1] == 0 else "utf-16-be")("replace")
    declared = _ENCODING.search(head)
    name = declared.group(1).decode("ascii") if declared else "utf-8"
    return codecs.getincrementaldecoder(name if _is_possible(name) else "utf-8-sig")("replace")


def _is_possible(encoding: str) -> bool:
    if encoding.lower() in ("utf-8", "utf8"):
        return False
    try:
        return b"<?xml ?>\xe9".decode(encoding, "replace").startswith("<?xml ?>")
    except (LookupError, ValueError):
        return False


def _repair(text: str, inside: bool) -> tuple[str, bool]:
    """Return the repaired text and whether it ends inside a CDATA section, where an ampersand is itself."""
    state = inside

    def replacement(match: re.Match[str]) -> str:
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

    return _REPAIRS.sub(replacement, text), state


def _is_xml_character(code: int) -> bool:
    return (
        code in (9, 10, 13)
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or 0x10000 <= code <= 0x10FFFF
    )
