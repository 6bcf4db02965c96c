"""Whether what stands where an address should be is one. Pure.

What is no address at all (``mailto:``) is no page. What was one before it was damaged may be that of a page
that is known: to read it as another address would add a page that is none, and lose the one that is.
"""

from __future__ import annotations

import re
from typing import Final

from app.infra.urls import INVISIBLE, bare_authority_of

UNDECODABLE: Final = "\N{REPLACEMENT CHARACTER}"
"""What stands for bytes that are no text."""

_ABSOLUTE: Final = re.compile(r"https?://", re.IGNORECASE)
_ANOTHER: Final = re.compile(r"\s+https?://", re.IGNORECASE)
_BEHIND_SOMETHING: Final = re.compile(r"[^?#]*?https?(?::/|//)", re.IGNORECASE)
_FIRST: Final = re.compile(r"[^/?#]*")


def is_damaged(loc: str, base: str) -> bool:
    """Return whether a text may have been an address: it is empty or has bytes that are no text, holds two
    addresses or one behind other words or quotation marks, or lacks the scheme.

    ``base`` is the address of the document it stands in.
    """
    text = loc.strip(INVISIBLE)
    if not text or UNDECODABLE in text:
        return True
    if _ABSOLUTE.match(text):
        return _ANOTHER.search(text) is not None
    first = (_FIRST.match(text) or [""])[0].lower()
    host = bare_authority_of(base).partition(":")[0]
    is_host = first.startswith("www.") or first.partition(":")[0] == host
    return is_host or _BEHIND_SOMETHING.match(text) is not None
