"""Structure that a page types as text: headings in bold, bullets, numbers. Pure.

Old pages and page builders write a list as lines that begin with "•" or "1.", and a heading as a bold line.
Both are read as what a reader sees. Each rule needs two of a kind, so that one bold remark is no heading.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, NamedTuple

from app.language.words import word_count
from app.pages.extraction.blocks import Block, Mark, unused_groups


class _Typed(NamedTuple):
    """How a page types lists: the sign of an item, the kind of list, and the lines that an item takes."""

    sign: re.Pattern[str]
    kind: str
    lines: int = 1


_TYPED: Final = (
    _Typed(re.compile(r"[•‣◦●○▪■✓✔➤]\ufe0f?\s*(?=\S)"), "u"),
    _Typed(re.compile(r"(\d{1,2})[.)]\s+(?=\S)"), "o"),
    _Typed(re.compile(r"(\d{1,2})[.)]\Z"), "o", lines=2),
)
_SENTENCE_END: Final = (".", ",", ";", ":", "…", "。")
_FEWEST: Final = 2
_LONGEST_HEADING: Final = 12
"""In words."""


def with_typed_structure(pieces: Iterable[Block]) -> list[Block]:
    """Return the pieces with typed lists as items, and bold lines as headings with the text below them."""
    return _with_headings(_with_lists(list(pieces)))


def _with_lists(pieces: Sequence[Block]) -> list[Block]:
    """Return the pieces with two or more typed items in a row as a list of their own."""
    groups = unused_groups(pieces, "l")
    listed: list[Block] = []
    at = 0
    while at < len(pieces):
        items, end = _list_at(pieces, at)
        if items:
            group = next(groups)
            listed.extend(replace(item, group=group) for item in items)
        else:
            listed.append(pieces[at])
        at = end
    return listed


def _list_at(pieces: Sequence[Block], start: int) -> tuple[list[Block], int]:
    """Return the items of the list that begins at a piece, and where it ends; no items if there is none."""
    for typed in _TYPED:
        items = list(_items(pieces, start, typed))
        if len(items) >= _FEWEST:
            return items, start + len(items) * typed.lines
    return [], start + 1


def _items(pieces: Sequence[Block], start: int, typed: _Typed) -> Iterator[Block]:
    """Yield the items that begin with a sign in a row; numbers are 1, 2, 3 and so on."""
    path = pieces[start].heading_path
    for number, at in enumerate(range(start, len(pieces) - typed.lines + 1, typed.lines), 1):
        lines = pieces[at : at + typed.lines]
        found = typed.sign.match(lines[0].text)
        if not found or not all(_is_line(line, path) for line in lines):
            return
        if found.lastindex and int(found[1]) != number:
            return
        yield _item(lines[-1], found.end() if typed.lines == 1 else 0, typed.kind)


def _is_line(piece: Block, path: tuple[str, ...]) -> bool:
    return piece.kind == "p" and not piece.group and not piece.lists and piece.heading_path == path


def _item(piece: Block, start: int, kind: str) -> Block:
    """Return a piece as an item, without the first ``start`` characters."""
    marks = tuple(
        Mark(mark.kind, max(0, mark.start - start), mark.stop - start)
        for mark in piece.marks
        if mark.stop > start
    )
    return replace(piece, kind="li", lists=kind, text=piece.text[start:], marks=marks)


def _with_headings(pieces: Sequence[Block]) -> list[Block]:
    """Return the pieces with the bold lines of each section as headings.

    Only in a section that has two or more of them and no heading of its own.
    """
    bold = {at for at in range(len(pieces)) if _is_bold_heading(pieces, at)}
    parents = {piece.heading_path for piece in pieces if piece.kind == "heading"}
    headed: list[Block] = []
    for path, run in groupby(range(len(pieces)), key=lambda at: pieces[at].heading_path):
        section = list(run)
        is_typed = path not in parents and sum(at in bold for at in section) >= _FEWEST
        headed.extend(
            _headed([(pieces[at], at in bold) for at in section])
            if is_typed
            else (pieces[at] for at in section)
        )
    return headed


def _headed(section: Sequence[tuple[Block, bool]]) -> Iterator[Block]:
    """Yield the pieces of a section, those after each bold line below it."""
    above: tuple[str, ...] = ()
    for piece, is_heading in section:
        if is_heading:
            yield replace(piece, kind="heading", marks=())
            above = (piece.text,)
        else:
            yield replace(piece, heading_path=(*piece.heading_path, *above))


def _is_bold_heading(pieces: Sequence[Block], at: int) -> bool:
    """Return whether a piece is a short bold line, without the end of a sentence, above other text."""
    piece = pieces[at]
    if not _is_line(piece, piece.heading_path) or piece.links or piece.own_links:
        return False
    if not _is_bold(piece) or piece.text.endswith(_SENTENCE_END):
        return False
    if word_count(piece.text) > _LONGEST_HEADING or at + 1 == len(pieces):
        return False
    below = pieces[at + 1]
    return below.heading_path == piece.heading_path and below.kind != "heading" and not _is_bold(below)


def _is_bold(piece: Block) -> bool:
    return any(mark.kind == "strong" and mark.stop - mark.start >= len(piece.text) for mark in piece.marks)
