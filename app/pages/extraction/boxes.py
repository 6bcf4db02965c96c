"""Small boxes around a page's text that ask for an e-mail address or present its author. Pure."""

import re
from itertools import islice
from typing import Final

from bs4 import Tag

from app.pages.extraction.elements import Elements

_LONGEST_SIGNUP: Final = 300
_MOST_FORMS: Final = 20
_FORM_LEVELS: Final = 4
_LONGEST_BIOGRAPHY: Final = 1_600
_TITLES: Final = frozenset({"h1"})
_WHOLE_PAGES: Final = frozenset({"main", "body", "article", "html"})
_AUTHORS: Final = frozenset({"author", "authors", "authorbox", "authorinfo", "authorbio"})
_NAME_PART: Final = re.compile(r"[\s_-]+")
_UNSEEN: Final = frozenset({"hidden", "submit", "checkbox", "button", "image", "email"})


def signup_boxes(elements: Elements) -> set[int]:
    """Return the ids of the small elements around forms that ask only for an e-mail address."""
    found: set[int] = set()
    inputs = (tag for tag in elements.tags if tag.name == "input" and tag.get("type") == "email")
    for field in islice(inputs, _MOST_FORMS):
        form = next((each for each in islice(field.parents, 2 * _FORM_LEVELS) if each.name == "form"), None)
        if form is None or _asks_more(form):
            continue
        box = None
        for above in islice(form.parents, _FORM_LEVELS):
            if above.name in _WHOLE_PAGES or elements.contains(above, _TITLES):
                break
            if elements.short_strings(above, _LONGEST_SIGNUP) is None:
                break
            box = above
        if box is not None:
            found.add(id(box))
    return found


def author_boxes(elements: Elements) -> set[int]:
    """Return the ids of the small elements that present the author of a page, as class or id says."""
    return {id(tag) for tag in elements.tags if _is_of_author(tag) and _is_small_box(tag, elements)}


def _is_of_author(tag: Tag) -> bool:
    names = f"{tag.get('class', '')} {tag.get('id', '')}".lower()
    return "author" in names and not _AUTHORS.isdisjoint(_NAME_PART.split(names))


def _is_small_box(tag: Tag, elements: Elements) -> bool:
    if tag.name in _WHOLE_PAGES or elements.contains(tag, _TITLES):
        return False
    return elements.short_strings(tag, _LONGEST_BIOGRAPHY) is not None


def _asks_more(form: Tag) -> bool:
    fields = form.find_all(["input", "textarea", "select"], limit=20)
    return any(field.name != "input" or field.get("type", "text") not in _UNSEEN for field in fields)
