"""One sitemap document, understood as a stream: XML (urlset, index, RSS, Atom) or plain text. Pure.

Constant memory, and always able to say whether the document was whole: a ``Damage`` ends the items if not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import Final
from xml.parsers import expat
from xml.parsers.expat import errors

from app.pages.sitemaps.decoding import peek
from app.pages.sitemaps.detection import is_web_page, text_encoding, xml_start
from app.pages.sitemaps.entries import Damage
from app.pages.sitemaps.plain_text import text_lines
from app.pages.sitemaps.plain_urlset import END, plain_items

_HEAD: Final = 4096
_MAX_NESTING: Final = 64
_MAX_WAITING: Final = 65536
_MAX_TEXT: Final = 65536
_MAX_TOKEN: Final = 1024 * 1024
_MAX_NAMES: Final = 256 * 1024
_TRUNCATED: Final = frozenset(map(errors.codes.get, (
    errors.XML_ERROR_NO_ELEMENTS, errors.XML_ERROR_UNCLOSED_TOKEN, errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    errors.XML_ERROR_PARTIAL_CHAR,
)))  # fmt: skip
_REPAIRABLE: Final = frozenset(map(errors.codes.get, (
    errors.XML_ERROR_INVALID_TOKEN, errors.XML_ERROR_UNDEFINED_ENTITY, errors.XML_ERROR_BAD_CHAR_REF,
    errors.XML_ERROR_UNKNOWN_ENCODING, errors.XML_ERROR_XML_DECL, errors.XML_ERROR_MISPLACED_XML_PI,
    errors.XML_ERROR_INCORRECT_ENCODING,
)))  # fmt: skip
_TELLING: Final = frozenset(("url", "sitemap", "loc"))


Item = tuple[str, str | None, bool, bool]
"""What stands in a document, unjudged: ``(loc, lastmod, is_child, is_relative)``, a plain tuple as Entry is.

``is_child``: the address is not a page's but another sitemap's. ``is_relative``: it may be relative to the
document's own.
"""


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
    """One document being read. ``is_feed`` is known once a batch came or the batches are exhausted."""

    def __init__(
        self, chunks: Iterator[bytes], *, utf8: bool = False, may_be_cut: Callable[[], bool] = lambda: False
    ) -> None:
        """``chunks``: the unpacked bytes; ``utf8``: believe that they are UTF-8 whatever they declare.

        ``may_be_cut``, asked at the end: whether nothing but the content tells that they are all.
        """
        self._may_be_cut = may_be_cut
        self._chunks = chunks
        self._encoding = "utf-8" if utf8 else None
        self.is_feed = False

    def batches(self) -> Iterator[list[Item]]:
        """Yield the items in order, those of a piece at a time, as a step for each of 50,000 would cost.

        Raises Damage after the last readable one unless the document was whole.
        """
        head, stream = peek(self._chunks, _HEAD)
        place = xml_start(head)
        if place is None:
            for line in text_lines(stream, text_encoding(head), self._may_be_cut):
                yield [(line, None, False, False)]
            return
        if is_web_page(head):
            raise Damage("NOT_A_SITEMAP", "The address shows a web page, not a sitemap.")
        start, foreign = place
        yield from self._xml_batches(chain([next(stream)[start:]], stream))
        if foreign:
            raise Damage("JUNK_BEFORE_XML", "Something was printed before the XML document.")

    def _xml_batches(self, stream: Iterator[bytes]) -> Iterator[list[Item]]:
        with closing(_XmlReader(self._encoding)) as reader:
            for chunk in chain(stream, [b""]):
                try:
                    reader.feed(chunk)
                finally:  # what stands before damage is not lost by it
                    self.is_feed = reader.is_feed
                    yield reader.taken()


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
        self._date: str | None = None
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
        """Parse on; an empty chunk ends the document. Raises Damage."""
        data = self._waiting + chunk
        self._waiting = b""
        text = data.decode("latin-1")  # a character for each byte
        start = self._plain(text, 0)
        while end := data.find(END, start) + 1:
            end += len(END) - 1
            self._parse(data[start:end])
            start = self._plain(text, end)
            if not self._is_between_items:
                # Within a comment, say: expat would look through all of it anew with each small piece.
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
                raise Damage("MISPLACED", "Some url, sitemap or loc tags stand where none are read.")
        else:
            self._bound()

    def close(self) -> None:
        """Let go of the parser, which holds the reader as the reader holds it: its memory is free at once."""
        del self._parser

    def _bound(self) -> None:
        """Keep small what has not ended yet: expat holds all of a tag and scans it anew with every piece."""
        if self._fed - self._parser.CurrentByteIndex > _MAX_TOKEN:
            raise Damage("MALFORMED", "A tag or comment of the document does not end.")
        if sum(map(len, self._parser.intern)) > _MAX_NAMES:  # expat keeps every name that it meets
            raise Damage("MALFORMED", "The document has too many different tags or attributes.")
        if len(self._text) > 1:
            self._text[:] = ["".join(self._text).lstrip()[:_MAX_TEXT]]

    @property
    def _is_between_items(self) -> bool:
        """Whether the last thing that expat was fed is the end of a page's element, below the root."""
        return self._item_ended_at + len(END) == self._fed

    def _plain(self, text: str, start: int) -> int:
        """Take the plain items at ``start``, if one may begin there; return their end."""
        if not self._is_between_items:
            return start
        found, end = plain_items(text, start)
        self._items += [(loc, date, False, True) for loc, date in found]
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
        self._own_prefixes = _own_prefixes(prefix, attributes)
        self._depth = 1
        self._parser.StartElementHandler = self._start

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == self._shape.depth + 1:
            if self._in_item and name in (self._loc_name, self._date_name):
                self._text = []
                self._parser.CharacterDataHandler = self._text.append
                if name == self._loc_name:
                    self._misplaced |= self._loc is not None and not self.is_feed
                    if attributes.get("rel", "alternate") == "alternate":
                        self._loc = self._loc or attributes.get("href")
            else:
                self._look_at(name)
        elif self._depth == self._shape.depth:
            self._in_item = name in self._names
            if not self._in_item:
                self._look_at(name)
            self._is_child = self._names.get(name, False)
            self._loc, self._date, self._inner_loc = None, None, False
        elif self._depth > _MAX_NESTING:
            raise Damage("MALFORMED", "The document is nested too deeply.")
        else:
            self._look_at(name)

    def _look_at(self, name: str) -> None:
        """Note a tag that may mean a page or a sitemap and is not read: what it tells is lost.

        What is an extension's own, such as ``image:loc`` or the ``loc`` within an ``image``, is no loss; but
        the ``loc`` within something else that an item has instead of its own is.
        """
        prefix, _, local = name.rpartition(":")
        local = local.lower()
        if local not in _TELLING or self.is_feed:
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
        elif self._depth == self._shape.depth and self._in_item:
            self._items.append((self._loc or "", self._date, self._is_child, True))
            self._misplaced |= self._inner_loc and not self._loc
            self._in_item = False
            if name == "url":
                self._item_ended_at = self._parser.CurrentByteIndex
        self._depth -= 1
        self._closed = self._depth == 0


def _own_prefixes(prefix: str, attributes: dict[str, str]) -> frozenset[str]:
    """Return the prefixes ("": none) of the root's namespace: the root's own, and those it declares."""
    declared = {
        name.partition(":")[2]: space
        for name, space in attributes.items()
        if name == "xmlns" or name.startswith("xmlns:")
    }
    return frozenset({prefix, *(other for other in declared if declared[other] == declared.get(prefix))})
