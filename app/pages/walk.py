"""The walk over a page's elements that makes blocks of visible text and keeps its structure. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from bs4 import NavigableString, PageElement, Tag
from bs4.element import PreformattedString

from app.pages.blocks import MAX_TEXT_BYTES, Block, OutLink, Piece, numbered, squeezed, without_invisible
from app.pages.elements import LINK_SHARE, MIN_LINKS, Elements, links_in, named_in
from app.pages.outlinks import OutLinks

_MAX_NESTING: Final = 150

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_SUMMARY_LEVEL: Final = 7
_KINDS: Final = {
    "p": "p", "li": "li", "dt": "dt", "dd": "dd", "figcaption": "caption", "caption": "caption",
    "summary": "p", "blockquote": "quote",
}  # fmt: skip
_LISTS: Final = {"ol": "o", "ul": "u"}
_QUOTED: Final = frozenset({"p", "li"})
_INLINE: Final = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "br", "img",
})  # fmt: skip
_BLOCKS: Final = frozenset({"p", "div", "ul", "ol", "table", "pre", *_HEADINGS})
_LAYOUT: Final = frozenset({"table", "pre", "ul", "ol", *_HEADINGS})
_PAGE_PARTS: Final = frozenset({"h1", "main", "article"})
_ROWS: Final = frozenset({"tr", "caption"})
_CELLS: Final = frozenset({"td", "th"})
_DETAILS: Final = frozenset({"details"})
_SECTIONS: Final = frozenset({"article", "main", "section"})
_LABEL_WORDS: Final = 2
_PERMALINK: Final = re.compile(r"\s*[¶#§🔗]+\s*$")
_BREAKS: Final = re.compile(r"\r\n?")


class _Found(NamedTuple):
    """A piece of text as it is met; a heading with its level, and an end of what a level 7 heads."""

    kind: str
    text: str
    level: int = 0
    lists: str = ""
    links: tuple[OutLink, ...] = ()


def walk(
    root: Tag, elements: Elements, outlinks: OutLinks | None = None, most: int | None = MAX_TEXT_BYTES
) -> tuple[Block, ...]:
    """Return the blocks of the visible text below ``root``, with their links to other sites.

    ``most``: bytes of text, as ``numbered`` takes it.
    """
    return numbered(_Walk(root, elements, outlinks).pieces(), most)


class _Walk:
    """Walks in document order, remembering the headings above."""

    def __init__(self, root: Tag, elements: Elements, outlinks: OutLinks | None) -> None:
        self._root = root
        self._elements = elements
        self._outlinks = outlinks
        self._sections = int(root.name in _SECTIONS or root.get("role") == "main")
        self._lists = ""

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces with their heading paths."""
        above: list[tuple[int, str]] = []
        for kind, text, level, lists, links in self._children(self._root, "p", 0):
            if level:
                above = [heading for heading in above if heading[0] < level]
                text = _PERMALINK.sub("", text)
            yield Piece(kind, text, tuple(heading for _, heading in above), lists, links)
            if level and text:
                above.append((level, text))

    def _children(
        self, parent: Tag, kind: str, depth: int, without: PageElement | None = None
    ) -> Iterator[_Found]:
        """Yield inline runs as ``kind``, block elements as their own."""
        run: list[PageElement] = []
        for child in parent.children:
            if child is without or (isinstance(child, Tag) and self._is_skipped(child)):
                continue
            if not isinstance(child, Tag) or self._is_inline(child):
                run.append(child)
                continue
            yield from self._run(run, kind)
            run = []
            yield from self._element(child, kind, depth + 1)
        yield from self._run(run, kind)

    def _run(self, run: list[PageElement], kind: str) -> Iterator[_Found]:
        text = squeezed("".join(self._inline(node) for node in run))
        if text and not (kind == "p" and self._is_menu(run, text)):
            yield _Found(kind, text, 0, self._lists if kind == "li" else "", self._links_out(run, kind, text))

    def _links_out(self, run: list[PageElement], kind: str, text: str) -> tuple[OutLink, ...]:
        if self._outlinks is None or kind not in _QUOTED:
            return ()
        links = (each for node in run if isinstance(node, Tag) for each in links_in(node, leading=True))
        shown = (link for link in links if not self._elements.hides(link))
        return self._outlinks.of(text, ((squeezed(self._inline(link)), link.attrs) for link in shown))

    def _is_menu(self, run: list[PageElement], text: str) -> bool:
        """Return whether a run is nothing but links: three or more, as in a trail of breadcrumbs."""
        links = [each for node in run if isinstance(node, Tag) for each in links_in(node)]
        if len(links) < MIN_LINKS:
            return False
        linked = sum(len(re.findall(r"\w", self._inline(link))) for link in links)
        return linked >= LINK_SHARE * len(re.findall(r"\w", text))

    def _element(self, tag: Tag, kind: str, depth: int) -> Iterator[_Found]:
        level = _level(tag)
        if level and self._is_label(tag):
            return
        if level:
            yield _Found("heading", squeezed(self._inline(tag)), level)
        elif tag.name == "pre":
            yield _Found("code", self._preformatted(tag))
        elif depth > _MAX_NESTING:
            yield _Found(kind, squeezed(tag.get_text(" ")))
        elif tag.name == "table" and self._is_data_table(tag):
            yield from self._rows(tag)
        elif tag.name in _LISTS:
            yield from self._list(tag, kind, depth)
        elif tag.name == "details":
            yield from self._details(tag, kind, depth)
        elif tag.name in _SECTIONS:
            self._sections += 1
            yield from self._children(tag, kind, depth)
            self._sections -= 1
        else:
            own = _KINDS.get(tag.name, kind)
            # A paragraph inside a list item or a quotation stays what holds it.
            yield from self._children(tag, kind if own == "p" else own, depth)

    def _list(self, tag: Tag, kind: str, depth: int) -> Iterator[_Found]:
        if self._elements.is_link_list(tag):
            return
        around, self._lists = self._lists, self._lists + _LISTS[tag.name]
        yield from self._children(tag, kind, depth)
        self._lists = around

    def _details(self, tag: Tag, kind: str, depth: int) -> Iterator[_Found]:
        """Yield what unfolds; a summary that asks a question heads its answer."""
        summary = tag.find("summary", recursive=False)
        is_plain = isinstance(summary, Tag) and not self._elements.holds(summary, _DETAILS)
        asked = squeezed(self._inline(summary)) if is_plain and summary is not None else ""
        if not asked.endswith(("?", "？", "؟")) or kind != "p":
            yield from self._children(tag, kind, depth)
            return
        yield _Found("heading", asked, _SUMMARY_LEVEL)
        yield from self._children(tag, kind, depth, without=summary)
        yield _Found("heading", "", _SUMMARY_LEVEL)

    def _rows(self, table: Tag) -> Iterator[_Found]:
        """Yield caption and rows; empty cells keep their place where a head names the columns."""
        headed = False
        for row in named_in(table, _ROWS):
            if self._elements.is_inside_hidden(row):
                continue
            if row.name == "caption":
                yield _Found("caption", squeezed(self._inline(row)))
                continue
            cells = [cell for cell in named_in(row, _CELLS) if not self._is_skipped(cell)]
            is_head = (row.parent is not None and row.parent.name == "thead") or (
                bool(cells) and all(cell.name == "th" for cell in cells)
            )
            headed |= is_head
            texts = [squeezed(self._inline(cell)) for cell in cells]
            while texts and not texts[-1]:
                texts.pop()
            kept = texts if headed else filter(None, texts)
            yield _Found("table_head" if is_head else "table", " | ".join(kept))

    def _is_skipped(self, tag: Tag) -> bool:
        if self._elements.hides(tag):
            return True
        if tag.name == "header":
            return not self._sections
        if tag.name == "footer":
            return not self._sections or (tag.parent is not None and tag.parent.name in ("article", "main"))
        # Some servers wrap the whole page in a form.
        return tag.name == "form" and not self._elements.holds(tag, _PAGE_PARTS)

    def _is_inline(self, tag: Tag) -> bool:
        return tag.name in _INLINE and not self._elements.holds(tag, _BLOCKS)

    def _is_label(self, heading: Tag) -> bool:
        """Return whether a heading is a box's label, as "Note" is: what follows the box is not below it."""
        box = heading.parent
        is_boxed = box is not None and self._elements.is_note(box)
        return is_boxed and len(heading.get_text(" ").split()) <= _LABEL_WORDS

    def _is_data_table(self, table: Tag) -> bool:
        """Return whether a table shows data: a layout's holds headings, lists, code or tables."""
        return table.get("role") not in ("presentation", "none") and not self._elements.holds(table, _LAYOUT)

    def _inline(self, node: PageElement) -> str:
        """Return the visible text below a node; blocks inside it are parted by a space."""
        if isinstance(node, NavigableString):
            return "" if isinstance(node, PreformattedString) else str(node)
        if not isinstance(node, Tag):
            return ""
        parts: list[str] = []
        stack: list[PageElement | str] = [node]
        while stack:
            item = stack.pop()
            if isinstance(item, Tag):
                if item is not node and self._elements.hides(item):
                    continue
                edge = "" if item.name in _INLINE and item.name != "br" else " "
                stack.extend([edge, *reversed(item.contents), edge])
            elif not isinstance(item, PreformattedString):
                parts.append(str(item))
        return "".join(parts)

    def _preformatted(self, tag: Tag) -> str:
        parts: list[str] = []
        stack: list[PageElement] = [tag]
        while stack:
            item = stack.pop()
            if isinstance(item, Tag):
                if item.name == "br":
                    parts.append("\n")
                elif item is tag or not self._elements.hides(item):
                    stack.extend(reversed(item.contents))
            elif not isinstance(item, PreformattedString):
                parts.append(str(item))
        text = without_invisible(_BREAKS.sub("\n", "".join(parts)))
        return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def _level(tag: Tag) -> int:
    """Return a heading's level, 0 for what is none."""
    if tag.name in _HEADINGS:
        return _HEADINGS[tag.name]
    if tag.get("role") != "heading":
        return 0
    told = str(tag.get("aria-level", ""))
    return int(told) if told in ("1", "2", "3", "4", "5", "6") else 2
