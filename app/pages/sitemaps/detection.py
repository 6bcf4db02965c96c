"""What a document's first bytes tell: a sitemap or not, where XML begins, how a text is encoded. Pure."""

from __future__ import annotations

import codecs
import re
from typing import Final

_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF16_UNMARKED: Final = (b"<\0", b"\0<")
_WEB_PAGE: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)
_DECLARATION: Final = re.compile(rb"<\?xml\s")
_ROOT: Final = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|rss|feed|RDF)[\s>/]")
_SPACE: Final = b" \t\r\n\f"
_MARKS: Final = codecs.BOM_UTF8 + codecs.BOM_UTF16_LE
_ADDRESS: Final = (b"http://", b"https://")


def is_sitemap(head: bytes) -> bool:
    """Whether a sitemap has begun: a list of addresses, or the root of an XML document that has some.

    False may mean that it has not begun yet, behind a long comment.
    """
    bare = head.replace(b"\0", b"").lstrip(_MARKS + _SPACE)  # UTF-16 without its zeros is ASCII
    if bare[:8].lower().startswith(_ADDRESS):
        return True
    return _ROOT.search(bare) is not None and not is_web_page(bare)


def is_web_page(head: bytes) -> bool:
    """Whether it is HTML."""
    return _WEB_PAGE.match(head) is not None


def text_encoding(head: bytes) -> str:
    """Return how a plain text is encoded."""
    return "utf-16" if head.startswith(_UTF16) else "utf-8-sig"


def xml_start(head: bytes) -> tuple[int, bool] | None:
    """Return where the XML begins and whether something foreign stands before it; None when it is no XML."""
    if head.startswith(_UTF16):
        return (0, False) if head[2:4].strip(b"\0") == b"<" else None
    if head.startswith(_UTF16_UNMARKED):
        return 0, False
    body = head.lstrip(codecs.BOM_UTF8 + _SPACE)
    begin = len(head) - len(body)
    declaration, root = _DECLARATION.search(head), _ROOT.search(head)
    if declaration is not None:
        return declaration.start(), declaration.start() > begin
    if body.startswith((b"<!", b"<?")) or (body.startswith(b"<") and root is None):
        return begin, False
    return None if root is None else (root.start(), root.start() > begin)
