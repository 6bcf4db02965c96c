"""Splits an HTML text, such as a post of a publish target, into the blocks that a reader sees. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from app.content.rendering.blocks import Block
from app.language.words import fold

if TYPE_CHECKING:
    from lxml.etree import HTMLParser

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_KINDS: Final = {
    "p": "p",
    "li": "li",
    "td": "cell",
    "th": "cell",
    "pre": "code",
    **dict.fromkeys(_HEADINGS, "heading"),
}
_BREAKS: Final = {
    "div",
    "section",
    "article",
    "blockquote",
    "figure",
    "figcaption",
    "ul",
    "ol",
    "table",
    "tr",
    "hr",
    "aside",
}
_UNREAD: Final = {"script", "style", "template", "noscript"}
_BLANK_LINE: Final = re.compile(r"\n\s*\n")
_PIECE: Final = 16_384
_DEEPEST: Final = 1_000


def blocks_of_html(html: str) -> tuple[Block, ...]:
    """Return the blocks of an HTML text in reading order. Text without a block of its own is a paragraph."""
    html = html.encode("utf-8", "replace").decode()  # The parser takes no lone surrogates.
    reader, at = _Reader(), 0
    parser = _parser(reader)
    while at < len(html):
        end = html.find("<", at + _PIECE)
        piece = html[at:] if end < 0 else html[at:end]
        parser.feed(piece)
        at += len(piece)
        if reader.depth > _DEEPEST:
            # The time for one more element grows with those around it; no text nests so deeply.
            parser.close()
            parser = _parser(reader)
    parser.close()
    return tuple(reader.blocks)


def _parser(reader: _Reader) -> HTMLParser:
    """Return a parser in a division: text in one gets no paragraph around it."""
    from lxml import etree

    parser = etree.HTMLParser(target=reader, huge_tree=True)  # type: ignore[arg-type]  # it never gives bytes
    parser.feed("<div>")
    return parser


class _Reader:
    """What the parser reports for each element, in order."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.depth = 0
        self._open: list[str] = []
        self._items = 0
        self._text: list[str] = []
        self._unread = 0

    def start(self, tag: str, _attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        self.depth += 1
        if tag in _UNREAD:
            self._unread += 1
        elif tag in _KINDS or tag in _BREAKS:
            self._end_block()
            if tag in _KINDS:
                self._open.append(tag)
                self._items += tag == "li"
        elif tag == "br":
            self._text.append(" ")

    def end(self, tag: str) -> None:
        """End an element."""
        self.depth -= 1
        if tag in _UNREAD:
            self._unread = max(0, self._unread - 1)
        elif tag in _KINDS or tag in _BREAKS:
            self._end_block()
            # The parser ends each element that it began, the innermost first.
            if tag in _KINDS:
                self._items -= self._open.pop() == "li"

    def data(self, data: str) -> None:
        """Take a piece of text."""
        if not self._unread:
            self._text.append(data)

    def close(self) -> None:
        """End the text."""
        self._end_block()

    def _end_block(self) -> None:
        text, tag = "".join(self._text), self._open[-1] if self._open else ""
        self._text = []
        if tag == "pre":
            self._add("code", text if text.strip() else "", 0)
            return
        kind = "li" if tag == "p" and self._items else _KINDS.get(tag, "p")
        for part in [text] if tag else _BLANK_LINE.split(text):
            self._add(kind, fold(part), _HEADINGS.get(tag, 0))

    def _add(self, kind: str, text: str, level: int) -> None:
        if text:
            self.blocks.append(Block(kind, text, level))
