"""Removes from a model's answer what it may not write: unstorable characters, markup, links. Pure."""

import re
from collections.abc import Collection
from functools import cache
from typing import Any, Final

from lxml.html import defs

from app.content.rendering.markdown import PAGE_LINK, looks_active, occurrences, shown
from app.language.languages import month_numbers
from app.language.words import alternatives, fold

_WITH_CONTENT: Final = re.compile(
    r"<(script|style|iframe|svg|math|template|noscript|object)\b.*?(?:</\1\s*>|$)", re.IGNORECASE | re.DOTALL
)
_TAG: Final = re.compile(r"<!--.*?(?:-->|$)|</?[a-z][^<>]*(?:>|$)", re.IGNORECASE | re.DOTALL)
_PLACEHOLDER: Final = re.compile(r"<([a-z][a-z0-9_]*)(?:[ -][a-z0-9_]+)*>", re.IGNORECASE)
_TAGS: Final = frozenset(defs.tags) | {"svg", "math"}
_MARKDOWN_LINK: Final = re.compile(r"!?\[([^\[\]]*)\]\s?(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_AUTOLINK: Final = re.compile(r"<[a-z][a-z0-9+.-]*:[^<>\s]*>", re.IGNORECASE)
_EMPHASIS: Final = re.compile(r"(\*\*|__|`+|~~)(?=\S)(.+?)(?<=\S)\1")
_KEPT: Final = "\ue000"
"""A private-use character that replaces code while markup is removed around it."""
_PLACE: Final = re.compile(rf"{_KEPT}(\d+){_KEPT}")
_CODE: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_CELL_START: Final = re.compile(r"\s*(?:\d{1,2}[.)]|[>*+-])\s+")
_INVISIBLE: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
)


@cache
def _line_mark() -> re.Pattern[str]:
    """Return the pattern of what marks a line as an item; the day of a date, as in "1. März", is no mark."""
    number = rf"\d{{1,2}}[.)]\s+(?!(?:{alternatives(month_numbers())})(?!\w))"
    return re.compile(rf"^(?:#{{1,6}}\s+|>\s+|[-*+]\s+|{number})+", re.IGNORECASE)


def storable(data: Any) -> Any:
    """Return a text, or what JSON says, without NUL and lone surrogates: no database takes them.

    Two surrogates of a pair become their character. Raises RecursionError.
    """
    if isinstance(data, str):
        return data.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore").replace("\0", "")
    if isinstance(data, list):
        return [storable(each) for each in data]
    if isinstance(data, dict):
        return {storable(name): storable(value) for name, value in data.items()}
    return data


def cleaned(text: str, linkable: Collection[int]) -> str:
    """Return one line without markup; only placeholders of ``linkable`` pages stay links.

    Code between backticks stays as it is, without them, unless it is a link or active content.
    """
    bare = _INVISIBLE.sub("", text)
    code: list[str] = []

    def kept(match: re.Match[str]) -> str:
        if not _is_code(match[1]):
            return match[1]
        code.append(match[1])
        return f"{_KEPT}{len(code) - 1}{_KEPT}"

    bare = _CODE.sub(kept, bare.replace(_KEPT, ""))
    for _ in range(3):  # what is left of nested markup may be markup again
        bare = _TAG.sub(_without_tag, _AUTOLINK.sub("", _WITH_CONTENT.sub("", bare)))
        bare = _without_links(bare)
    bare = _EMPHASIS.sub(r"\2", bare)
    bare = PAGE_LINK.sub(lambda m: m[0] if int(m[1]) in linkable else m[2].strip(), bare)
    bare = fold(_line_mark().sub("", fold(bare)))
    return fold(_PLACE.sub(lambda match: code[int(match[1])], bare))


def _without_tag(match: re.Match[str]) -> str:
    """Return what a reader replaces, "<id>", and nothing of a tag."""
    name = _PLACEHOLDER.fullmatch(match[0])
    return match[0] if name and name[1].lower() not in _TAGS else ""


def code_in(text: str) -> tuple[tuple[str, int], ...]:
    """Return the code between backticks as in ``cleaned``, each with its number of earlier occurrences."""
    found = []
    for match in _CODE.finditer(text):
        run = fold(match[1])
        if run and _is_code(run):
            found.append((run, len(occurrences(run, plain(text[: match.start()])))))
    return tuple(found)


def _is_code(run: str) -> bool:
    return "[[" not in run and not looks_active(run)


def plain(text: str) -> str:
    """Return one line of text without markup and without any link."""
    return shown(cleaned(text, ()))


def plain_cell(text: str) -> str:
    """Return the text of a cell as ``plain`` does; what would mark an item stays: "1. cut", "> or ."."""
    start = _CELL_START.match(text)
    return fold(f"{start[0]}{plain(text[start.end() :])}") if start else plain(text)


def cleaned_code(text: str) -> str:
    """Return the lines of a listing without a fence around them."""
    lines = _INVISIBLE.sub("", text).strip("\n").split("\n")
    if lines and lines[0].lstrip().startswith("```"):
        lines = lines[1:]
    if lines and lines[-1].strip() == "```":
        lines = lines[:-1]
    return "\n".join(line.rstrip() for line in lines)


def _without_links(text: str) -> str:
    """Return the text with each Markdown link as its anchor; our placeholders are left alone."""
    parts: list[str] = []
    end = 0
    for match in PAGE_LINK.finditer(text):
        parts += [_MARKDOWN_LINK.sub(r"\1", text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, _MARKDOWN_LINK.sub(r"\1", text[end:])])
