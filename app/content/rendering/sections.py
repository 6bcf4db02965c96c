"""Finds the sections of a Markdown text by their headings. Pure."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from app.content.rendering.blocks import blocks_of, parse, plain
from app.language.words import fold

_LONGEST_ENDING: Final = 500
LINE_END: Final = re.compile(r"\r\n?|\n")


class Section(NamedTuple):
    """A heading as readers see it, its level, and the text below it up to the next heading."""

    heading: str
    level: int
    text: str


def sections_of(markdown: str) -> list[Section]:
    """Return the sections of a text; what stands before the first heading is not one."""
    lines = LINE_END.split(markdown)
    found = [
        (opening.map, int(opening.tag[1:]), plain(words.children or ()))
        for opening, words in pairwise(parse(markdown))
        if opening.type == "heading_open" and opening.level == 0 and opening.map
    ]
    # Without a heading this is one end too many.
    ends = [*(place[0] for place, *_ in found[1:]), len(lines)]
    return [
        Section(heading, level, "\n".join(lines[place[1] : end]))
        for (place, level, heading), end in zip(found, ends, strict=False)
    ]


def endings_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the beginning of the last section of each text that has one, as plain text."""
    last = (section.text for text in texts for section in sections_of(text)[-1:])
    plain_texts = (fold(" ".join(block.text for block in blocks_of(each))) for each in last)
    return tuple(each[:_LONGEST_ENDING] for each in plain_texts if each)


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
