"""Links as a model writes them: ``[[page:12|anchor]]``, turned into addresses by us and by nobody else."""

from __future__ import annotations

import re
from typing import Final

PAGE_LINK: Final = re.compile(r"\[\[page:(\d{1,18})\|([^\[\]|\n]{1,120})\]\]")


def shown(text: str) -> str:
    """Return ``text`` as a reader sees it: each placeholder as its anchor."""
    return PAGE_LINK.sub(lambda match: match[2].strip(), text)


def links_in(text: str) -> list[tuple[int, str]]:
    """Return the page and the anchor of each placeholder, in order."""
    return [(int(match[1]), match[2].strip()) for match in PAGE_LINK.finditer(text)]
