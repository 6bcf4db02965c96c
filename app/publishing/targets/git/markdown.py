"""A post's Markdown as a generator has to get it, so that readers see the same text everywhere. Pure."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from app.content.rendering.html import linked_headings

_LIQUID: Final = re.compile(r"\{\{|\{%")
_INSIDE: Final = r"((?:(?!\{\{[<%]).)*?)"
_SHORTCODE: Final = re.compile(rf"\{{\{{(?:<{_INSIDE}>|%{_INSIDE}%)\}}\}}|\{{\{{(?=[<%])", re.DOTALL)
_CLOSING_MARKS: Final = re.compile(r"[ \t]+#+[ \t]*$")


def markdown_for(flavour: str, content: str) -> str:
    """Return a post's text for a generator: linked headings with their ids, no templates."""
    return _ESCAPES.get(flavour, str)(_with_heading_ids(content, _HEADING_IDS.get(flavour, _anchor)))


def _with_heading_ids(content: str, mark: Callable[[str], str]) -> str:
    lines = content.split("\n")
    for number, name in linked_headings(content).items():
        lines[number] = f"{_CLOSING_MARKS.sub('', lines[number]).rstrip()} {mark(name)}"
    return "\n".join(lines)


def _anchor(name: str) -> str:
    return f'<a id="{name}"></a>'


def _attribute(name: str) -> str:
    return f"{{#{name}}}"


def _without_liquid(text: str) -> str:
    """Write the marks of a Liquid template as text. This also works before Jekyll 4, as on GitHub Pages."""
    return _LIQUID.sub(lambda mark: f"{{{{ '{mark[0]}' }}}}", text)


def _without_shortcodes(text: str) -> str:
    """Write Hugo's shortcodes as it wants to have them quoted; they run in code, too."""
    return _SHORTCODE.sub(_quoted_shortcode, text)


def _quoted_shortcode(found: re.Match[str]) -> str:
    for inside, mark, end in ((found[1], "<", ">"), (found[2], "%", "%")):
        if inside is not None:
            return f"{{{{{mark}/*{inside}*/{end}}}}}"
    # One that is not closed ends the build. In code, only an invisible character keeps it from that.
    return "{\u2060{"


_HEADING_IDS: Final[Mapping[str, Callable[[str], str]]] = {"hugo": _attribute}
_ESCAPES: Final[Mapping[str, Callable[[str], str]]] = {
    "hugo": _without_shortcodes,
    "jekyll": _without_liquid,
}
