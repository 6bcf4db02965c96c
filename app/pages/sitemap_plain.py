"""The plain part of a sitemap, taken by one regular expression instead of an event for every tag. Pure.

A plain item is ``<url><loc>…</loc><lastmod>…</lastmod></url>`` in printable ASCII, without attributes,
entities, comments or extensions; ``changefreq`` and ``priority`` may follow. It is well-formed by itself: a
document is whole with it exactly when it is whole without it, so the XML parser need not see it.
"""

from __future__ import annotations

import re
from typing import Final

END: Final = b"</url>"

_SPACE: Final = r"[ \t\r\n]*+"
_WORD: Final = r"[!-%'-;=?-~]++"  # printable ASCII without "&", "<", ">"
_ITEM: Final = (
    rf"{_SPACE}<url>{_SPACE}<loc>{_SPACE}({_WORD}){_SPACE}</loc>{_SPACE}"
    rf"(?:<lastmod>{_SPACE}({_WORD}){_SPACE}</lastmod>{_SPACE})?"
    rf"(?:<changefreq>{_WORD}</changefreq>{_SPACE}|<priority>{_WORD}</priority>{_SPACE})*+</url>"
)
_ONE: Final = re.compile(_ITEM)
_STRETCH: Final = re.compile(f"(?:{_ITEM.replace(f'({_WORD})', _WORD)})++".encode())


def plain_items(data: bytes, start: int) -> tuple[list[tuple[str, str]], int]:
    """Return (loc, lastmod or "") of the plain items that follow each other from ``start``, and their end."""
    stretch = _STRETCH.match(data, start)
    if stretch is None:
        return [], start
    return _ONE.findall(stretch.group().decode("ascii")), stretch.end()
