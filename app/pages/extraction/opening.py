"""The title of a page and what is before it: menus, dates, offers. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from bs4 import Tag

from app.language.words import word_count
from app.pages.extraction.blocks import Block
from app.pages.extraction.elements import Elements
from app.pages.extraction.furniture import BYLINE, LABEL

_MOST_TITLES: Final = 20
_LONGEST_TITLE: Final = 500
_TITLE_START: Final = 20
_THIRD: Final = 1 / 3
_HALF: Final = 0.5
_LINE_WORDS: Final = 12
_TEXT_WORDS: Final = 25
_LINES: Final = frozenset({"p", "li"})
_LOOSE: Final = frozenset({"", "l"})
"""Pieces in no group, or in one of a list: not in a card, a quotation or a table."""


def title_in(root: Tag, elements: Elements, *, in_shop: bool) -> tuple[str, bool]:
    """Return the text of the title below an element, and whether it says what the page's ``title`` says.

    Without such a heading it is the first visible ``h1``, "" without one. The only one in a shop is the name
    of the product, which ``title`` may say in other words.
    """
    named = elements.named_heading
    if named is not None and any(each is root for each in named.parents):
        return elements.short_text(named, _LONGEST_TITLE) or "", True
    seen = (tag for tag in islice(root.find_all("h1"), _MOST_TITLES) if not elements.is_inside_hidden(tag))
    found = [text for tag in seen if (text := elements.short_text(tag, _LONGEST_TITLE))]
    return next(iter(found), ""), in_shop and len(found) == 1


def without_opening(
    pieces: Iterable[Block], title: str, *, is_named: bool = False, in_shop: bool = False
) -> Iterator[Block]:
    """Yield the pieces; short lines before the page's ``title`` are labels: menus, dates, places.

    A paragraph as long as text ends them, too. If the ``title`` element of the page names that title, so
    are headings and rows before it where no sentence is, and in a shop all that is there, unless it is
    half of the page.
    """
    read = [*pieces]
    opening = _opening(read, title, most=_HALF if in_shop else _THIRD) if is_named else 0
    opening = 0 if not in_shop and any(map(_is_sentence, read[:opening])) else opening
    is_before = bool(title)
    for at, piece in enumerate(read):
        words = word_count(piece.text) if is_before or at < opening else 0
        is_title = piece.text[:_TITLE_START] == title[:_TITLE_START]
        is_before = is_before and not is_title and words < _TEXT_WORDS
        is_line = is_before and piece.kind in _LINES and piece.group[:1] in _LOOSE and words < _LINE_WORDS
        is_line = is_line or (at < opening and (in_shop or words < _TEXT_WORDS))
        yield replace(piece, kind=LABEL) if is_line else piece


def _opening(pieces: Sequence[Block], title: str, *, most: float) -> int:
    """Return how many pieces are before the title, 0 if they have more than this share of the words."""
    at = next((at for at, piece in enumerate(pieces) if piece.text[:_TITLE_START] == title[:_TITLE_START]), 0)
    words = [word_count(piece.text) for piece in pieces if piece.kind not in (LABEL, BYLINE)] if at else []
    before = sum(word_count(piece.text) for piece in pieces[:at] if piece.kind not in (LABEL, BYLINE))
    return at if before <= most * sum(words) else 0


def _is_sentence(piece: Block) -> bool:
    return (
        piece.kind in _LINES
        and piece.text.endswith((".", "!", "?"))
        and word_count(piece.text) >= _LINE_WORDS
    )
