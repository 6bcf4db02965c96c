"""What a page says by attributes alone: tables and lists by ARIA roles, and where its counters end. Pure.

The roles are those of WAI-ARIA 1.2: https://www.w3.org/TR/wai-aria-1.2/#role_definitions
"""

from typing import Final

from bs4 import NavigableString, Tag

_OF_TABLES: Final = {
    "table": "table",
    "grid": "table",
    "rowgroup": "tbody",
    "row": "tr",
    "columnheader": "th",
    "rowheader": "th",
    "cell": "td",
    "gridcell": "td",
}
_OF_LISTS: Final = {"list": "ul", "listitem": "li"}
_MEANINGLESS: Final = frozenset({"div", "span", "section", "p"})
_ENDS: Final = ("data-to-value", "data-countup", "data-count", "data-counter-value")
"""Where the scripts of page builders have the number that a counter shows in the end."""
_STARTS: Final = frozenset({"", "0", "0%"})


def apply_attributes(body: Tag) -> None:
    """Give elements the names that their roles stand for, and counters their last number."""
    tags = [tag for tag in body.find_all(True) if tag.name in _MEANINGLESS]
    _name_by_roles([tag for tag in tags if tag.get("role")])
    for tag in tags:
        last = next((str(tag[name]) for name in _ENDS if tag.get(name)), "")
        if last[:1].isdigit() and _own_text(tag) in _STARTS:
            tag.string = f"{last}{tag.get('data-suffix', '')}"


def _own_text(tag: Tag) -> str | None:
    """Return the text of an element that has nothing else, None for any other."""
    texts = [each for each in tag.contents if isinstance(each, NavigableString)]
    return "".join(texts).strip() if len(texts) == len(tag.contents) else None


def _name_by_roles(tags: list[Tag]) -> None:
    roles = {str(tag["role"]).strip().lower() for tag in tags}
    names = {
        **(_OF_TABLES if roles >= {"row"} and roles & {"table", "grid"} else {}),
        **(_OF_LISTS if roles >= _OF_LISTS.keys() else {}),
    }
    for tag in tags:
        tag.name = names.get(str(tag["role"]).strip().lower(), tag.name)
