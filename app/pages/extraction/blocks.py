"""The blocks in which a page's text is stored, and what else is read of a page. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final, NamedTuple

CELL_SEPARATOR: Final = " | "
"""The separator between the cells of a table's row in its text."""
MAX_TEXT_BYTES: Final = 200_000
LINK_SHARE: Final = 0.95
"""The share of a text from which it counts as nothing but links."""
_PLAIN: Final = ("id", "kind", "text", "lists", "group", "row_heads", "speaker", "language")
_LISTS: Final = ("heading_path", "cells")
IN_WORDS: Final = "Say it in words: there is no letter or digit in it."
_LONG: Final = 10_000
_SENTENCE_END: Final = re.compile(r"[.!?…][\"'”’»)\]]*(?=\s)|[。！？।؟]")
_WORD_END: Final = re.compile(r"(?<=\S)(?=\s)")
_SPACE: Final = re.compile(r"\s+")
# Invisible characters: controls, fillers and joiners without a glyph, orders of direction, tag characters,
# private use (icon fonts), runs of variation selectors, halves of surrogate pairs. The joiners of Persian,
# Indic scripts and emoji (200C, 200D) and the marks of direction (200E, 200F) stay.
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff"
    "\ue000-\uf8ff\U0001d173-\U0001d17a\U000e0000-\U000e007f\U000f0000-\U0010ffff]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)


class OutLink(NamedTuple):
    """A link of a text to another site or page: its anchor text and its address."""

    anchor: str
    url: str


class Mark(NamedTuple):
    """A part of a text that its page shows as ``code`` or ``strong``, from ``start`` up to ``stop``."""

    kind: str
    start: int
    stop: int


_PARTS: Final = {"links": OutLink, "own_links": OutLink, "marks": Mark}


@dataclass(frozen=True)
class Block:
    """A piece of a page's text.

    ``kind``: heading, p, li, dt, dd, quote, code, caption (of a figure or table), table or table_head (one
    row, with " | " between its cells), price (the price line of a price card), label (the text of a button
    or of a single link), byline (author, date). ``heading_path``: the headings above it, outermost first,
    without itself. ``lists``: the lists around an item, outermost first, ``o`` for a numbered one and ``u``
    for another. ``links``: those to other sites, ``own_links``: those to other pages of the site. ``id`` is
    unique in its page.

    ``group`` is the same for all blocks of a table (``t1``), list (``l1``), definition (``d1``), quote
    (``q1``) or price card (``c1``). ``cells``: those of a row, one for each column of the table; a cell that
    spans several is repeated. The first ``row_heads`` cells name the row. ``speaker``: who said a quote.
    ``language``: the programming language of code that the page declares. ``marks``: the parts of a
    paragraph, item, definition or row that stand out; none lies within another.
    """

    id: str
    kind: str
    text: str
    heading_path: tuple[str, ...] = ()
    lists: str = ""
    links: tuple[OutLink, ...] = ()
    group: str = ""
    cells: tuple[str, ...] = ()
    row_heads: int = 0
    speaker: str = ""
    language: str = ""
    own_links: tuple[OutLink, ...] = ()
    marks: tuple[Mark, ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Block:
        """Return the block that ``to_json`` wrote; older ones may lack some members."""
        plain: dict[str, Any] = {name: data[name] for name in _PLAIN if name in data}
        lists = {name: tuple(data.get(name, ())) for name in _LISTS}
        parts = {name: tuple(kind(*each) for each in data.get(name, ())) for name, kind in _PARTS.items()}
        return cls(**(plain | lists | parts))

    def to_json(self) -> dict[str, Any]:
        """Return the block as JSON-ready values, without members that have their default."""
        lists = {name: list(value) for name in _LISTS if (value := getattr(self, name))}
        parts = {name: [list(each) for each in value] for name in _PARTS if (value := getattr(self, name))}
        plain = {name: value for name in _PLAIN if (value := getattr(self, name))}
        return {"text": "", "heading_path": [], **plain, **lists, **parts}


def unnumbered(kind: str, text: str, **more: Any) -> Block:
    """Return a block that is not numbered yet; one without text is dropped then."""
    return Block("", kind, text, **more)


def has_words(text: str) -> bool:
    """Return whether a text has a visible letter or digit of any script; IN_WORDS is the message if not."""
    return any(character.isalnum() for character in without_invisible(text))


def without_invisible(text: str) -> str:
    """Return the text without invisible characters."""
    return _INVISIBLE.sub("", text)


def squeezed(text: str) -> str:
    """Return the visible text with single spaces."""
    return _SPACE.sub(" ", without_invisible(text)).strip()


def text_bytes(blocks: Iterable[Block]) -> int:
    """Return the size of the blocks' text in bytes of UTF-8."""
    return sum(len(block.text.encode()) for block in blocks)


def numbered(pieces: Iterable[Block], most: int | None = MAX_TEXT_BYTES) -> tuple[Block, ...]:
    """Number the pieces as blocks, without empty ones, up to ``most`` bytes of text; None is no limit.

    The first piece that does not fit ends the blocks. If it is long, the part that fits is kept.
    """
    blocks: list[Block] = []
    size = 0
    for each in pieces:
        repeated = _repeated(each) if each.cells else 0
        kept = each.text if most is None else _fitting(each.text, most - size - repeated)
        if kept != each.text and each.cells:
            break
        if kept:
            blocks.append(replace(each, id=f"b{len(blocks) + 1}", text=kept))
            size += len(kept.encode()) + repeated
        if kept != each.text:
            break
    return tuple(blocks)


def _repeated(row: Block) -> int:
    """Return by how many bytes the cells of a row exceed its text, because some are repeated."""
    return max(0, sum(len(cell.encode()) for cell in row.cells) - len(row.text.encode()))


def _fitting(text: str, most: int) -> str:
    """Return the part of a text that fits ``most`` bytes: all, none, or the first sentences of a long one."""
    size = len(text.encode())
    if size <= most:
        return text
    if size <= _LONG:
        return ""
    cut = text.encode()[:most].decode(errors="ignore")
    near = max(0, len(cut) - _LONG)
    ends = [[found.end() for found in rule.finditer(cut, near)] for rule in (_SENTENCE_END, _WORD_END)]
    return cut[: next((each[-1] for each in ends if each), 0)]


@dataclass(frozen=True)
class Extracted:
    """The content of a page. ``blocks`` have at most 200 KB of text unless ``extract`` had no limit.

    ``content_hash`` is a digest of that text. ``refresh_url`` is where the page sends its visitors.
    """

    title: str
    description: str
    canonical_url: str | None
    language: str | None
    noindex: bool
    headings: tuple[str, ...]
    blocks: tuple[Block, ...]
    word_count: int
    content_hash: str
    refresh_url: str | None = None


def unused_groups(pieces: Iterable[Block], letter: str) -> Iterator[str]:
    """Yield names of groups that no piece has, without end: l1, l2 …"""
    known = {piece.group for piece in pieces}
    return (name for name in (f"{letter}{number}" for number in count(1)) if name not in known)
