"""Plain text written as Markdown: nothing in it can become markup by accident."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Final, NamedTuple

HEADING_ID: Final = "section-"
"""How the id of every heading begins."""

PAGE_LINK: Final = re.compile(r"\[\[page:(\d{1,18})\|([^\[\]|\n]{1,120})\]\]")
"""A link as a model writes it, ``[[page:12|anchor]]``: only this application turns it into an address."""

_MARKS: Final = re.compile(r"([\\`*_\[\]{}~|])")
# Not "\<": some renderers know no such escape and would read a tag.
_ANGLES: Final = str.maketrans({"<": "&lt;", ">": "&gt;"})
_ACTIVE: Final = re.compile(
    r"<[^<>]*[\s/\"']on[a-z]+\s*=|<\s*/?\s*(?:script|style|iframe|object|embed|applet|svg|math|link|meta|base|form|img"
    r"|image|video|audio|body|html|template|textarea|input|button|select|frame|frameset|noscript|xmp|plaintext|marquee)\b"
    r"|(?:javascript|vbscript|livescript)\s*:|data\s*:\s*(?:text|image|application)/|<!--|<!\[CDATA|<[?%]|\{\{|\{%|#\{"
    r"|\$\{(?![\w.:/@?=+ -]+\})"  # the name of a variable, as in scripts and configurations, runs nothing
    r"|\[\[page:"
    r"|(?!(?<![^\n])\[\w+\]\n[\w.-]+ ?=)"  # a section of a configuration
    r"\[/?(?:embed|audio|video|gallery|playlist|caption|shortcode|iframe|script|php)\b",
    re.IGNORECASE,
)
_ENTITY: Final = re.compile(r"&(?=#?\w+;)")
_LINE_START: Final = re.compile(r"^(\s*)([#+\-=]|\d+(?=[.)](?:\s|$)))")
_FENCE_RUN: Final = re.compile(r"`{3,}")
_LANGUAGE_NAME: Final = re.compile(r"[\w+#.-]{1,30}")


def escape(text: str) -> str:
    """Return ``text`` (one line) so that Markdown shows exactly these characters."""
    escaped = _ENTITY.sub("&amp;", _MARKS.sub(r"\\\1", text)).translate(_ANGLES)
    return _LINE_START.sub(_escape_start, escaped)


def escape_inside(text: str) -> str:
    """Return ``text`` as ``escape`` does, for text that does not begin a line."""
    return escape(f"x{text}")[1:]


class Span(NamedTuple):
    """A part of a text that is shown as inline code, or in bold."""

    start: int
    stop: int
    is_bold: bool = False


def escape_with_marks(text: str, spans: Iterable[Span], *, in_cell: bool = False) -> str:
    """Return ``text`` as ``escape`` does, with these spans of it as inline code or in bold.

    In the cell of a table a bar ends the cell in code, too, unless it is escaped.
    """
    parts, end = [escape(text)], 0
    for start, stop, is_bold in spans:
        parts[-1] = escape_inside(text[end:start]) if end else escape(text[:start])
        code = text[start:stop].replace("|", "\\|") if in_cell else text[start:stop]
        parts += [f"**{escape_inside(text[start:stop])}**" if is_bold else f"`{code}`"]
        parts += [escape_inside(text[stop:])]
        end = stop
    return "".join(parts)


def occurrences(run: str, text: str) -> list[tuple[int, int]]:
    """Return where a run of characters occurs in a text, not as part of a longer word."""
    return [match.span() for match in re.finditer(rf"(?<!\w){re.escape(run)}(?!\w)", text)]


def spans_of(
    text: str, code: Iterable[tuple[str, int]], strong: Iterable[tuple[str, int]] = ()
) -> list[Span]:
    """Return where the marked runs of a sentence are in its text, in order; none within another."""
    found: list[Span] = []
    for is_bold, runs in ((False, code), (True, strong)):
        for run, before in runs:
            places = occurrences(run, text)
            found += [Span(*place, is_bold) for place in places[before : before + 1]]
    kept: list[Span] = []
    for span in sorted(found):
        if not kept or span.start >= kept[-1].stop:
            kept.append(span)
    return kept


def looks_active(text: str) -> bool:
    """Return whether a text contains a script, an event handler or a template tag.

    It is escaped here, but a publish target may show it unescaped: such text is not quoted at all.
    """
    return _ACTIVE.search(text) is not None


def link(anchor: str, url: str) -> str:
    """Return a Markdown link."""
    return f"[{escape_inside(anchor)}]({destination(url)})"


def destination(url: str) -> str:
    """Return the address of a link or an image, in angle brackets if it contains parentheses or blanks."""
    address = _ENTITY.sub("&amp;", url.replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C"))
    return f"<{address}>" if re.search(r"[()\s]", address) else address


def shown(text: str) -> str:
    """Return ``text`` as a reader sees it: each placeholder as its anchor."""
    return PAGE_LINK.sub(lambda match: match[2].strip(), text)


def with_backticks(text: str, code: Iterable[tuple[str, int]]) -> str:
    """Return a text, which may have placeholders, with its code between backticks, as a model writes it."""
    places = _places_of_shown(text)
    seen = "".join(text[place] for place in places)
    for start, stop, _ in reversed(spans_of(seen, code)):
        begin, end = places[start], places[stop - 1] + 1
        if end - begin == stop - start:
            text = f"{text[:begin]}`{text[begin:end]}`{text[end:]}"
    return text


def _places_of_shown(text: str) -> list[int]:
    """Return the places of the characters that readers see: of a placeholder those of its words."""
    places: list[int] = []
    end = 0
    for found in PAGE_LINK.finditer(text):
        places += [*range(end, found.start()), *range(*found.span(2))]
        end = found.end()
    return [*places, *range(end, len(text))]


def links_in(text: str) -> list[tuple[int, str]]:
    """Return the page and the anchor of each placeholder, in order."""
    return [(int(match[1]), match[2].strip()) for match in PAGE_LINK.finditer(text)]


def heading_ids(headings: Iterable[str]) -> list[str]:
    """Return the ids under which the headings of a rendered text, in their order, can be linked.

    Of headings with the same words ("C", "C++") the later ones have a number.
    """
    ids: dict[str, None] = {}
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(2))
    for heading in headings:
        name = HEADING_ID + "-".join(re.findall(r"\w+", heading.lower()))
        numbered = (f"{name}-{number}" for number in numbers[name])
        ids[next(each for each in chain([name], numbered) if each not in ids)] = None
    return list(ids)


def pipe_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; cells already are Markdown, and short rows are filled up with empty ones.

    Markdown knows no table without a header: without one its cells are empty.
    """
    columns = max(len(row) for row in (header, *rows))
    head, *body = [[*row, *[""] * (columns - len(row))] for row in (header, *rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * columns, *body))


def fenced(code: str, language: str = "") -> str:
    """Return a code block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in _FENCE_RUN.findall(code)), default=2)
    fence = "`" * max(3, longest + 1)
    named = language if _LANGUAGE_NAME.fullmatch(language) else ""
    return f"{fence}{named}\n{code}\n{fence}"


def _escape_start(match: re.Match[str]) -> str:
    blank, mark = match.groups()
    return f"{blank}{mark}\\" if mark.isdigit() else f"{blank}\\{mark}"
