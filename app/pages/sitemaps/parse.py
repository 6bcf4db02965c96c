"""Parses one sitemap document as a stream: XML (urlset, index, RSS, Atom), plain text or robots.txt. Pure.

It needs constant memory. A document that is not complete ends with a ``ParseError`` after its last item.
"""

from codecs import iterdecode
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from typing import Final

from app.infra.http.inflate import peek
from app.pages.crawling.robots import MAX_BYTES, sitemap_lines
from app.pages.sitemaps.formats import is_web_page, text_lines, xml_start
from app.pages.sitemaps.report import ParseError
from app.pages.sitemaps.xml_reader import Item, XmlReader

_HEAD: Final = 4096


class Document:
    """One document. ``is_feed`` is known once the first batch has come."""

    def __init__(
        self,
        chunks: Iterator[bytes],
        *,
        utf8: bool = False,
        may_be_cut: Callable[[], bool] = lambda: False,
        is_robots: bool = False,
    ) -> None:
        """``chunks``: the unpacked bytes. ``utf8``: they are UTF-8 whatever they declare.

        ``may_be_cut`` is called at the end: whether a cut connection may have ended the chunks.
        ``is_robots``: the document is a robots.txt, whose items are the sitemaps that it names.
        """
        self._is_robots = is_robots
        self._may_be_cut = may_be_cut
        self._chunks = chunks
        self._encoding = "utf-8" if utf8 else None
        self.is_feed = False

    def batches(self) -> Iterator[list[Item]]:
        """Yield the items in order, in one list for each chunk, which is faster than one by one.

        Raises ParseError after the last readable item unless the document is complete.
        """
        if self._is_robots:
            yield from self._named_by_robots()
            return
        head, stream = peek(self._chunks, _HEAD)
        place = xml_start(head)
        if place is None:
            for line in text_lines(head, stream, self._may_be_cut):
                yield [(line, None, False, None)]
            return
        if is_web_page(head):
            raise ParseError("NOT_A_SITEMAP", "The address shows a web page, not a sitemap.")
        start, foreign = place
        yield from self._xml_batches(chain([next(stream)[start:]], stream))
        if foreign:
            raise ParseError("JUNK_BEFORE_XML", "Something comes before the XML document.")

    def _named_by_robots(self) -> Iterator[list[Item]]:
        text = ""
        for chunk in iterdecode(self._chunks, "utf-8-sig", "replace"):
            text += chunk
            if len(text) > MAX_BYTES:
                break
        named = sitemap_lines(text)
        if not named:
            raise ParseError("NOT_A_SITEMAP", "The robots.txt names no sitemap.")
        yield [(value, None, True, "") for value in named]
        if not text.endswith(("\n", "\r")) and self._may_be_cut():
            raise ParseError("TRUNCATED", "The document seems to end early.")

    def _xml_batches(self, stream: Iterator[bytes]) -> Iterator[list[Item]]:
        with closing(XmlReader(self._encoding)) as reader:
            for chunk in chain(stream, [b""]):
                try:
                    reader.feed(chunk)
                finally:  # items before an error are not lost
                    self.is_feed = reader.is_feed
                    yield reader.taken()
