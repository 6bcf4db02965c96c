"""The visible text of a page's elements, with spaces as a browser shows them. Pure."""

import re
from typing import Final, TypeGuard

from bs4 import NavigableString, PageElement, Tag
from bs4.element import PreformattedString

from app.pages.extraction.blocks import Mark, squeezed, without_invisible
from app.pages.extraction.elements import Elements

INLINE: Final = frozenset(
    """
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp
    small span strike strong sub sup time tt u var wbr br img
    """.split()
)
BLOCKS: Final = frozenset({"p", "div", "ul", "ol", "table", "pre", "h1", "h2", "h3", "h4", "h5", "h6"})
_FLEXIBLE: Final = frozenset({"flex", "grid", "inline-flex", "inline-grid"})
_BLOCK_DISPLAYS: Final = frozenset({"block", "flex", "grid", "flow-root", "list-item", "table", "table-cell"})
_TILES: Final = frozenset({"b", "big", "data", "em", "i", "small", "span", "strong"})
_AMOUNT: Final = r"[~≈<>+−-]?\s?[$€£¥]?\d[\d.,'\u00a0\u202f]*\s?(?:[%+×x]|[kKmM]\+?)?"
_NUMBER: Final = re.compile(rf"{_AMOUNT}(?:\s?[→–/-]\s?{_AMOUNT})?")
_NUMBER_ENDS: Final = frozenset("0123456789%+×xkKmM")
_LONGEST_NUMBER: Final = 20
_LABEL: Final = re.compile(r"[^\W\d_]{3}")
MARKED: Final = frozenset({"b", "code", "kbd", "samp", "strong", "tt"})
_STRONG: Final = frozenset({"b", "strong"})
# Of the private use area: no visible text has them.
_OPEN: Final = {"code": "\ue000", "strong": "\ue001"}
_CLOSE: Final = "\ue002"
_SIGN: Final = re.compile("([\ue000-\ue002])")
_KINDS: Final = {sign: kind for kind, sign in _OPEN.items()}
_MOST_MARKS: Final = 20
_SPACE: Final = re.compile(r"\s+")


class InlineText:
    """Reads the visible text of elements."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements

    def of(self, *nodes: PageElement, apart: bool = False, signs: bool = False) -> str:
        """Return the visible text of consecutive nodes, with spaces around blocks inside them.

        ``apart``: there are spaces between adjacent elements too, as between the items of a flexible box.
        ``signs``: there is one at the beginning and the end of what stands out.
        """
        given = {id(node) for node in nodes}
        parts: list[str] = []
        stack: list[PageElement | str] = [*reversed(_spaced(nodes) if apart else nodes)]
        number: Tag | None = None
        named: Tag | None = None
        while stack:
            item = stack.pop()
            if isinstance(item, Tag):
                if id(item) in given or not self._elements.hides(item):
                    opened = self._opened(item)
                    stack.extend(_signed(item, opened) if signs and item.name in MARKED else opened)
            elif type(item) is str and _SIGN.fullmatch(item):
                parts.append(item)
            elif isinstance(item, str) and not isinstance(item, PreformattedString):
                if _is_label_of(number, item) or _is_next_name(named, item):
                    parts.append(" ")
                parts.append(without_invisible(item) if signs else str(item))
                number = item.parent if item[-1:] in _NUMBER_ENDS and _is_number(item) else None
                named = item.parent if _is_name(item) else None
        return "".join(parts)

    def squeezed(self, *nodes: PageElement, apart: bool = False) -> str:
        """Return the visible text with single spaces."""
        return squeezed(self.of(*nodes, apart=apart))

    def of_heading(self, tag: Tag) -> str:
        """Return a heading's text, or that of its button if a click on the button opens the section."""
        text = self.squeezed(tag)
        button = None if text else tag.find("button")
        return self.squeezed(button) if isinstance(button, Tag) else text

    def marked(self, text: str, *nodes: PageElement, apart: bool = False) -> tuple[Mark, ...]:
        """Return the marks of the visible ``text`` of these nodes."""
        tags = (node for node in nodes if isinstance(node, Tag))
        if not any(tag.name in MARKED or self._elements.contains(tag, MARKED) for tag in tags):
            return ()
        read, marks = _read_signs(self.of(*nodes, apart=apart, signs=True))
        return _outermost(marks, text)[:_MOST_MARKS] if read == text else ()

    def is_flexible(self, tag: Tag) -> bool:
        """Return whether an element's style puts gaps between its children."""
        return self._elements.display(tag) in _FLEXIBLE

    def _opened(self, tag: Tag) -> list[PageElement | str]:
        """Return the stack items of an element: its contents, last first, with spaces around a block."""
        display = self._elements.display(tag)
        contents = _spaced(tag.contents) if display in _FLEXIBLE else tag.contents
        is_joined = tag.name in INLINE and tag.name != "br" and display not in _BLOCK_DISPLAYS
        return [*reversed(contents)] if is_joined else [" ", *reversed(contents), " "]


def _spaced(nodes: tuple[PageElement, ...] | list[PageElement]) -> list[PageElement | str]:
    spaced: list[PageElement | str] = []
    for node in nodes:
        if spaced and isinstance(node, Tag) and isinstance(spaced[-1], Tag):
            spaced.append(" ")
        spaced.append(node)
    return spaced


def _signed(tag: Tag, opened: list[PageElement | str]) -> list[PageElement | str]:
    """Return the stack items of an element that stands out between two signs, last first."""
    return [_CLOSE, *opened, _OPEN["strong" if tag.name in _STRONG else "code"]]


def _read_signs(raw: str) -> tuple[str, list[Mark]]:
    """Return the visible text with single spaces, and what its signs mark."""
    text = ""
    marks: list[Mark] = []
    opened: list[tuple[str, int]] = []
    for part in _SIGN.split(raw):
        if part in _KINDS:
            opened.append((_KINDS[part], len(text)))
        elif part == _CLOSE:
            marks.append(Mark(*opened.pop(), len(text)))
        else:
            spaced = _SPACE.sub(" ", part)
            text += spaced.lstrip() if text[-1:] in {"", " "} else spaced
    return text.rstrip(), marks


def _outermost(marks: list[Mark], text: str) -> tuple[Mark, ...]:
    """Return marks without the blanks at their ends, in order; code stays, and what overlaps it does not."""
    kept: list[Mark] = []
    for kind, start, stop in sorted(marks):
        run = text[start:stop]
        begin = start + len(run) - len(run.lstrip())
        mark = Mark(kind, begin, begin + len(run.strip()))
        if run.strip() and not any(mark.start < each.stop and each.start < mark.stop for each in kept):
            kept.append(mark)
    return tuple(sorted(kept, key=lambda mark: mark.start))


def _is_number(text: str) -> TypeGuard[NavigableString]:
    """Return whether a text is a number in an element of its own, as on a tile: "41,200", "19 → 3"."""
    if not isinstance(text, NavigableString) or text.parent is None or len(text) >= _LONGEST_NUMBER:
        return False
    return text.parent.name in _TILES and bool(_NUMBER.fullmatch(text))


def _is_label_of(number: Tag | None, text: str) -> bool:
    """Return whether a text right after a number names what it counts.

    It is in an element of its own, or the rest of the element that the number is the beginning of.
    """
    if number is None or not isinstance(text, NavigableString) or text.parent is number:
        return False
    begins = text.parent is number.parent and number.previous_sibling is None and text.next_sibling is None
    return bool(_LABEL.match(text)) and (begins or _is_tile(text))


def _is_next_name(named: Tag | None, text: str) -> bool:
    """Return whether a text begins the element right after a tile in small letters: "Monthly", "Yearly"."""
    following = named.next_sibling if named is not None else None
    if not isinstance(following, Tag) or following.name not in _TILES or not text[:1].isupper():
        return False
    return str(following.contents[0]) == text


def _is_name(text: str) -> TypeGuard[NavigableString]:
    """Return whether a text is a tile that begins with a word and ends in a small letter."""
    return text[-1:].islower() and _LABEL.match(text) is not None and _is_tile(text)


def _is_tile(text: str) -> TypeGuard[NavigableString]:
    """Return whether a text is all that an inline element without a meaning of its own has."""
    if not isinstance(text, NavigableString) or text.parent is None:
        return False
    return text.parent.name in _TILES and len(text.parent.contents) == 1
