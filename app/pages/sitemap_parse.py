"""One sitemap document, understood as a stream: XML (urlset, index, RSS, Atom) or plain text. Pure.

Constant memory, and always able to say whether the document was whole: a ``Damage`` ends the items if not.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple
from xml.parsers import expat

from app.pages.sitemap import Damage
from app.pages.sitemap_bytes import peek
from app.pages.sitemap_plain import END, plain_items

_HEAD: Final = 4096
_MAX_NESTING: Final = 64
_MAX_WAITING: Final = 65536
_MAX_LINE: Final = 65536
_MAX_TOKEN: Final = 1024 * 1024
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF16_UNMARKED: Final = (b"<\0", b"\0<")
_WEB_PAGE: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)
_DECLARATION: Final = re.compile(rb"<\?xml\s")
_ROOT: Final = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|rss|feed)[\s>/]")
_LINE_ENDS: Final = re.compile(r"[\r\n]+")
_SPACE: Final = b" \t\r\n\f"
_TRUNCATED: Final = frozenset((expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
                               expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
                               expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
                               expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR]))  # fmt: skip
_REPAIRABLE: Final = frozenset((expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN],
                                expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY],
                                expat.errors.codes[expat.errors.XML_ERROR_BAD_CHAR_REF],
                                expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING],
                                expat.errors.codes[expat.errors.XML_ERROR_XML_DECL],
                                expat.errors.codes[expat.errors.XML_ERROR_MISPLACED_XML_PI],
                                expat.errors.codes[expat.errors.XML_ERROR_INCORRECT_ENCODING]))  # fmt: skip
_JUNK_AFTER: Final = expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]


class Item(NamedTuple):
    """What stands in a document, unjudged: a page's address, or with ``is_child`` another sitemap's.

    ``is_relative``: the address may be one that is relative to the document's own.
    """

    loc: str
    lastmod: str
    is_child: bool
    is_relative: bool = True


@dataclass(frozen=True)
class _Shape:
    """Where items stand below a root element: their depth, and their names (True: another sitemap)."""

    depth: int
    items: dict[str, bool]
    loc: str
    date: str
    is_feed: bool = False


_SITEMAP: Final = _Shape(2, {"url": False, "sitemap": True}, "loc", "lastmod")
_SHAPES: Final = {
    "urlset": _SITEMAP,
    "sitemapindex": _SITEMAP,
    "rss": _Shape(3, {"item": False}, "link", "pubDate", is_feed=True),
    "feed": _Shape(2, {"entry": False}, "link", "updated", is_feed=True),
    "RDF": _Shape(2, {"item": False}, "link", "dc:date", is_feed=True),
}


class Document:
    """One document being read. ``is_feed`` is known once an item came or the items are exhausted."""

    def __init__(self, chunks: Iterator[bytes], *, utf8: bool = False) -> None:
        """``chunks``: the unpacked bytes; ``utf8``: believe that they are UTF-8 whatever they declare."""
        self._chunks = chunks
        self._encoding = "utf-8" if utf8 else None
        self.is_feed = False

    def items(self) -> Iterator[Item]:
        """Yield the items in order; raise Damage after the last readable one unless it was whole."""
        head, stream = peek(self._chunks, _HEAD)
        place = _xml_start(head)
        if place is None:
            yield from _text_items(head, stream)
            return
        if _WEB_PAGE.match(head):
            raise Damage("NOT_A_SITEMAP", "The address shows a web page, not a sitemap.")
        start, foreign = place
        yield from self._xml_items(_without(stream, start) if start else stream)
        if foreign:
            raise Damage("JUNK_BEFORE_XML", "Something was printed before the XML document.")

    def _xml_items(self, stream: Iterator[bytes]) -> Iterator[Item]:
        reader = _XmlReader(self._encoding)
        damage: Damage | None = None
        for chunk in chain(stream, [b""]):
            try:
                reader.feed(chunk)
            except Damage as error:
                damage = error
            self.is_feed = reader.is_feed
            yield from reader.taken()
            if damage is not None:
                raise damage


class _XmlReader:
    """Feeds expat, collects items. Names carry the root's prefix, so ``image:loc`` is no page.

    Expat is fed item by item: behind one that ends with what was fed, plain items may be taken.
    """

    def __init__(self, encoding: str | None) -> None:
        self._parser = parser = expat.ParserCreate(encoding)
        parser.buffer_text = True
        parser.StartElementHandler = self._root
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._doctype
        self._shape = _SITEMAP
        self._depth = 0
        self._items: list[Item] = []
        self._names: dict[str, bool] = {}
        self._loc_name = self._date_name = ""
        self._in_item = False
        self._is_child = False
        self._loc: str | None = None
        self._date = ""
        self._text: list[str] = []
        self._closed = False
        self._fed = 0
        self._item_ended_at = -1
        self._waiting = b""

    @property
    def is_feed(self) -> bool:
        return self._shape.is_feed

    def feed(self, chunk: bytes) -> None:
        """Parse on; an empty chunk ends the document. Raises Damage."""
        data = self._waiting + chunk
        self._waiting = b""
        start = self._plain(data, 0)
        while end := data.find(END, start) + 1:
            end += len(END) - 1
            self._parse(data[start:end])
            start = self._plain(data, end)
        rest = data[start:]
        if chunk and self._is_between_items and len(rest) < _MAX_WAITING:
            self._waiting = rest
            return
        if rest:
            self._parse(rest)
        if not chunk:
            self._parse(b"", final=True)
        else:
            self._bound()

    def _bound(self) -> None:
        """Keep small what has not ended yet: expat holds all of a tag and scans it anew with every piece."""
        if self._fed - self._parser.CurrentByteIndex > _MAX_TOKEN:
            raise Damage("MALFORMED", "A tag or comment of the document does not end.")
        if len(self._text) > 1:
            self._text[:] = ["".join(self._text).lstrip()[:_MAX_LINE]]

    @property
    def _is_between_items(self) -> bool:
        """Whether the last thing that expat was fed is the end of a page's element, below the root."""
        return self._item_ended_at + len(END) == self._fed

    def _plain(self, data: bytes, start: int) -> int:
        """Take the plain items at ``start``, if one may begin there; return their end."""
        if not self._is_between_items:
            return start
        found, end = plain_items(data, start)
        self._items.extend(Item(loc, date, False) for loc, date in found)
        return end

    def _parse(self, data: bytes, *, final: bool = False) -> None:
        try:
            self._parser.Parse(data, final)
        except expat.ExpatError as error:
            raise self._damage(error.code, ended=final) from None
        except (LookupError, ValueError):
            raise Damage("ENCODING", "The document's encoding is not known.", repairable=True) from None
        self._fed += len(data)

    def taken(self) -> list[Item]:
        """Return the items since the last call."""
        items, self._items = self._items, []
        return items

    def _damage(self, code: int, *, ended: bool) -> Damage:
        if self._closed:
            return Damage("JUNK_AFTER_ROOT", "Something follows the end of the XML document.")
        if ended and code in _TRUNCATED:
            return Damage("TRUNCATED", "The document ends early.")
        return Damage("MALFORMED", "The document is not valid XML.", repairable=code in _REPAIRABLE)

    def _doctype(self, *_: object) -> None:
        raise Damage("DOCTYPE", "The document has a DOCTYPE, which is refused.")

    def _root(self, name: str, attributes: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        shape = _SHAPES.get(local)
        if shape is None:
            raise Damage("NOT_A_SITEMAP", "The XML document is not a sitemap or feed.")
        lead = f"{prefix}:" if prefix and local != "RDF" else ""
        self._shape = shape
        self._names = {lead + item: is_child for item, is_child in shape.items.items()}
        self._loc_name, self._date_name = lead + shape.loc, lead + shape.date
        self._depth = 1
        self._parser.StartElementHandler = self._start

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == self._shape.depth + 1:
            if self._in_item and name in (self._loc_name, self._date_name):
                self._text = []
                self._parser.CharacterDataHandler = self._text.append
                if name == self._loc_name and attributes.get("rel", "alternate") == "alternate":
                    self._loc = self._loc or attributes.get("href")
        elif self._depth == self._shape.depth:
            self._in_item = name in self._names
            self._is_child = self._names.get(name, False)
            self._loc, self._date = None, ""
        elif self._depth > _MAX_NESTING:
            raise Damage("MALFORMED", "The document is nested too deeply.")

    def _end(self, name: str) -> None:
        if self._depth == self._shape.depth + 1 and self._in_item:
            self._parser.CharacterDataHandler = None
            if name == self._loc_name:
                self._loc = self._loc or "".join(self._text).strip()
            elif name == self._date_name:
                self._date = "".join(self._text).strip()
        elif self._depth == self._shape.depth and self._in_item:
            self._items.append(Item(self._loc or "", self._date, self._is_child))
            self._in_item = False
            if name == "url":
                self._item_ended_at = self._parser.CurrentByteIndex
        self._depth -= 1
        self._closed = self._depth == 0


def _xml_start(head: bytes) -> tuple[int, bool] | None:
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


def _without(stream: Iterator[bytes], size: int) -> Iterator[bytes]:
    yield next(stream)[size:]
    yield from stream


def _text_items(head: bytes, stream: Iterator[bytes]) -> Iterator[Item]:
    """Yield one item a line; a text whose first line is no web address is some other document."""
    encoding = "utf-16" if head.startswith(_UTF16) else "utf-8-sig"
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    rest = ""
    first = True
    for chunk in chain(stream, [b""]):
        lines = _LINE_ENDS.split(rest + decoder.decode(chunk, final=not chunk))
        rest = lines.pop() if chunk else ""
        for line in filter(None, (line.strip() for line in lines)):
            if first and not line.lower().startswith(("http://", "https://")):
                raise Damage("NOT_A_SITEMAP", "The document is neither XML nor a list of addresses.")
            first = False
            yield Item(line, "", is_child=False, is_relative=False)
        if first and len(rest) > _MAX_LINE:
            raise Damage("NOT_A_SITEMAP", "The document is neither XML nor a list of addresses.")
        rest = rest[:_MAX_LINE]  # longer than any address
    if first:
        raise Damage("NOT_A_SITEMAP", "The document is empty.")
