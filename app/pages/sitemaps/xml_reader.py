"""Reads the items of an XML sitemap (urlset, index, RSS, Atom) from expat's events. Pure."""

from dataclasses import dataclass
from functools import reduce
from typing import Final
from urllib.parse import urljoin
from xml.parsers import expat
from xml.parsers.expat import errors

from app.pages.sitemaps.plain_urlset import END, plain_items
from app.pages.sitemaps.report import ParseError

_MAX_NESTING: Final = 64
_MAX_WAITING: Final = 65536
_MAX_TEXT: Final = 65536
_MAX_TOKEN: Final = 1024 * 1024
_MAX_NAMES: Final = 256 * 1024
_TRUNCATED: Final = (
    errors.XML_ERROR_NO_ELEMENTS,
    errors.XML_ERROR_UNCLOSED_TOKEN,
    errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    errors.XML_ERROR_PARTIAL_CHAR,
)
_REPAIRABLE: Final = (
    errors.XML_ERROR_INVALID_TOKEN,
    errors.XML_ERROR_UNDEFINED_ENTITY,
    errors.XML_ERROR_BAD_CHAR_REF,
    errors.XML_ERROR_UNKNOWN_ENCODING,
    errors.XML_ERROR_XML_DECL,
    errors.XML_ERROR_MISPLACED_XML_PI,
    errors.XML_ERROR_INCORRECT_ENCODING,
)
_MEANINGFUL: Final = frozenset(("url", "sitemap", "loc"))

Item = tuple[str, str | None, bool, str | None]
"""An entry as the document states it: ``(loc, lastmod, is_child, base)``, a plain tuple like Entry.

``is_child``: the address is that of another sitemap. ``base``: what it is relative to, itself relative to the
document's address; None for an address that has to be absolute.
"""


@dataclass(frozen=True)
class _Shape:
    """The items below a root element: their depth, and their names (True: another sitemap)."""

    depth: int
    items: dict[str, bool]
    loc: str
    date: str
    is_feed: bool = False
    guid: str = ""


_SITEMAP: Final = _Shape(2, {"url": False, "sitemap": True}, "loc", "lastmod")
_SHAPES: Final = {
    "urlset": _SITEMAP,
    "sitemapindex": _SITEMAP,
    "rss": _Shape(3, {"item": False}, "link", "pubDate", is_feed=True, guid="guid"),
    "feed": _Shape(2, {"entry": False}, "link", "updated", is_feed=True),
    "RDF": _Shape(2, {"item": False}, "link", "dc:date", is_feed=True),
}


class XmlReader:
    """Feeds expat and collects items. Names include the root's prefix, so ``image:loc`` is no page.

    Expat gets item by item. After an item that ends with the fed data, ``plain_items`` takes over.
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
        self._date: str | None = None
        self._permalink: str | None = None
        self._bases: list[tuple[int, str]] = []
        self._base = ""
        self._text: list[str] = []
        self._closed = False
        self._own_prefixes: frozenset[str] = frozenset()
        self._misplaced = False
        self._inner_loc = False
        self._fed = 0
        self._item_ended_at = -1
        self._waiting = b""

    @property
    def is_feed(self) -> bool:
        return self._shape.is_feed

    def feed(self, chunk: bytes) -> None:
        """Parse on; an empty chunk ends the document. Raises ParseError."""
        data = self._waiting + chunk
        self._waiting = b""
        text = data.decode("latin-1")  # a character for each byte
        start = self._plain(text, 0)
        while end := data.find(END, start) + 1:
            end += len(END) - 1
            self._parse(data[start:end])
            start = self._plain(text, end)
            if not self._is_between_items:
                # It is inside a comment, for example, which expat would scan again with each small piece.
                break
        rest = data[start:]
        if chunk and self._is_between_items and len(rest) < _MAX_WAITING:
            self._waiting = rest
            return
        if rest:
            self._parse(rest)
        if not chunk:
            self._parse(b"", final=True)
            if self._misplaced:
                raise ParseError("MISPLACED", "Some url, sitemap or loc tags are in the wrong place.")
        else:
            self._bound()

    def close(self) -> None:
        """Free the parser's memory at once: the parser and the reader refer to each other."""
        del self._parser

    def _bound(self) -> None:
        """Limit what has not ended yet: expat keeps all of a tag and scans it again with every piece."""
        if self._fed - self._parser.CurrentByteIndex > _MAX_TOKEN:
            raise ParseError("MALFORMED", "A tag or comment of the document does not end.")
        if sum(map(len, self._parser.intern)) > _MAX_NAMES:  # expat keeps every name
            raise ParseError("MALFORMED", "The document has too many different tags or attributes.")
        if len(self._text) > 1:
            self._text[:] = ["".join(self._text).lstrip()[:_MAX_TEXT]]

    @property
    def _is_between_items(self) -> bool:
        return self._item_ended_at + len(END) == self._fed

    def _plain(self, text: str, start: int) -> int:
        """Take the plain items at ``start``, if one can begin there; return their end."""
        if not self._is_between_items:
            return start
        found, end = plain_items(text, start)
        self._items += [(loc, date, False, "") for loc, date in found]
        return end

    def _parse(self, data: bytes, *, final: bool = False) -> None:
        try:
            self._parser.Parse(data, final)
        except expat.ExpatError as error:
            raise self._error(expat.ErrorString(error.code), ended=final) from None
        except (LookupError, ValueError):
            raise ParseError("ENCODING", "The document's encoding is not known.", repairable=True) from None
        self._fed += len(data)

    def taken(self) -> list[Item]:
        """Return the items since the last call."""
        items, self._items = self._items, []
        return items

    def _error(self, reason: str, *, ended: bool) -> ParseError:
        if self._closed:
            return ParseError("JUNK_AFTER_ROOT", "Something follows the end of the XML document.")
        if ended and reason in _TRUNCATED:
            return ParseError("TRUNCATED", "The document ends early.")
        return ParseError("MALFORMED", "The document is not valid XML.", repairable=reason in _REPAIRABLE)

    def _doctype(self, *_: object) -> None:
        raise ParseError("DOCTYPE", "The document has a DOCTYPE, which is refused.")

    def _root(self, name: str, attributes: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        shape = _SHAPES.get(local)
        if shape is None:
            raise ParseError("NOT_A_SITEMAP", "The XML document is not a sitemap or feed.")
        lead = f"{prefix}:" if prefix and local != "RDF" else ""
        self._shape = shape
        self._names = {lead + item: is_child for item, is_child in shape.items.items()}
        self._loc_name, self._date_name = lead + shape.loc, lead + shape.date
        self._own_prefixes = _own_prefixes(prefix, attributes)
        self._depth = 1
        self._note_base(attributes)
        self._parser.StartElementHandler = self._start

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._note_base(attributes)
        if self._depth == self._shape.depth + 1:
            if self._in_item and name in (self._loc_name, self._date_name):
                self._collect_text()
                if name == self._loc_name:
                    self._start_loc(attributes)
            elif self._in_item and name == self._shape.guid and _is_permalink(attributes):
                self._collect_text()
            else:
                self._note_misplaced(name)
        elif self._depth == self._shape.depth:
            self._in_item = name in self._names
            if not self._in_item:
                self._note_misplaced(name)
            self._is_child = self._names.get(name, False)
            self._loc = self._date = self._permalink = None
            self._inner_loc = False
        elif self._depth > _MAX_NESTING:
            raise ParseError("MALFORMED", "The document is nested too deeply.")
        else:
            self._note_misplaced(name)

    def _collect_text(self) -> None:
        self._text = []
        self._parser.CharacterDataHandler = self._text.append

    def _start_loc(self, attributes: dict[str, str]) -> None:
        self._misplaced |= self._loc is not None and not self.is_feed
        if not self._loc:
            self._base = reduce(urljoin, (base for _, base in self._bases), "")
            if attributes.get("rel", "alternate") == "alternate":
                self._loc = attributes.get("href")

    def _note_base(self, attributes: dict[str, str]) -> None:
        """Note the xml:base of an element of a feed (https://www.w3.org/TR/xmlbase/)."""
        if self.is_feed and (base := attributes.get("xml:base")):
            self._bases.append((self._depth, base.strip()))

    def _note_misplaced(self, name: str) -> None:
        """Note a tag that may mean a page or a sitemap but is not read: the document is incomplete.

        A tag of an extension, such as ``image:loc`` or the ``loc`` in an ``image``, is no loss. A nested
        ``loc`` in an item that has no ``loc`` of its own is one.
        """
        prefix, _, local = name.rpartition(":")
        local = local.lower()
        if local not in _MEANINGFUL or self.is_feed:
            return
        is_deep = self._depth > self._shape.depth + 1
        if self._in_item and (prefix not in self._own_prefixes or (is_deep and local == "loc")):
            self._inner_loc |= local == "loc" and (not prefix or prefix in self._own_prefixes)
            return
        self._misplaced |= local != "loc" or prefix in self._own_prefixes

    def _end(self, name: str) -> None:
        if self._depth == self._shape.depth + 1 and self._in_item:
            self._parser.CharacterDataHandler = None
            if name == self._loc_name:
                self._loc = self._loc or "".join(self._text).strip()
            elif name == self._date_name:
                self._date = "".join(self._text).strip()
            elif name == self._shape.guid and self._text:
                self._permalink = "".join(self._text).strip()
            self._text = []
        elif self._depth == self._shape.depth and self._in_item:
            self._items.append(self._item())
            self._misplaced |= self._inner_loc and not self._loc
            self._in_item = False
            if name == "url":
                self._item_ended_at = self._parser.CurrentByteIndex
        if self._bases and self._bases[-1][0] == self._depth:
            self._bases.pop()
        self._depth -= 1
        self._closed = self._depth == 0

    def _item(self) -> Item:
        if not self._loc and self._permalink:
            return self._permalink, self._date, False, None
        return self._loc or "", self._date, self._is_child, self._base


def _is_permalink(attributes: dict[str, str]) -> bool:
    """Return whether a guid of RSS is the address of its item (https://www.rssboard.org/rss-specification)."""
    return attributes.get("isPermaLink", "true").strip().lower() == "true"


def _own_prefixes(prefix: str, attributes: dict[str, str]) -> frozenset[str]:
    declared = {
        name.partition(":")[2]: space
        for name, space in attributes.items()
        if name == "xmlns" or name.startswith("xmlns:")
    }
    return frozenset({prefix, *(other for other in declared if declared[other] == declared.get(prefix))})
