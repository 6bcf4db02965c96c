"""What a document's first bytes tell: XML or not, where it begins, and how a text is encoded. Pure."""

from __future__ import annotations

import codecs
import re
from typing import Final

_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF16_UNMARKED: Final = (b"<\0", b"\0<")
_WEB_PAGE: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)
_DECLARATION: Final = re.compile(rb"<\?xml\s")
_ROOT: Final = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|rss|feed)[\s>/]")
_SPACE: Final = b" \t\r\n\f"


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
