"""Which format a document has by its first bytes, and the format of plain text. Pure."""

import codecs
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

from app.pages.sitemaps.report import ParseError

_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF16_WITHOUT_BOM: Final = (b"<\0", b"\0<")
_WEB_PAGE: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)
_DECLARATION: Final = re.compile(rb"<\?xml\s")
_ROOT: Final = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|rss|feed|RDF)[\s>/]")
_SPACE: Final = b" \t\r\n\f"
_BOMS: Final = codecs.BOM_UTF8 + codecs.BOM_UTF16_LE
_SCHEMES: Final = (b"http://", b"https://")
_MAX_LINE: Final = 65536
_LINE_ENDS: Final = re.compile(r"[\r\n]+")


def is_sitemap(head: bytes) -> bool:
    """Return whether a sitemap begins: a list of addresses, or the root of an XML sitemap or feed.

    It may be False only because the root comes later, behind a long comment.
    """
    bare = head.replace(b"\0", b"").lstrip(_BOMS + _SPACE)  # UTF-16 without its zero bytes is ASCII
    if bare[:8].lower().startswith(_SCHEMES):
        return True
    return _ROOT.search(bare) is not None and not is_web_page(bare)


def is_web_page(head: bytes) -> bool:
    """Return whether a document is HTML."""
    return _WEB_PAGE.match(head) is not None


def xml_start(head: bytes) -> tuple[int, bool] | None:
    """Return where the XML begins and whether something else comes before it; None if it is no XML."""
    if head.startswith(_UTF16):
        return (0, False) if head[2:4].strip(b"\0") == b"<" else None
    if head.startswith(_UTF16_WITHOUT_BOM):
        return 0, False
    body = head.lstrip(codecs.BOM_UTF8 + _SPACE)
    begin = len(head) - len(body)
    declaration, root = _DECLARATION.search(head), _ROOT.search(head)
    if declaration is not None:
        return declaration.start(), declaration.start() > begin
    if body.startswith((b"<!", b"<?")) or (body.startswith(b"<") and root is None):
        return begin, False
    return None if root is None else (root.start(), root.start() > begin)


def text_lines(head: bytes, stream: Iterator[bytes], may_be_cut: Callable[[], bool]) -> Iterator[str]:
    """Yield the lines of a plain text sitemap that are not blank, in constant memory.

    ``head`` is the beginning of ``stream``. A last line without an end is left out if the text
    ``may_be_cut``. Raises ParseError, also if the first line is no web address.
    """
    encoding = "utf-16" if head.startswith(_UTF16) else "utf-8-sig"
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    rest = ""
    first = True
    for chunk in chain(stream, [b""]):
        lines = _LINE_ENDS.split(rest + decoder.decode(chunk, final=not chunk))
        cut = not chunk and bool(lines[-1].strip()) and may_be_cut()
        rest = lines.pop() if chunk or cut else ""
        for line in filter(None, (line.strip() for line in lines)):
            if first and not line.lower().startswith(("http://", "https://")):
                raise ParseError("NOT_A_SITEMAP", "The document is neither XML nor a list of addresses.")
            first = False
            yield line
        if first and len(rest) > _MAX_LINE:
            raise ParseError("NOT_A_SITEMAP", "The document is neither XML nor a list of addresses.")
        if cut:
            raise ParseError("TRUNCATED", "The document seems to end early.")
        rest = rest[:_MAX_LINE]  # longer than any address
    if first:
        raise ParseError("NOT_A_SITEMAP", "The document is empty.")
