"""The X-Robots-Tag header: whether an answer asks not to be indexed. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_OURS: Final = ("*", "robots", "googlebot")
_WITH_VALUE: Final = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
_NAMED: Final = re.compile(r"\s*([\w*-]+)\s*:(.*)", re.ASCII | re.DOTALL)


def says_noindex(values: Iterable[str]) -> bool:
    """Return whether any of a header's values, one for each time it was sent, says noindex to all or Google.

    A rule that follows another bot's name, up to the next name, is for that bot alone.
    """
    return any(_says_noindex(value.lower()) for value in values)


def _says_noindex(value: str) -> bool:
    for_us = True
    for rule in value.split(","):
        named = _NAMED.fullmatch(rule)
        if named and named[1] in _WITH_VALUE:
            continue
        if named:
            for_us, rule = named[1] in _OURS, named[2]
        if for_us and rule.strip() in ("noindex", "none"):
            return True
    return False
