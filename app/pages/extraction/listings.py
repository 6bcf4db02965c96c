"""Code listings of a page: their text, and the programming language that the markup declares. Pure."""

import re
from itertools import islice, pairwise
from typing import Final

from bs4 import PageElement, Tag
from bs4.element import PreformattedString

from app.pages.extraction.blocks import without_invisible
from app.pages.extraction.elements import Elements

_LEVELS: Final = 3
_NAMED: Final = re.compile(r"(?:language|lang|highlight-source|highlight|brush:)-?([a-z][a-z0-9+#.-]{0,19})")
_BARE: Final = frozenset({"sourcecode", "src", "prettyprint", "brush:"})
_LANGUAGE: Final = re.compile(r"[a-z][a-z0-9+#.]{0,19}")
_NONE: Final = frozenset(
    {"auto", "default", "false", "none", "nohighlight", "notranslate", "plain", "plaintext", "text", "txt"}
)
_DATA: Final = ("data-lang", "data-language")
_BREAKS: Final = re.compile(r"\r\n?")
_GUTTER: Final = frozenset({"ln", "lnt", "line-number", "line-numbers", "gutter", "blob-num", "hljs-ln-n"})
_NUMBERED: Final = re.compile(r"\s*\d+\s*(?:\n\s*\d+\s*)+")


def listing_text(listing: Tag, elements: Elements) -> str:
    """Return the lines of a listing, without line numbers; "" for a column of nothing else."""
    parts: list[str] = []
    stack: list[PageElement] = [listing]
    while stack:
        item = stack.pop()
        if isinstance(item, Tag):
            if item.name == "br":
                parts.append("\n")
            elif item is listing or not (elements.hides(item) or _is_gutter(item)):
                stack.extend(reversed(item.contents))
        elif not isinstance(item, PreformattedString):
            parts.append(str(item))
    text = without_invisible(_BREAKS.sub("\n", "".join(parts)))
    if _NUMBERED.fullmatch(text):
        return ""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def language_of_listing(listing: Tag) -> str:
    """Return the language that a ``pre``, the code in it or an element around it declares, else ""."""
    inside = [child for child in listing.contents if isinstance(child, Tag) and child.name == "code"]
    for tag in (*inside[:1], listing, *islice(listing.parents, _LEVELS)):
        language = _declared(tag)
        if language:
            return language
    return ""


def _declared(tag: Tag) -> str:
    names = str(tag.get("class", "")).lower().split()
    found = [str(tag.get(name, "")).lower() for name in _DATA]
    found += [match[1] for name in names if (match := _NAMED.fullmatch(name))]
    found += [after.strip(";") for name, after in pairwise(names) if name in _BARE]
    return next((each for each in found if _LANGUAGE.fullmatch(each) and each not in _NONE), "")


def _is_gutter(tag: Tag) -> bool:
    """Return whether an element of a listing has a line number."""
    names = str(tag.get("class", "")).split()
    if not _GUTTER.isdisjoint(names):
        return True
    return "user-select" in str(tag.get("style", "")) and (tag.string or "").strip().isdigit()
