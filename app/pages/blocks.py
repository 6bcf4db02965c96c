"""The walk over a page's elements that makes blocks of visible text and keeps its structure. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bs4 import NavigableString, PageElement, Tag
from bs4.element import PreformattedString

MAX_TEXT_BYTES: Final = 200_000
_MAX_NESTING: Final = 150
_MIN_LINK_LIST: Final = 3

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_KINDS: Final = {
    "p": "p",
    "li": "li",
    "dt": "dt",
    "dd": "dd",
    "figcaption": "p",
    "summary": "p",
    "caption": "p",
}
_INLINE: Final = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "br", "img",
})  # fmt: skip
_SKIPPED: Final = frozenset({
    "script", "style", "template", "noscript", "nav", "aside", "form", "button", "select", "option",
    "input", "textarea", "iframe", "object", "embed", "svg", "canvas", "audio", "video", "dialog",
    "menu", "head", "title", "math",
})  # fmt: skip
_SKIPPED_ROLES: Final = frozenset({
    "navigation", "search", "banner", "contentinfo", "complementary", "dialog", "alertdialog", "menu",
    "menubar", "toolbar", "tablist",
})  # fmt: skip
# Whole class names or ids, as site generators and themes use them.
_SKIPPED_NAMES: Final = frozenset({
    "nav", "navbar", "navigation", "breadcrumb", "breadcrumbs", "sidebar", "sphinxsidebar", "related",
    "toctree-wrapper", "headerlink", "admonition-title", "linenos", "lineno", "cookie-banner",
    "cookie-notice", "cookie-consent", "skip-link", "skip-to-content", "sr-only", "visually-hidden",
    "pagination", "social-share", "share-buttons", "site-footer", "site-header", "footer",
    "page-footer", "rst-footer-buttons", "wy-nav-side", "toc", "table-of-contents", "edit-link",
    "newsletter", "related-posts", "comments",
})  # fmt: skip
_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACE: Final = re.compile(r"\s+")
_PERMALINK: Final = re.compile(r"\s*[¶#§🔗\uf0c1]+\s*$")
_INVISIBLE: Final = re.compile("[\u00ad\u200b\u2060\ufeff\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


@dataclass(frozen=True)
class Block:
    """A piece of a page's text. ``kind``: heading, p, li, dt, dd, quote, code or table (one row).

    ``heading_path``: the headings above it, outermost first, without itself. ``id`` is unique in its page.
    """

    id: str
    kind: str
    text: str
    heading_path: tuple[str, ...]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Block:
        """Return the block written as a JSON object."""
        return cls(data["id"], data["kind"], data["text"], tuple(data["heading_path"]))


def squeezed(text: str) -> str:
    """Return the text with one space for white space, without invisible characters and lone surrogates."""
    return _SPACE.sub(" ", _INVISIBLE.sub("", text)).strip()


def block_texts(texts: Iterable[tuple[str, str, tuple[str, ...]]]) -> tuple[Block, ...]:
    """Number (kind, text, heading path) as blocks: empty ones left out, 200 KB of text at most."""
    blocks: list[Block] = []
    size = 0
    for kind, text, path in texts:
        if not text:
            continue
        size += len(text.encode())
        if size > MAX_TEXT_BYTES:
            break
        blocks.append(Block(f"b{len(blocks) + 1}", kind, text, path))
    return tuple(blocks)


def walk(root: Tag) -> tuple[Block, ...]:
    """Return the blocks of the visible text below ``root``."""
    return block_texts(_Walk(root).texts())


class _Walk:
    """Walks in document order, remembering the headings above."""

    def __init__(self, root: Tag) -> None:
        self._root = root
        self._in_page_body = root.name not in ("main", "article") and root.get("role") != "main"
        self._above: list[tuple[int, str]] = []

    def texts(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield (kind, text, heading path)."""
        for kind, text, level in self._children(self._root, "p", 0):
            if level:
                self._above = [heading for heading in self._above if heading[0] < level]
                text = _PERMALINK.sub("", text)
            yield kind, text, tuple(heading for _, heading in self._above)
            if level and text:
                self._above.append((level, text))

    def _children(self, parent: Tag, kind: str, depth: int) -> Iterator[tuple[str, str, int]]:
        """Yield (kind, text, heading level or 0): inline runs as ``kind``, block elements as their own."""
        run: list[str] = []
        for child in parent.children:
            if isinstance(child, Tag) and self._is_skipped(child):
                continue
            if not isinstance(child, Tag) or (child.name in _INLINE and not _holds_blocks(child)):
                run.append(_inline(child))
                continue
            if run:
                yield kind, squeezed("".join(run)), 0
                run = []
            yield from self._element(child, kind, depth + 1)
        if run:
            yield kind, squeezed("".join(run)), 0

    def _element(self, tag: Tag, kind: str, depth: int) -> Iterator[tuple[str, str, int]]:
        if tag.name in _HEADINGS:
            yield "heading", squeezed(_inline(tag)), _HEADINGS[tag.name]
        elif tag.name == "pre":
            yield "code", _preformatted(tag), 0
        elif depth > _MAX_NESTING:
            yield kind, squeezed(tag.get_text(" ")), 0
        elif tag.name == "table" and _is_data_table(tag):
            yield from self._rows(tag)
        elif tag.name in ("ul", "ol") and _is_link_list(tag):
            return
        elif tag.name == "blockquote":
            yield from self._children(tag, "quote", depth)
        else:
            own = _KINDS.get(tag.name, kind)
            # A paragraph inside a list item or a quotation stays what holds it.
            yield from self._children(tag, kind if own == "p" else own, depth)

    def _rows(self, table: Tag) -> Iterator[tuple[str, str, int]]:
        for row in table.find_all(["tr", "caption"]):
            if row.name == "caption":
                yield "p", squeezed(_inline(row)), 0
                continue
            cells = (squeezed(_inline(cell)) for cell in row.find_all(["td", "th"]))
            yield "table", " | ".join(filter(None, cells)), 0

    def _is_skipped(self, tag: Tag) -> bool:
        if is_hidden(tag):
            return True
        return (
            self._in_page_body
            and tag.name in ("header", "footer")
            and tag.find_parent(["article", "main"]) is None
        )


def is_hidden(tag: Tag) -> bool:
    """Return whether an element is not shown, or is no part of a page's own text."""
    if tag.name in _SKIPPED:
        return True
    attributes = tag.attrs
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if _HIDDEN_STYLE.search(str(attributes.get("style", ""))) or attributes.get("role") in _SKIPPED_ROLES:
        return True
    names = attributes.get("class") or []
    return not _SKIPPED_NAMES.isdisjoint([*names, str(attributes.get("id", ""))])


def _inline(node: PageElement) -> str:
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
            if item is not node and is_hidden(item):
                continue
            edge = "" if item.name in _INLINE and item.name != "br" else " "
            stack.extend([edge, *reversed(item.contents), edge])
        elif not isinstance(item, PreformattedString):
            parts.append(str(item))
    return "".join(parts)


def _preformatted(tag: Tag) -> str:
    text = _INVISIBLE.sub("", tag.get_text()).replace("\r\n", "\n")
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def _holds_blocks(tag: Tag) -> bool:
    return tag.find(["p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre"]) is not None


def _is_data_table(table: Tag) -> bool:
    """Return whether a table shows data: one that lays out a page holds headings, lists, code or tables."""
    if table.get("role") in ("presentation", "none"):
        return False
    return table.find(["table", "pre", "ul", "ol", *_HEADINGS]) is None


def _is_link_list(tag: Tag) -> bool:
    """Return whether a list is a menu: three items or more, and in each nothing but links."""
    items = tag.find_all("li")
    if len(items) < _MIN_LINK_LIST:
        return False
    linked = sum(len(squeezed(link.get_text())) for link in tag.find_all("a"))
    return linked > 0 and linked >= 0.95 * sum(len(squeezed(text)) for text in tag.find_all(string=True))
