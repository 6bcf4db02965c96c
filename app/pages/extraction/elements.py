"""Answers questions about a page's elements once for each, because pages can nest very deeply. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import Final

from bs4 import NavigableString, PageElement, Tag

from app.pages.extraction.blocks import LINK_SHARE, squeezed
from app.pages.extraction.visibility import Visibility

MIN_LINKS: Final = 3
LISTS: Final = frozenset({"ol", "ul"})
HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_MOST_NODES: Final = 200
_MOST_TITLES: Final = 20
_LONGEST_TITLE: Final = 500
_SEPARATORS: Final = " |•·›»▶"
CONTENTS: Final = "toctree-wrapper"
"""The class of lists of the pages below one, in documentation made by Sphinx."""
_BOX_TITLES: Final = frozenset({"titlepage", "sidebar-title"})
_NOTES: Final = frozenset({"note", "tip", "hint", "warning", "caution", "important", "attention", "danger"})
_NOTE_NAMES: Final = _NOTES | {"notice", "warn", "callout", "admonition"}
_BOX_NAMES: Final = frozenset({"aside", "box", "block", "panel", "info", "success", "starlight", "md"})
"""What a name of a note has beside it: "starlight-aside--note", "callout-box"."""
_NO_NOTES: Final = frozenset(
    "ad ads banner cookie cta newsletter promo promotion related signup sponsored".split()
)
_NAME_PART: Final = re.compile(r"[a-z]+")
_NOTE_ROLES: Final = frozenset({"note", "doc-notice", "doc-tip"})
_TITLES: Final = frozenset({"h1"})
_WORD: Final = re.compile(r"\w+")
_TITLE_END: Final = re.compile(r"\s*[|»·]\s*|\s[–—-]\s")
_HALF: Final = 0.5
_NAMING_WORDS: Final = 2
_NAMING_SHARE: Final = 0.8


class Elements:
    """The elements below ``body``. It caches answers by their ids, so they must not change."""

    def __init__(self, body: Tag, visibility: Visibility, hub_parts: Iterable[Tag] = ()) -> None:
        """``hub_parts``: the elements in which lists of links are the page's text and no menus."""
        self._visibility = visibility
        self._of_hub = {id(tag) for part in hub_parts for tag in (part, *part.find_all(True))}
        self.body = body
        self.nodes = [*body.descendants]
        self.tags = [each for each in self.nodes if isinstance(each, Tag)]
        self.strings = [each for each in self.nodes if type(each) is NavigableString]
        self._hidden: dict[int, bool] = {}
        self._holders: dict[frozenset[str], set[int]] = {}
        self._nearest: dict[frozenset[str], dict[int, Tag]] = {}
        self._out_of_sight = {id(body): False}
        self._link_lists: dict[int, bool] = {}
        self._notes: dict[int, bool] = {}

    def has_title(self, tag: Tag) -> bool:
        """Return whether an element is the page's title or has it: the ``h1`` that says what the page's
        ``title`` says, or the first and the longest one.

        Logos and boxes are ``h1`` on some pages, too.
        """
        return id(tag) in self._of_titles

    @cached_property
    def _of_titles(self) -> set[int]:
        if self.named_heading is not None and self.named_heading.name == "h1":
            return around([self.named_heading]) | {id(self.named_heading)}
        found = islice(self.body.find_all("h1"), _MOST_TITLES)
        sizes = [(tag, len(self.short_text(tag, _LONGEST_TITLE) or "")) for tag in found]
        seen = [(tag, size) for tag, size in sizes if size and not self.is_inside_hidden(tag)]
        titles = [seen[0][0], max(seen, key=itemgetter(1))[0]] if seen else []
        titles += [self.named_heading] if self.named_heading else []
        return around(titles) | {id(tag) for tag in titles}

    @cached_property
    def named_heading(self) -> Tag | None:
        """The first visible heading of any level that says what the page's ``title`` element says.

        A heading of a section may have a few of its words; this one has at least half of those that are not
        the site's name.
        """
        title = self.body.find_previous("title")
        parts = [_WORD.findall(part.lower()) for part in _TITLE_END.split(title.get_text())] if title else []
        words = {word for part in parts for word in part}
        least = _HALF * max(map(len, parts), default=0)
        for tag in self.tags if words else ():
            if tag.name not in HEADINGS or self.is_inside_hidden(tag):
                continue
            own = _WORD.findall((self.short_text(tag, _LONGEST_TITLE) or "").lower())
            said = sum(word in words for word in own)
            if len(own) >= _NAMING_WORDS and said >= max(least, _NAMING_SHARE * len(own)):
                return tag
        return None

    def hides(self, tag: Tag) -> bool:
        """Return whether an element itself is left out with its contents."""
        hidden = self._hidden.get(id(tag))
        if hidden is None:
            hidden = self._visibility.hides(tag.name, tag.attrs) and not self._is_kept(tag)
            self._hidden[id(tag)] = hidden
        return hidden

    def _is_kept(self, tag: Tag) -> bool:
        """Return whether an element is text although its class names a part around texts.

        It is a titled box of a book (DocBook, Docutils), the contents of a page that has no other text, or
        an aside that is a note of the text or has the page's title.
        """
        if tag.name == "aside" and (self._is_note_aside(tag) or self.contains(tag, _TITLES)):
            return True
        names = str(tag.get("class", "")).split()
        if CONTENTS in names:
            return self.keeps_links(tag)
        if "sidebar" not in names:
            return False
        titles = (str(child.get("class", "")).split() for child in _children(tag))
        return any(not _BOX_TITLES.isdisjoint(names) for names in titles)

    def _is_note_aside(self, tag: Tag) -> bool:
        """Return whether an aside is a note by its role or its names, and hidden by nothing else."""
        names = [{*_NAME_PART.findall(name)} for name in str(tag.get("class", "")).lower().split()]
        is_named = any(name & _NOTE_NAMES and name <= _NOTE_NAMES | _BOX_NAMES for name in names)
        is_other = any(name & _NO_NOTES for name in names)
        is_note = (is_named or self.is_note(tag)) and not is_other
        return is_note and not self._visibility.hides_by_attributes(tag.name, tag.attrs)

    def display(self, tag: Tag) -> str:
        """Return what an element's own style or a simple rule of the page declares as its display, or ""."""
        return self._visibility.display(tag.name, tag.attrs)

    def short_strings(self, tag: Tag, most: int, without: Tag | None = None) -> list[NavigableString] | None:
        """Return the visible strings of an element that are not blank, those of ``without`` left out.

        None if they have more than ``most`` characters or are among more than 200 nodes.
        """
        found: list[NavigableString] = []
        stack: list[PageElement] = [tag]
        for _ in range(_MOST_NODES):
            if not stack:
                return found
            item = stack.pop()
            if isinstance(item, Tag):
                if item is not without and (item is tag or not self.hides(item)):
                    stack.extend(reversed(item.contents))
            elif type(item) is NavigableString and not item.isspace():
                found.append(item)
                most -= len(item)
                if most < 0:
                    return None
        return None

    def short_text(self, tag: Tag, most: int) -> str | None:
        """Return an element's visible text, its strings separated by spaces; None as in ``short_strings``."""
        strings = self.short_strings(tag, most)
        return None if strings is None else squeezed(" ".join(strings))

    def is_inside_hidden(self, tag: Tag) -> bool:
        """Return whether an element, or one around it below the body, is left out."""
        unknown: list[Tag] = []
        above: Tag | None = tag
        while above is not None and id(above) not in self._out_of_sight:
            unknown.append(above)
            above = above.parent
        hidden = self._out_of_sight[id(above)]
        for each in reversed(unknown):
            hidden = hidden or self.hides(each)
            self._out_of_sight[id(each)] = hidden
        return hidden

    def contains(self, tag: Tag, names: frozenset[str]) -> bool:
        """Return whether an element of one of these names is below this one."""
        if names not in self._holders:
            self._holders[names] = around(tag for tag in self.tags if tag.name in names)
        return id(tag) in self._holders[names]

    def nearest(self, tag: Tag, names: frozenset[str]) -> Tag | None:
        """Return the innermost element of one of these names around an element below the body, if any."""
        if names not in self._nearest:
            self._nearest[names] = nearest_above(self.tags, names)
        return self._nearest[names].get(id(tag))

    def is_link_list(self, tag: Tag) -> bool:
        """Return whether a list is a menu: at least three items, and all of them links."""
        if id(tag) not in self._link_lists:
            self._link_lists |= _judged_lists(tag)
        return self._link_lists[id(tag)]

    def keeps_links(self, tag: Tag) -> bool:
        """Return whether an element is in a part in which lists of links are the page's text."""
        return id(tag) in self._of_hub

    def is_note(self, tag: Tag) -> bool:
        """Return whether an element is a box that is set apart, as its class or its role says."""
        if id(tag) not in self._notes:
            is_named = not _NOTES.isdisjoint(str(tag.get("class", "")).lower().split())
            self._notes[id(tag)] = is_named or str(tag.get("role", "")).strip().lower() in _NOTE_ROLES
        return self._notes[id(tag)]


def around(tags: Iterable[Tag]) -> set[int]:
    """Return the ids of all elements around these."""
    found: set[int] = set()
    for tag in tags:
        above = tag.parent
        while above is not None and id(above) not in found:
            found.add(id(above))
            above = above.parent
    return found


def nearest_above(tags: Iterable[Tag], names: frozenset[str]) -> dict[int, Tag]:
    """Return the innermost element of these names around each of ``tags``, by id; they come in page order."""
    found: dict[int, Tag] = {}
    for tag in tags:
        above = tag.parent
        nearest = above if above is not None and above.name in names else found.get(id(above))
        if nearest is not None:
            found[id(tag)] = nearest
    return found


def links_in(tag: Tag, *, leading: bool = False) -> Iterator[Tag]:
    """Yield the links in an element, or the element if it is one; a nested link is a part of the outer one.

    ``leading``: only those with an address; others name a place, and their end tag may be missing.
    """
    return _outermost([tag], lambda each: each.name == "a" and (not leading or "href" in each.attrs))


def named_in(tag: Tag, names: frozenset[str]) -> Iterator[Tag]:
    """Yield the elements of these names below one; a nested one is a part of the outer one."""
    return _outermost(_children(tag), lambda each: each.name in names)


def _outermost(stack: list[Tag], is_sought: Callable[[Tag], bool]) -> Iterator[Tag]:
    while stack:
        each = stack.pop()
        if is_sought(each):
            yield each
        else:
            stack.extend(_children(each))


def _children(tag: Tag) -> list[Tag]:
    return [child for child in reversed(tag.contents) if isinstance(child, Tag)]


def _judged_lists(outermost: Tag) -> dict[int, bool]:
    """Return whether a list, and each list in it, is a menu."""
    linked = Counter({id(link): _length(link.get_text()) for link in links_in(outermost)})
    items: Counter[int] = Counter()
    characters: Counter[int] = Counter()
    lists = [outermost]
    for each in reversed([*outermost.descendants]):  # the contents of an element come before itself
        own, above = id(each), id(each.parent)
        if isinstance(each, NavigableString):
            characters[above] += _length(each)
        elif isinstance(each, Tag):
            items[above] += items[own] + (each.name == "li")
            linked[above] += linked[own]
            characters[above] += characters[own]
            if each.name in LISTS:
                lists.append(each)
    return {id(each): _is_menu(items[id(each)], linked[id(each)], characters[id(each)]) for each in lists}


def _length(text: str) -> int:
    """Return how many characters a text has without what separates the items of a menu."""
    return len(squeezed(text).strip(_SEPARATORS))


def _is_menu(items: int, linked: int, characters: int) -> bool:
    return items >= MIN_LINKS and linked > 0 and linked >= LINK_SHARE * characters


def heading_level(tag: Tag) -> int:
    """Return a heading's level, 0 for what is none."""
    if tag.name in HEADINGS or tag.get("role") != "heading":
        return HEADINGS.get(tag.name, 0)
    level = str(tag.get("aria-level", ""))
    return int(level) if level in {"1", "2", "3", "4", "5", "6"} else 2
