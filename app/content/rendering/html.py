"""The one sanitiser: Markdown to safe HTML, and a list of what it would strip."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from app.content.rendering.blocks import all_tokens, link_addresses, parse, parser
from app.content.rendering.images import ImageAddress, html_with_addresses, image_id_of, no_address
from app.content.rendering.markdown import HEADING_ID, heading_ids
from app.content.rendering.telephone import keep_telephones

if TYPE_CHECKING:
    from markdown_it.token import Token

_TAGS: Final = {
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "hr", "br"),
    *("strong", "em", "s", "a", "img", "table", "thead", "tbody", "tr", "th", "td"),
}
_HEADINGS: Final = ("h2", "h3", "h4", "h5", "h6")
_ATTRIBUTES: Final = {"a": {"href", "title"}, "img": {"src", "alt", "title"}, "ol": {"start"}} | {
    heading: {"id"} for heading in _HEADINGS
}
_IN_TEXT: Final = f"#{HEADING_ID}"
_WEB: Final = re.compile(r"https?://[^\s/?#]", re.IGNORECASE)
_TAG: Final = re.compile(r"<\s*/?\s*([a-z][a-z0-9-]*)", re.IGNORECASE)
_CODE_OR_ESCAPE: Final = re.compile(r"(?<!`)(`+)[^`].*?(?<!`)\1(?!`)|\\.", re.DOTALL)
_HANDLER: Final = re.compile(r"<[^<>]*[\s/\"'](on[a-z]+)\s*=", re.IGNORECASE)
_HANDLER_NAME: Final = re.compile(r"on[a-z]+")
_COMMENT: Final = re.compile(r"<[!?]")
_SCRIPT_ADDRESS: Final = re.compile(r"(?:javascript|vbscript|livescript)\s*:|data\s*:", re.IGNORECASE)
_BAD_TAGS: Final = {
    *("script", "iframe", "object", "embed", "applet", "style", "link", "meta", "base", "form", "input"),
    *("button", "textarea", "select", "svg", "math", "frame", "frameset", "template", "noscript", "audio"),
    "video",
}


def render_html(markdown: str, image_address: ImageAddress = no_address) -> str:
    """Return the HTML of a Markdown text: raw HTML becomes text, only listed tags and http(s) links stay.

    Stored images get the address that ``image_address`` returns. Headings get ids where the text links to
    them, as a table of contents does. An opening bracket is written as an entity, in code and attributes too:
    WordPress runs what looks like a shortcode anywhere.
    """
    import nh3

    tokens = parse(markdown)
    for heading, name in _linked_headings(tokens):
        heading.attrSet("id", name)
    keep_telephones(tokens)
    html = parser().renderer.render(tokens, parser().options, {})
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_only_known_addresses,
        url_schemes={"http", "https", "image"},
        link_rel=None,
    )
    return html_with_addresses(clean, image_address).replace("[", "&#91;")


def linked_headings(markdown: str) -> dict[int, str]:
    """Return the id of each heading that the text links to, by the number of its line, from 0."""
    return {heading.map[0]: name for heading, name in _linked_headings(parse(markdown)) if heading.map}


def _linked_headings(tokens: list[Token]) -> list[tuple[Token, str]]:
    linked = set(map(unquote, link_addresses(tokens)))
    headings = [
        (opening, "".join(child.content for child in text.children or ()))
        for opening, text in pairwise(tokens)
        if opening.type == "heading_open" and opening.tag in _HEADINGS
    ]
    names = heading_ids(text for _, text in headings)
    return [
        (opening, name) for (opening, _), name in zip(headings, names, strict=True) if f"#{name}" in linked
    ]


def is_web_address(url: str) -> bool:
    """Return whether a link or picture keeps its address: a whole one, with http or https."""
    return bool(_WEB.match(url))


def unsafe_markup(markdown: str) -> list[str]:
    """Return what in a Markdown text is dangerous as HTML: tags, event handlers, script addresses.

    Code blocks and code spans show markup and run nothing, so they are never a finding.
    """
    findings: list[str] = []
    for token in all_tokens(parser(raw_html=True).parse(markdown)):
        if token.type in {"html_block", "html_inline"}:
            findings += unsafe_html(token.content)
        if token.type == "inline":
            # Not HTML to CommonMark, but to a laxer renderer at a publish target: <svg/onload=…>.
            findings += unsafe_html(_CODE_OR_ESCAPE.sub("", token.content))
        address = str(token.attrs.get("href") or token.attrs.get("src") or "")
        if _SCRIPT_ADDRESS.match(_bare(address)):
            findings.append(f"address {address[:60]}")
    return list(dict.fromkeys(findings))


def _only_known_addresses(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "href":
        return value if value.startswith(_IN_TEXT) or is_web_address(value) else None
    if attribute == "src":
        return value if image_id_of(value) is not None or is_web_address(value) else None
    return value


def unsafe_html(html: str) -> list[str]:
    """Return what in a text is dangerous where it is taken as HTML; a title is such a text."""
    found = [f"<{name.lower()}>" for name in _TAG.findall(html) if name.lower() in _BAD_TAGS]
    found += [f"attribute {name.lower()}" for name in _HANDLER.findall(html)]
    return [*found, *_Attributes(html).findings]


class _Attributes(HTMLParser):
    """The findings among the attributes of a text's tags, read as browsers do: quotes and entities count."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.findings: list[str] = []
        # Nothing hides in what one program takes for a comment, nor in a tag that is closed further on.
        self.feed(f"{_COMMENT.sub(' ', html)}>")
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if _HANDLER_NAME.fullmatch(name):
                self.findings.append(f"attribute {name}")
            if _SCRIPT_ADDRESS.match(_bare(value)):
                self.findings.append("script address")


def _bare(text: str) -> str:
    """Return ``text`` without the control characters browsers skip inside an address."""
    return re.sub(r"[\x00-\x1f\x7f]", "", text).strip()
