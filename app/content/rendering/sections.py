"""Finds the sections of a Markdown text by their headings. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_LINE: Final = re.compile(r"^.*$", re.MULTILINE)
_HEADING: Final = re.compile(r"(#{2,6})[ \t]+(.*?)[ \t]*#*")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


class Section(NamedTuple):
    """A heading as readers see it, its level, and the text below it up to the next heading."""

    heading: str
    level: int
    text: str


def sections_of(markdown: str) -> list[Section]:
    """Return the sections of a text; what stands before the first heading is not one."""
    found = list(_headings(markdown))
    ends = [start for start, *_ in found[1:]] + [len(markdown)]
    return [
        Section(heading, level, markdown[after:end])
        for (_, after, level, heading), end in zip(found, ends, strict=True)
    ]


def text_under(markdown: str, heading: str) -> str | None:
    """Return the text of a section with its subsections, None if no section has this heading."""
    sections = sections_of(markdown)
    first = next((n for n, each in enumerate(sections) if each.heading == heading), None)
    if first is None:
        return None
    own = [sections[first].text]
    for each in sections[first + 1 :]:
        if each.level <= sections[first].level:
            break
        own.append(each.text)
    return "\n".join(own)


def _headings(markdown: str) -> Iterator[tuple[int, int, int, str]]:
    """Yield the start and the end of each heading's line, its level and its words."""
    fence = ""
    for line in _LINE.finditer(markdown):
        marks = _FENCE.match(line[0])
        if marks and (not fence or marks[1].startswith(fence)):
            fence = "" if fence else marks[1]
        found = None if fence else _HEADING.fullmatch(line[0])
        if found:
            yield line.start(), line.end(), len(found[1]), _ESCAPED.sub(r"\1", found[2])
