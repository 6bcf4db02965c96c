"""Links as a model writes them: ``[[page:12|anchor]]``, turned into addresses by us and by nobody else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from app.content.markdown import escape, escape_inside, link

PAGE_LINK: Final = re.compile(r"\[\[page:(\d{1,18})\|([^\[\]|\n]{1,120})\]\]")


def resolved(text: str, urls: Mapping[int, str]) -> str:
    """Return ``text`` as Markdown; a placeholder of a page in ``urls`` makes a link, others their anchor."""
    parts: list[str] = []
    end = 0
    for match in PAGE_LINK.finditer(text):
        page_id, anchor = int(match[1]), match[2].strip()
        parts.append(text[end : match.start()])
        parts.append(link(anchor, urls[page_id]) if page_id in urls else escape(anchor))
        end = match.end()
    parts.append(text[end:])
    # Only the first part begins a line, so only its beginning is escaped as one.
    plain = [escape(part) if number == 0 else escape_inside(part) for number, part in enumerate(parts[::2])]
    links = [*parts[1::2], ""]
    return "".join(before + made for before, made in zip(plain, links, strict=True))


def shown(text: str) -> str:
    """Return ``text`` as a reader sees it: each placeholder as its anchor."""
    return PAGE_LINK.sub(lambda match: match[2].strip(), text)


def linked_pages(text: str) -> list[int]:
    """Return the ids of the pages that the placeholders of ``text`` name, in order."""
    return [int(match[1]) for match in PAGE_LINK.finditer(text)]
