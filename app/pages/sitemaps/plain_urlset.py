"""A fast path for sitemaps: one regular expression instead of an XML event for every tag. Pure.

It takes plain items, ``<url><loc>…</loc><lastmod>…</lastmod></url>`` in printable ASCII, without attributes,
entities, comments or extensions; ``changefreq`` and ``priority`` may follow. A plain item is well-formed by
itself. A document is well-formed with it exactly when it is without it, so the XML parser can skip it.
"""

import re
from typing import Final

END: Final = b"</url>"

PlainItem = tuple[str, str | None]

_BLANK: Final = " \t\r\n"
_SPACE: Final = f"[{_BLANK}]*+"
_WORD: Final = r"[!-%'-;=?-~]++"  # printable ASCII without "&", "<", ">"
_ITEM: Final = (
    rf"<url>{_SPACE}<loc>{_SPACE}({_WORD}){_SPACE}</loc>{_SPACE}"
    rf"(?:<lastmod>{_SPACE}({_WORD}){_SPACE}</lastmod>{_SPACE})?"
    rf"(?:<changefreq>{_WORD}</changefreq>{_SPACE}|<priority>{_WORD}</priority>{_SPACE})*</url>{_SPACE}"
)
_NEXT: Final = re.compile(_SPACE + _ITEM)
# It begins with letters: an optional space at the start would take quadratic time in a run of spaces.
_ANY: Final = re.compile(_ITEM)
_FEW: Final = 8
_LEAST: Final = 1024
_MOST: Final = 65536


def plain_items(text: str, start: int) -> tuple[list[PlainItem], int]:
    """Return (loc, lastmod) of the plain items that follow each other from ``start``, and their end."""
    found: list[PlainItem] = []
    while item := _NEXT.match(text, start):
        found.append((item[1], item[2]))
        start = item.end()
        if len(found) == _FEW:
            return _and_many(found, text, start)
    return found, start


def _and_many(found: list[PlainItem], text: str, start: int) -> tuple[list[PlainItem], int]:
    """Return the same where more items are likely, twice as fast.

    Splitting by the items finds their values, and anything between them, in one pass. The windows grow as
    long as there is nothing between, so that little is scanned in vain.
    """
    size = _LEAST
    while True:
        window = text[start : start + size]
        parts = _ANY.split(window)  # between, loc, lastmod, between, ..., loc, lastmod, rest
        between = [parts[0].lstrip(_BLANK), *parts[3:-1:3]]
        if any(between):
            at = next(at for at, gap in enumerate(between) if gap)
            parts = _ANY.split(window, at) if at else [window]
        if len(parts) == 1:
            return found, start
        found += zip(parts[1::3], parts[2::3], strict=True)
        start += len(window) - len(parts[-1])
        size = min(2 * size, _MOST)
