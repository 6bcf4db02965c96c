"""The headings above each piece of a page, and its sections with teasers or comments as labels. Pure."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from app.language.words import word_count
from app.pages.extraction.blocks import Block, unnumbered
from app.pages.extraction.furniture import (
    BYLINE,
    LABEL,
    is_comments_heading,
    is_related_heading,
    is_shop_line,
)

_LONGEST_TEASER: Final = 40
"""Words of a paragraph up to which it may present another page."""
_LONGEST_SUMMARY: Final = 120
"""Words up to which a text may do so below the title of that page."""
_LEAST_TEASERS: Final = 3
_MOST_TEASERS: Final = 0.2
_LONGEST_OPENER: Final = 8
_LONGEST_LINE: Final = 11
"""Words of a line up to which it may do so below a line that is no heading."""
_LOWEST: Final = 7
"""The level of a heading that the traversal makes of a question."""
_PERMALINK: Final = re.compile(r"\s*[¶#§🔗]+\s*$")
LINES: Final = frozenset({"p", "li", "dt", "dd"})


class Found(NamedTuple):
    """A piece of text, with its level if it is a heading. An empty heading ends the sections of its level.

    ``leads``: the heading is only a link to another page, or the line nothing but links.
    """

    piece: Block
    level: int = 0
    leads: bool = False


_END: Final = Found(unnumbered("heading", ""), 1)


class Sections:
    """Follows the headings of a page, and whether the present section is one of teasers or comments."""

    def __init__(self, *, in_shop: bool, is_article: bool) -> None:
        self._in_shop = in_shop
        self._is_article = is_article
        self._above: list[tuple[int, str]] = []
        self._aside = 0
        """The level of the heading over teasers or comments."""
        self._has_comments = False
        self._most_words = 0
        """The most words of a paragraph of these teasers."""

    def pieces(self, found: Iterable[Found]) -> Iterator[Block]:
        """Yield the pieces with their heading paths. Teasers and comments are labels."""
        read = [*found]
        teasers = _teasers(read, most=1 if self._is_article else _MOST_TEASERS)
        if self._in_shop or self._is_article:
            teasers |= _link_lines(read, least=1 if self._in_shop else _LEAST_TEASERS)
            teasers |= _empty(read, teasers, least_bare=_LEAST_TEASERS if self._in_shop else None)
        for at, (piece, level, leads) in enumerate(read):
            text = _PERMALINK.sub("", piece.text) if level else piece.text
            if level:
                self._above = [heading for heading in self._above if heading[0] < level]
                self._head(text, level, leads=leads)
            else:
                self._line(piece)
            path = tuple(heading for _, heading in self._above)
            is_teaser = self._aside or at in teasers
            if is_teaser or (self._in_shop and piece.kind in LINES and is_shop_line(text)):
                yield unnumbered(LABEL, text, heading_path=path)
                continue
            yield replace(piece, text=text, heading_path=path)
            if level and text:
                self._above.append((level, text))

    def _head(self, text: str, level: int, *, leads: bool) -> None:
        if self._aside and leads:
            self._most_words = _LONGEST_SUMMARY
            return
        if level <= self._aside and text:
            self._aside = 0
        if level > 1:
            self._open(text, level)

    def _line(self, piece: Block) -> None:
        words = word_count(piece.text)
        if self._aside:
            if words > self._most_words and not self._has_comments:
                self._aside = 0
        elif words <= _LONGEST_OPENER and _is_line(piece) and is_related_heading(piece.text):
            self._aside = self._above[-1][0] + 1 if self._above else 1
            self._has_comments = False
            self._most_words = _LONGEST_TEASER if self._in_shop else _LONGEST_LINE

    def _open(self, text: str, level: int) -> None:
        """Begin a section of teasers or comments if ``text`` is the heading over it."""
        has_comments = is_comments_heading(text, in_shop=self._in_shop)
        if has_comments or (not self._aside and is_related_heading(text)):
            self._aside = min(level, self._aside or level)
            self._has_comments, self._most_words = has_comments, _LONGEST_TEASER


def _teasers(found: Sequence[Found], *, most: float) -> set[int]:
    """Return the places of the teasers of other pages: linked headings with few words below, three at least.

    None if they have more than ``most`` of the words: then they are the text of the page.
    """
    has_any = any(each.leads and each.level for each in found)
    sizes = [word_count(each.piece.text) for each in found] if has_any else []
    short = [places for places in _led(found) if sum(sizes[at] for at in places) <= _LONGEST_SUMMARY]
    teasers = {at for places in short for at in places}
    is_more = sum(sizes[at] for at in teasers) > most * sum(sizes)
    return set() if len(short) < _LEAST_TEASERS or is_more else teasers


def _led(found: Sequence[Found]) -> Iterator[range]:
    """Yield the places of each linked heading and what is below it."""
    start, level = 0, 0
    for at, each in enumerate((*found, _END)):
        if level and each.level and (each.leads or each.level <= level):
            yield range(start, at)
            level = 0
        if each.leads and each.level:
            start, level = at, each.level


def _link_lines(found: Sequence[Found], *, least: int) -> set[int]:
    """Return the places of lines that are nothing but links, at least so many with no text between."""
    lines: set[int] = set()
    run: list[int] = []
    for at, each in enumerate((*found, _END)):
        if each.leads and not each.level:
            run.append(at)
        elif each.piece.kind != LABEL:
            lines.update(run if len(run) >= least else ())
            run = []
    return lines


def _empty(found: Sequence[Found], teasers: Container[int], *, least_bare: int | None) -> set[int]:
    """Return the places of headings that have only ``teasers`` and labels below, and text before them.

    ``least_bare``: how many headings in a row with nothing at all below are the titles of menus; so are all
    after the last text then.
    """
    places: set[int] = set()
    bare: list[int] = []
    ends = [len(found)] * (_LOWEST + 1)
    text = label = len(found)
    for at in reversed(range(len(found))):
        piece, level, _ = found[at]
        if level:
            is_last = least_bare is not None and text == len(found)
            if piece.text and (is_last or label < ends[level] <= text):
                places.add(at)
            is_bare = piece.text and at + 1 == ends[level]
            bare = [at, *bare] if is_bare else []
            places.update(bare if least_bare and len(bare) >= least_bare else ())
            ends[level:] = [at] * (_LOWEST + 1 - level)
            continue
        bare = []
        if at in teasers or piece.kind in (LABEL, BYLINE):
            label = at
        else:
            text = at
    return {at for at in places if at > text}


def _is_line(piece: Block) -> bool:
    """Return whether a piece is a line of its own, in no group and without a link."""
    return piece.kind == "p" and not (piece.group or piece.links or piece.own_links)
