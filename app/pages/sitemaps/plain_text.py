"""A plain text sitemap: one address a line, in constant memory. Pure."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

from app.pages.sitemaps.entries import Damage

_MAX_LINE: Final = 65536
_LINE_ENDS: Final = re.compile(r"[\r\n]+")


def text_lines(stream: Iterator[bytes], encoding: str, may_be_cut: Callable[[], bool]) -> Iterator[str]:
    """Yield the lines that are not blank; a text whose first line is no web address is some other document.

    A last line without an end is left out when the text ``may_be_cut``. Raises Damage.
    """
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    rest = ""
    first = True
    for chunk in chain(stream, [b""]):
        lines = _LINE_ENDS.split(rest + decoder.decode(chunk, final=not chunk))
        cut = not chunk and bool(lines[-1].strip()) and may_be_cut()
        rest = lines.pop() if chunk or cut else ""
        for line in filter(None, (line.strip() for line in lines)):
            if first and not line.lower().startswith(("http://", "https://")):
                raise Damage("NOT_A_SITEMAP", "The document is neither XML nor a list of addresses.")
            first = False
            yield line
        if first and len(rest) > _MAX_LINE:
            raise Damage("NOT_A_SITEMAP", "The document is neither XML nor a list of addresses.")
        if cut:
            raise Damage("TRUNCATED", "The document seems to end early.")
        rest = rest[:_MAX_LINE]  # longer than any address
    if first:
        raise Damage("NOT_A_SITEMAP", "The document is empty.")
