"""Which programming language a listing of a page is in, as its markup says. Pure."""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import Final

from bs4 import Tag

_LEVELS: Final = 3
_NAMED: Final = re.compile(r"(?:language|lang|highlight-source|highlight|brush:)-?([a-z][a-z0-9+#.-]{0,19})")
_BARE: Final = frozenset({"sourcecode", "src", "prettyprint", "brush:"})
_LANGUAGE: Final = re.compile(r"[a-z][a-z0-9+#.]{0,19}")
_NONE: Final = frozenset(
    {"auto", "default", "false", "none", "nohighlight", "notranslate", "plain", "plaintext", "text", "txt"}
)
_DATA: Final = ("data-lang", "data-language")


def language_of_listing(listing: Tag) -> str:
    """Return the language that a ``pre``, the code in it or an element around it names, else ""."""
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
