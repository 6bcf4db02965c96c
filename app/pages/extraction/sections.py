"""Adds to each piece of a page the headings above it, and makes teasers and comments labels. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from app.language.words import word_count
from app.pages.extraction.blocks import Block, unnumbered
from app.pages.extraction.found import LINES, Found
from app.pages.extraction.furniture import (
    LABEL,
    ends_in_copyright,
    is_comments_heading,
    is_related_heading,
    is_shop_line,
)
from app.pages.extraction.teasers import LONGEST_SUMMARY, teasers_in, with_figures

_LONGEST_TEASER: Final = 40
"""Words of a paragraph up to which it may present another page."""
_LONGEST_OPENER: Final = 8
"""Words of a line up to which it may introduce teasers without being a heading."""
_LONGEST_LINE: Final = 11
"""Words of a paragraph up to which it may present another page below such a line."""
_PERMALINK: Final = re.compile(r"\s*[¶#§🔗]+\s*$")


class Sections:
    """Keeps track of the headings of a page, and of whether the current section has teasers or comments."""

    def __init__(self, *, in_shop: bool, is_article: bool) -> None:
        self._in_shop = in_shop
        self._is_article = is_article
        self._above: list[tuple[int, str]] = []
        self._aside = 0
        """The level of the heading above teasers or comments; 0 in a section of text."""
        self._has_comments = False
        self._most_words = 0
        """A paragraph with more words than this ends the section of teasers."""

    def pieces(self, found: Iterable[Found]) -> Iterator[Block]:
        """Yield the pieces with their heading paths. Teasers and comments are labels."""
        read = [*found]
        teasers = teasers_in(read, in_shop=self._in_shop, is_article=self._is_article)
        figured = with_figures(read) if self._in_shop else set()
        for at, (piece, level, leads, *_) in enumerate(read):
            text = _PERMALINK.sub("", piece.text) if level else piece.text
            if level:
                self._above = [heading for heading in self._above if heading[0] < level]
                self._head(text, level, leads=leads, has_figures=at in figured)
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

    def _head(self, text: str, level: int, *, leads: bool, has_figures: bool) -> None:
        if self._aside and leads:
            self._most_words = LONGEST_SUMMARY
            return
        if level <= self._aside and text:
            self._aside = 0
        if level > 1:
            self._open(text, level, has_figures=has_figures)

    def _line(self, piece: Block) -> None:
        words = word_count(piece.text)
        if self._aside:
            is_text = words > self._most_words and not ends_in_copyright(piece.text)
            if is_text and not self._has_comments:
                self._aside = 0
        elif words <= _LONGEST_OPENER and _is_line(piece) and is_related_heading(piece.text):
            self._aside = self._above[-1][0] + 1 if self._above else 1
            self._has_comments = False
            self._most_words = _LONGEST_TEASER if self._in_shop else _LONGEST_LINE

    def _open(self, text: str, level: int, *, has_figures: bool) -> None:
        """Begin a section of teasers or comments if ``text`` is the heading of one.

        In a shop, a section about delivery or the like stays text if it has a figure: "within 3 days".
        """
        has_comments = is_comments_heading(text, in_shop=self._in_shop)
        of_shop = self._in_shop and not has_figures
        if has_comments or (not self._aside and is_related_heading(text, in_shop=of_shop)):
            self._aside = min(level, self._aside or level)
            self._has_comments, self._most_words = has_comments, _LONGEST_TEASER


def _is_line(piece: Block) -> bool:
    """Return whether a piece is a line of its own, outside of any group and without a link."""
    return piece.kind == "p" and not (piece.group or piece.links or piece.own_links)
