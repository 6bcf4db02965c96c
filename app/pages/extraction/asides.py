"""The elements around a page's text, and the kind of their lines. Pure."""

from __future__ import annotations

from bs4 import Tag

from app.pages.extraction.article_body import around_article, names_article
from app.pages.extraction.elements import Elements
from app.pages.extraction.furniture import BYLINE, LABEL, author_boxes, signup_boxes
from app.pages.extraction.surroundings import parts_around


def asides_of(root: Tag, elements: Elements, *, is_article: bool) -> dict[int, str]:
    """Return the kinds of lines of the elements below ``root`` that are around the text, by their ids.

    ``is_article``: the page says of itself that it is an article.
    """
    is_article = is_article or names_article(elements)
    named = (
        parts_around(elements, is_article=is_article)
        | dict.fromkeys(author_boxes(elements), BYLINE)
        | dict.fromkeys(signup_boxes(elements), LABEL)
    )
    beside = around_article(root, elements, named, declared=is_article)
    return dict.fromkeys(map(id, beside), LABEL) | named
