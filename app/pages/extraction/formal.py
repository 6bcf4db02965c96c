"""Finds the titles of figures and tables in books made with DocBook: they are captions, not headings. Pure.

<div class="table"><p class="title"><b>Table 2.3. Locations</b></p> … </div>
"""

import re
from typing import Final

from bs4 import Tag

_TITLED: Final = frozenset({"figure", "table"})
_NUMBER: Final = re.compile(r"^[^\W\d_]+\s\d+(?:[.–-]\d+)*\.\s+(?=\S)")


def title_of_formal(tag: Tag) -> Tag | None:
    """Return the title of a figure or table of a book, the first thing in it; None of another element."""
    if tag.name != "div" or _TITLED.isdisjoint(_classes(tag)):
        return None
    first = next((each for each in tag.find_all(True, recursive=False, limit=2) if each.name != "a"), None)
    return first if first is not None and first.name == "p" and "title" in _classes(first) else None


def without_number(title: str) -> str:
    """Return a title without its number in the book: "Locations" for "Table 2.3. Locations"."""
    return _NUMBER.sub("", title)


def _classes(tag: Tag) -> list[str]:
    return str(tag.get("class", "")).split()
