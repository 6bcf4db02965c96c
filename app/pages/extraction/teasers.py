"""Finds the pieces of a page's text that present other pages or products. Pure."""

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from typing import Final

from app.language.words import word_count
from app.pages.extraction.found import END, LINES, Found
from app.pages.extraction.furniture import BYLINE, LABEL, ends_in_copyright, is_more
from app.pages.extraction.price_cards import is_price

LONGEST_SUMMARY: Final = 120
"""Words up to which a text may present another page below the title of that page."""
_LEAST_TEASERS: Final = 3
_MOST_TEASERS: Final = 0.2
"""The share of a page's words up to which linked headings and the words below them are teasers."""
_LEAST_CUT: Final = 2
_LONGEST_TITLE: Final = 15
_LONGEST_LINE: Final = 24
_LONGEST_PRICE: Final = 2
_LOWEST: Final = 7
"""The level that the DOM traversal gives to questions, below the six levels of HTML."""
_CUT: Final = ("...", "…", "[...]", "[…]", "(...)", "(…)")
_SENTENCE_END: Final = (".", "!", ":", "…")


def teasers_in(found: Sequence[Found], *, in_shop: bool, is_article: bool) -> set[int]:
    """Return the places of pieces that present other pages, and of headings with nothing else below."""
    teasers = _headed(found, is_article=is_article) | _cut(found)
    if in_shop or is_article:
        teasers |= _link_lines(found, least=1 if in_shop else _LEAST_TEASERS)
        teasers |= _at_end(found, in_shop=in_shop)
        teasers |= _empty(found, teasers, least_bare=_LEAST_TEASERS if in_shop else None)
    return teasers


def with_figures(found: Sequence[Found]) -> set[int]:
    """Return the places of headings with a figure in the text below; a copyright notice does not count."""
    places: set[int] = set()
    above: list[int] = []
    for at, each in enumerate(found):
        if each.level:
            while above and found[above[-1]].level >= each.level:
                above.pop()
            above.append(at)
        elif each.leads or each.piece.kind in (LABEL, BYLINE):
            continue
        elif _has_figure(each) and not ends_in_copyright(each.piece.text):
            places.update(above)
            above.clear()
    return places


def _headed(found: Sequence[Found], *, is_article: bool) -> set[int]:
    """Return the places of linked headings and the few words below each.

    At least three are needed; in an article, one with "Read more" is enough. On other pages they are the
    text, and not teasers, if they have more than a fifth of the words.
    """
    if not any(each.leads and each.level for each in found):
        return set()
    sizes = [word_count(each.piece.text) for each in found]
    short = [places for places in _linked(found) if sum(sizes[at] for at in places) <= LONGEST_SUMMARY]
    if len(short) < _LEAST_TEASERS:
        short = [places for places in short if is_article and any(_has_more(found[at]) for at in places)]
    teasers = {at for places in short for at in places}
    is_text = not is_article and sum(sizes[at] for at in teasers) > _MOST_TEASERS * sum(sizes)
    return set() if is_text else teasers


def _has_more(found: Found) -> bool:
    return found.has_more or (found.piece.kind == LABEL and is_more(found.piece.text))


def _linked(found: Sequence[Found]) -> Iterator[range]:
    """Yield the places of each linked heading and what is below it."""
    start, level = 0, 0
    for at, each in enumerate((*found, END)):
        if level and each.level and (each.leads or each.level <= level):
            yield range(start, at)
            level = 0
        if each.leads and each.level:
            start, level = at, each.level


def _cut(found: Sequence[Found]) -> set[int]:
    """Return the places of texts that end in dots before a link to the rest, and of their titles.

    A single text may end in dots by itself, so at least two are needed.
    """
    places: set[int] = set()
    count = 0
    for at, (each, after) in enumerate(pairwise((*found, END))):
        is_cut = each.piece.kind in LINES and each.piece.text.endswith(_CUT)
        if not is_cut or not (each.has_more or _has_more(after)):
            continue
        count += 1
        places.add(at)
        above = next((i for i in reversed(range(at)) if found[i].piece.kind not in (LABEL, BYLINE)), None)
        if above is not None and _is_title(found[above]):
            places.add(above)
    return places if count >= _LEAST_CUT else set()


def _is_title(found: Found) -> bool:
    if found.level:
        return bool(found.piece.text)
    is_line = found.piece.kind in LINES and not found.piece.text.endswith(_SENTENCE_END)
    return is_line and word_count(found.piece.text) <= _LONGEST_TITLE


def _at_end(found: Sequence[Found], *, in_shop: bool) -> set[int]:
    """Return the places of links at the end of a page and of the short line below each, if there are three.

    A line with a figure is kept, because it may be about what this page offers. In a shop, a bare price is
    not kept.
    """
    start = len(found)
    for at in reversed(range(len(found))):
        if not _is_small(found[at]):
            break
        start = at
    teasers: set[int] = set()
    lines = 0
    for at, (each, after) in enumerate(pairwise((*found[start:], END)), start):
        if not each.leads_on or each.level:
            continue
        if not _is_text(after):
            teasers.add(at)
        elif not _has_figure(after) or (in_shop and _is_mere_price(after.piece.text)):
            teasers.update((at, at + 1))
            lines += 1
    return teasers if lines >= _LEAST_TEASERS else set()


def _is_small(found: Found) -> bool:
    """Return whether a piece may belong to a list of teasers: a heading, a label or a short line."""
    if found.level or found.piece.kind in (LABEL, BYLINE):
        return True
    return found.piece.kind in LINES and word_count(found.piece.text) <= _LONGEST_LINE


def _is_text(found: Found) -> bool:
    return found.piece.kind in LINES and not found.leads


def _has_figure(found: Found) -> bool:
    return any(character.isdigit() for character in found.piece.text)


def _is_mere_price(text: str) -> bool:
    return is_price(text) and word_count(text) <= _LONGEST_PRICE


def _link_lines(found: Sequence[Found], *, least: int) -> set[int]:
    """Return the places of lines that are nothing but links, if ``least`` follow each other without text."""
    lines: set[int] = set()
    run: list[int] = []
    for at, each in enumerate((*found, END)):
        if each.leads and not each.level:
            run.append(at)
        elif each.piece.kind != LABEL:
            lines.update(run if len(run) >= least else ())
            run = []
    return lines


def _empty(found: Sequence[Found], teasers: Container[int], *, least_bare: int | None) -> set[int]:
    """Return the places of headings that have text above and only ``teasers`` and labels below.

    These include all headings after the last text except a title. At least ``least_bare`` headings in a row
    with nothing at all below are titles of menus, as in shops. A heading with a figure counts as text:
    "Call 0800 12".
    """
    places: set[int] = set()
    bare: list[int] = []
    ends = [len(found)] * (_LOWEST + 1)
    first = text = label = len(found)
    for at in reversed(range(len(found))):
        piece, level = found[at].piece, found[at].level
        is_around = at in teasers or piece.kind in (LABEL, BYLINE)
        if level and not is_around and _has_figure(found[at]):
            text, bare = at, []
        elif level:
            is_last = text == len(found) and (least_bare is not None or level > 1)
            if piece.text and (is_last or label < ends[level] <= text):
                places.add(at)
            is_bare = piece.text and at + 1 == ends[level]
            bare.append(at) if is_bare else bare.clear()
            if least_bare and len(bare) >= least_bare:
                places.update(bare if len(bare) == least_bare else (at,))
        elif is_around:
            label, bare = at, []
        else:
            first, text, bare = at, at, []
        if level:
            ends[level:] = [at] * (_LOWEST + 1 - level)
    return {at for at in places if at > first}
