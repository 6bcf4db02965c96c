"""Decodes the bytes of web pages as browsers do (https://encoding.spec.whatwg.org). Pure.

byte order mark | header | the page's own declaration | UTF-8 if it is | what the bytes look like
Bytes that do not fit become U+FFFD, so that one of them never costs the text.
"""

import codecs
import re
from typing import Final

import webencodings
from bs4.dammit import EncodingDetector, UnicodeDammit

_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9._:-]+)", re.IGNORECASE)
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# The codecs that webencodings chose know fewer characters than those of the Encoding Standard do.
_WIDER: Final = {"gbk": "gb18030"}
# Declared by habit. They have no bytes above 127, so pages that have some mean something else.
_ASCII: Final = frozenset({"ascii", "us-ascii", "ansi_x3.4-1968"})
# Labels of encodings that the web gave up mean "replacement"; the other maps bytes to private characters.
_NOT_TEXT: Final = frozenset({"replacement", "x-user-defined"})
_MOST_WRONG: Final = 0.1
"""How large a share of the characters beyond ASCII may be wrong in a page that still counts as UTF-8."""


def decoded(html: bytes, content_type: str = "") -> str:
    """Return the text of a web page that was sent with this Content-Type; raises nothing."""
    for mark, codec in _MARKS:
        if html.startswith(mark):
            return html.decode(codec, "replace")
    match = _CHARSET.search(content_type)
    codec_of_header = _codec(match.group(1), html) if match else None
    if codec_of_header:
        return html.decode(codec_of_header, "replace")
    declared = EncodingDetector.find_declared_encoding(html, is_html=True)
    declared_codec = _codec(declared, html) if declared else None
    # A declaration that could be read byte by byte cannot be in UTF-16.
    if declared_codec and declared_codec.startswith("utf-16"):
        declared_codec = "utf-8"
    return html.decode(declared_codec, "replace") if declared_codec else _undeclared(html)


def _codec(label: str, html: bytes) -> str | None:
    """Return Python's codec for a label, None for one that the web does not know or that cannot be meant."""
    encoding = webencodings.lookup(label)
    if encoding is None or encoding.name in _NOT_TEXT:
        return None
    if label.lower() in _ASCII and not html.isascii() and _is_nearly_utf8(html):
        return "utf-8"
    return _WIDER.get(encoding.name, encoding.codec_info.name)


def _undeclared(html: bytes) -> str:
    if _is_nearly_utf8(html):
        return html.decode("utf-8", "replace")
    return UnicodeDammit(html, is_html=True).unicode_markup or html.decode("cp1252", "replace")


def _is_nearly_utf8(html: bytes) -> bool:
    text = html.decode("utf-8", "replace")
    beyond_ascii = sum(1 for character in text if character > "\x7f")
    return text.count("\N{REPLACEMENT CHARACTER}") <= beyond_ascii * _MOST_WRONG
