"""Which texts of a site are furniture: banners, buttons, bylines, what many of its pages repeat. Pure."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from app.content.artefacts import SourcePage
from app.language.words import extent, fold
from app.pages.extraction.blocks import Block

FURNITURE_KINDS: Final = frozenset({"label", "byline"})
"""Kinds that page reading gives to buttons, link labels, author lines and dates."""

_LEAST_PAGES: Final = 3
_SHARE_OF_PAGES: Final = 1 / 3
_SHORT: Final = 12
"""Words up to which a text on three pages is a slogan or an invitation; prices and rows of tables are not."""
_FOOT: Final = 3
"""Blocks at the end of a page where a text that three pages end with is a footer, however long."""

_DESCRIBES: Final = 6
"""Words from which on a description is the page's own."""
_END: Final = 24

_FULL_NAME: Final = re.compile(r"[^\W\d_][\w.'’-]*(?: [a-z]{1,3}){0,2} (?P<last>[^\W\d_][\w'’-]+)(?=\W)")
_FACTS: Final = frozenset({"price", "table", "table_head", "code", "dt", "dd", "heading"})


def is_biography(block: Block, bylines: Sequence[str]) -> bool:
    """Return whether a paragraph presents an author: it opens with the full name that a byline has."""
    named = _FULL_NAME.match(fold(block.text)) if bylines and block.kind == "p" else None
    if named is None or not (named[0][0].isupper() and named["last"][0].isupper()):
        return False
    return any(re.search(rf"\b{re.escape(named[0])}\b", line) for line in bylines)


def bylines_of(page: SourcePage) -> tuple[str, ...]:
    """Return the lines of a page that name its author."""
    return tuple(fold(block.text) for block in page.blocks if block.kind == "byline")


def is_furniture(block: Block, repeated: frozenset[str]) -> bool:
    """Return whether a block is no evidence; ``repeated`` as ``repeated_texts`` returns it."""
    return block.kind in FURNITURE_KINDS or fold(block.text) in repeated


def repeated_texts(pages: Sequence[SourcePage]) -> frozenset[str]:
    """Return the texts that a third of the pages have, teasers, and short ones or footers of three pages.

    A teaser ends with the description of another page.
    """
    seen: dict[str, set[int]] = defaultdict(set)
    facts: set[str] = set()
    inside: set[str] = set()
    for page in pages:
        end = len(page.blocks) - _FOOT
        for number, block in enumerate(page.blocks):
            if block.kind == "heading":
                continue
            text = fold(block.text)
            seen[text].add(page.page_id)
            if block.kind in _FACTS:
                facts.add(text)
            if number < end:
                inside.add(text)
    many = max(_LEAST_PAGES, math.ceil(len(pages) * _SHARE_OF_PAGES))
    return frozenset((*_repeated(seen.items(), facts, inside, many), *_teasers(seen.items(), pages)))


def _teasers(seen: Iterable[tuple[str, set[int]]], pages: Sequence[SourcePage]) -> Iterable[str]:
    """Yield the texts that end with a description that another page has alone."""
    described: dict[str, set[int]] = defaultdict(set)
    for page in pages:
        text = fold(page.description or "")
        if extent(text) >= _DESCRIBES:
            described[text].add(page.page_id)
    by_ending = defaultdict(list)
    for text, of in described.items():
        if len(of) == 1:
            by_ending[text[-_END:]].append((text, of))
    for text, on in seen:
        if any(text.endswith(ending) and not of & on for ending, of in by_ending.get(text[-_END:], ())):
            yield text


def _repeated(
    seen: Iterable[tuple[str, set[int]]], facts: set[str], inside: set[str], many: int
) -> Iterable[str]:
    for text, on in seen:
        is_prose = text not in facts and len(on) >= _LEAST_PAGES
        if len(on) >= many or (is_prose and (extent(text) <= _SHORT or text not in inside)):
            yield text
