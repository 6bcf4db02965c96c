"""Tables and lists that a page marks by ARIA roles on elements that mean nothing. Pure.

The roles are those of WAI-ARIA 1.2: https://www.w3.org/TR/wai-aria-1.2/#role_definitions
"""

from typing import Final

from bs4 import Tag

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


def name_by_roles(body: Tag) -> None:
    """Give elements of tables and lists the names that their roles stand for."""
    marked = [tag for tag in body.find_all(role=True) if tag.name in _MEANINGLESS]
    roles = {str(tag["role"]).strip().lower() for tag in marked}
    names = {
        **(_OF_TABLES if roles >= {"row"} and roles & {"table", "grid"} else {}),
        **(_OF_LISTS if roles >= _OF_LISTS.keys() else {}),
    }
    for tag in marked:
        tag.name = names.get(str(tag["role"]).strip().lower(), tag.name)
