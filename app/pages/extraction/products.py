"""Recognises pages of shops on one product by their markup. Pure."""

import re
from collections import Counter
from typing import Final

from bs4 import Tag

from app.pages.extraction.elements import Elements

_PRODUCT: Final = re.compile(r"schema\.org/Product/?$", re.I)
_TO_CART: Final = re.compile(
    r"add[ _-]?to[ _-]?(?:cart|basket|bag)|(?:cart|basket)_?-?add|add2?cart|cart_?quantity"
    r"|buy_?-?(?:now|block|button)",
    re.I,
)
_NAMES: Final = ("class", "id", "name", "title", "value")
_LEAST_ROWS: Final = 3
_TABLE: Final = frozenset({"table"})
_ROW: Final = frozenset({"tr"})
_FORM: Final = frozenset({"form"})
_LINK: Final = frozenset({"a"})
_ACTS: Final = re.compile(r"#|javascript:", re.I)
_PICTURES: Final = frozenset({"img", "input"})
_BOXES: Final = frozenset({"form", "fieldset", "button", "input", "a", "div", "p", "span", "td"})
"""Not the sections of a book on shops, whose ids are the addresses of their headings."""
_CART: Final = re.compile(r"cart|basket|panier|warenkorb|carrello|carrito|winkelwagen|koszyk|checkout", re.I)


def sells(elements: Elements) -> bool:
    """Return whether a page sells a product: by microdata, or by a button or form that puts it in a cart."""
    return any(
        _is_of_product(tag) or puts_in_cart(tag) or _is_picture_of_cart(tag, elements)
        for tag in elements.tags
        if tag.attrs
    )


def _is_of_product(tag: Tag) -> bool:
    return _PRODUCT.search(str(tag.get("itemtype", ""))) is not None


def puts_in_cart(tag: Tag) -> bool:
    """Return whether an element is a form or a button that puts the product in a cart, by its names."""
    if tag.name not in _BOXES or "section" in str(tag.get("class", "")).split():
        return False
    if tag.name == "form" and _CART.search(str(tag.get("action", ""))):
        return True
    return _TO_CART.search(" ".join(str(tag.get(name, "")) for name in _NAMES)) is not None


def _is_picture_of_cart(tag: Tag, elements: Elements) -> bool:
    """Return whether a picture is a button, of a form or a script, that puts the product in a cart."""
    if tag.name not in _PICTURES:
        return False
    link = elements.nearest(tag, _LINK)
    if elements.nearest(tag, _FORM) is None and (link is None or not _ACTS.match(str(link.get("href", "")))):
        return False
    return _TO_CART.search(f"{tag.get('alt', '')} {tag.get('src', '')}") is not None


def tables_of_products(elements: Elements) -> set[int]:
    """Return the ids of tables with a picture in a link in each of their rows: of other products."""
    rows = Counter(id(elements.nearest(row, _TABLE)) for row in elements.tags if row.name == "tr")
    linked = (elements.nearest(tag, _ROW) for tag in elements.tags if _is_linked_picture(tag))
    shown = Counter(
        id(elements.nearest(row, _TABLE)) for row in {id(row): row for row in linked if row}.values()
    )
    return {table for table, count in shown.items() if count >= max(_LEAST_ROWS, rows[table] - 1)}


def _is_linked_picture(tag: Tag) -> bool:
    return tag.name == "img" and tag.parent is not None and tag.parent.name == "a"
