"""The HTML of a post so that Ghost keeps all of it. Pure.

Ghost converts HTML to the format of its editor and drops what the editor has no form for: ids of headings,
the paragraphs of a list item, code in lists, linked images. Such blocks are sent as HTML cards, which Ghost
shows as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_CARD: Final = "<!--kg-card-begin: html-->\n{}\n<!--kg-card-end: html-->"
_LISTS: Final = frozenset({"ul", "ol"})
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_INLINE: Final = frozenset({"a", "br", "code", "em", "s", "strong"})


def with_cards(html: str) -> str:
    """Return sanitised HTML with each block that Ghost's editor has no form for as an HTML card."""
    from lxml.html import HtmlElement, fragments_fromstring

    blocks = [part for part in fragments_fromstring(html or "") if isinstance(part, HtmlElement)]
    return "\n".join(_block(block) for block in blocks)


def _block(block: HtmlElement) -> str:
    from lxml.html import tostring

    html = tostring(block, encoding="unicode", with_tail=False)
    has_form = _FORMS.get(block.tag)
    return html if has_form is not None and has_form(block) else _CARD.format(html)


def _is_heading(block: HtmlElement) -> bool:
    return "id" not in block.attrib and _is_inline(block)


def _is_paragraph(block: HtmlElement) -> bool:
    is_image = [child.tag for child in block] == ["img"] and not block.text_content().strip()
    return is_image or _is_inline(block)


def _is_code(block: HtmlElement) -> bool:
    return [each.tag for each in block.iterdescendants()] == ["code"] and not (block.text or "").strip()


def _is_quote(block: HtmlElement) -> bool:
    return [child.tag for child in block] == ["p"] and _is_inline(block[0])


def _is_list(block: HtmlElement) -> bool:
    return all(item.tag == "li" and _is_item(item) for item in block)


def _is_item(item: HtmlElement) -> bool:
    children = list(item)
    if children and children[-1].tag in _LISTS and not (children[-1].tail or "").strip():
        nested = children.pop()
        if not _is_list(nested):
            return False
    if [child.tag for child in children] == ["p"]:
        return not (item.text or "").strip() and _is_inline(children[0])
    return all(child.tag in _INLINE and _is_inline(child) for child in children)


def _is_inline(element: HtmlElement) -> bool:
    return all(each.tag in _INLINE for each in element.iterdescendants())


_FORMS: Final[dict[str, Callable[[HtmlElement], bool]]] = {
    **dict.fromkeys(_HEADINGS, _is_heading),
    **dict.fromkeys(_LISTS, _is_list),
    "p": _is_paragraph,
    "pre": _is_code,
    "blockquote": _is_quote,
    "hr": lambda _block: True,
}
