"""Finds the titles of figures, tables and examples in books made with DocBook. Pure.

<div class="table"><p class="title"><b>Table 2.3. Locations</b></p> … </div>
"""

import re
from typing import Final

from bs4 import Tag

_TITLED: Final = frozenset({"figure", "table", "example"})
_SHOWN: Final = ["table", "img", "object", "svg", "pre"]
_NUMBER: Final = re.compile(r"^[^\W\d_]+\s\d+(?:[.–-]\d+)*\.\s+(?=\S)")


def title_of_formal(tag: Tag) -> Tag | None:
    """Return the title that a figure, table or example of a book begins with; None of another element."""
    if tag.name != "div" or _TITLED.isdisjoint(_classes(tag)):
        return None
    if not is_example(tag) and tag.find(_SHOWN) is None:
        return None
    first = next((each for each in tag.find_all(True, recursive=False, limit=2) if each.name != "a"), None)
    return first if first is not None and first.name == "p" and "title" in _classes(first) else None


def is_example(tag: Tag) -> bool:
    """Return whether an element with a title is an example: its title is a heading of its text."""
    return "example" in _classes(tag)


def without_number(title: str) -> str:
    """Return a title without its number in the book: "Locations" for "Table 2.3. Locations"."""
    return _NUMBER.sub("", title)


def _classes(tag: Tag) -> list[str]:
    return str(tag.get("class", "")).split()
