"""Replaces a sentence in a Markdown text, whatever links and escapes it contains. Pure."""

import re
from typing import Final

from app.content.rendering.markdown import escape, escape_inside, link
from app.pages.extraction.blocks import CELL_SEPARATOR

_TOKEN: Final = re.compile(r"\\.|&\w+;|\w+|\s+|.", re.DOTALL)
_LINK_END: Final = r"(?:\]\((?:<[^<>\n]*>|[^()\s]*)\))?"
_LINK: Final = re.compile(r"\[((?:\\.|[^\[\]\\])+)\]\((<[^<>\n]*>|[^()\s]*)\)")
_IMAGE: Final = re.compile(r"!\[(?:\\.|[^\[\]\\])*\]\([^()\n]*\)")
_UNESCAPED: Final = re.compile(r"\\(.)")


def replaced(markdown: str, old: str, new: str) -> str | None:
    """Return the text with the first ``old`` sentence as ``new``, None when it is not there.

    A link of the old sentence stays where the new one has its words. An empty ``new`` takes the sentence
    out, with its list item, table row or paragraph where nothing else is left of it. What an image is said to
    show is no sentence of the text.
    """
    found = _found(markdown, old)
    if found is None:
        return None
    if new:
        return f"{markdown[: found.start()]}{_with_link(found[0], new)}{markdown[found.end() :]}"
    return _without(markdown, found.start(), found.end())


def contains(markdown: str, sentence: str) -> bool:
    """Return whether a text contains a sentence."""
    return _found(markdown, sentence) is not None


def _found(markdown: str, sentence: str) -> re.Match[str] | None:
    images = [image.span() for image in _IMAGE.finditer(markdown)]
    matches = _pattern(sentence).finditer(markdown)
    return next((each for each in matches if not any(_overlap(each.span(), image) for image in images)), None)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _pattern(sentence: str) -> re.Pattern[str]:
    if CELL_SEPARATOR in sentence:
        cells = (re.escape(escape_inside(cell.strip())) for cell in sentence.split(CELL_SEPARATOR))
        return re.compile(r"\s*\|\s*".join(cells))
    tokens = _TOKEN.findall(escape(sentence))
    parts = (r"\s+" if token.isspace() else rf"\[?{re.escape(token)}{_LINK_END}" for token in tokens)
    return re.compile("".join(parts))


def _with_link(before: str, new: str) -> str:
    if CELL_SEPARATOR in new:
        return CELL_SEPARATOR.join(escape_inside(cell.strip()) for cell in new.split(CELL_SEPARATOR))
    found = _LINK.search(before)
    anchor = _UNESCAPED.sub(r"\1", found[1]) if found else ""
    if not found or anchor not in new:
        return escape_inside(new)
    head, _, tail = new.partition(anchor)
    return f"{escape_inside(head)}{link(anchor, found[2].strip('<>'))}{escape_inside(tail)}"


def _without(markdown: str, start: int, end: int) -> str:
    line_start = markdown.rfind("\n", 0, start) + 1
    line_end = markdown.find("\n", end)
    line_end = len(markdown) if line_end < 0 else line_end
    left = f"{markdown[line_start:start].rstrip()} {markdown[end:line_end].lstrip()}".strip()
    if not re.fullmatch(r"(?:[-*>|\s]|\d+\.)*", left):
        return f"{markdown[:line_start]}{left}{markdown[line_end:]}"
    if _is_alone(markdown, line_start, line_end):
        return f"{markdown[:line_start]}{markdown[line_end:].lstrip()}".rstrip() + "\n"
    return f"{markdown[:line_start]}{markdown[line_end + 1 :]}"


def _is_alone(markdown: str, start: int, end: int) -> bool:
    """Return whether a line is a paragraph of its own, between blank lines."""
    before, after = markdown[max(0, start - 2) : start], markdown[end : end + 2]
    return before in {"", "\n\n"} and after in {"", "\n", "\n\n"}
