"""The element with the text of an article, and the elements around the text of any page. Pure.

As in Mozilla's Readability (``_grabArticle``), paragraphs show where the text is: long ones with few links.
"""

from collections import Counter
from collections.abc import Container, Iterator
from typing import Final

from bs4 import NavigableString, Tag

from app.language.words import word_count
from app.pages.extraction.boxes import author_boxes, signup_boxes
from app.pages.extraction.elements import Elements
from app.pages.extraction.furniture import BYLINE, LABEL
from app.pages.extraction.inline import INLINE
from app.pages.extraction.products import tables_of_products
from app.pages.extraction.surroundings import names_of, parts_around

_BODIES: Final = frozenset({"body", "content", "text"})
_THINGS: Final = frozenset({"article", "story", "post", "entry"})
_PARAGRAPH_WORDS: Final = 20
_MOST_LINKED: Final = 0.25
"""The most of a paragraph that is links (Readability: of a paragraph that it adds to the text)."""
_LEAST_PARAGRAPHS: Final = 3
_SHARE: Final = 0.85
_LETTERS: Final = 10
"""A word and the blank after it have fewer letters in nearly all languages with blanks."""
_MENU_SHARE: Final = 0.5
_MOST_PROSE: Final = 0.5


class _Words:
    """How many words the elements below one have: in paragraphs, in links, and in all."""

    def __init__(self, root: Tag, elements: Elements, left_out: Container[int]) -> None:
        self.paragraphs: Counter[int] = Counter()
        self.prose: Counter[int] = Counter()
        self.linked: Counter[int] = Counter()
        self.total: Counter[int] = Counter()
        own: dict[int, tuple[Tag, Counter[bool]]] = {}
        for string, block, in_link in _strings(root, elements, left_out):
            own.setdefault(id(block), (block, Counter()))[1][in_link] += _length(string)
        for block, words in own.values():
            self._add(id(block), words.total(), words[True])
        # In reverse, the contents of an element come before it: each is added once to the one above.
        for tag in reversed(elements.tags):
            self._add_to(id(tag.parent), id(tag))

    def _add(self, block: int, total: int, linked: int) -> None:
        is_paragraph = total >= _PARAGRAPH_WORDS and linked <= _MOST_LINKED * total
        self.total[block] += total
        self.linked[block] += linked
        self.prose[block] += total * is_paragraph
        self.paragraphs[block] += is_paragraph

    def _add_to(self, above: int, below: int) -> None:
        for counts in (self.total, self.linked, self.prose, self.paragraphs):
            if counts[below]:
                counts[above] += counts[below]


def _length(text: str) -> int:
    """Return how many words a text has, by its letters in a script without spaces, such as Thai."""
    return max(word_count(text), len(text) // _LETTERS)


def _strings(
    root: Tag, elements: Elements, left_out: Container[int]
) -> Iterator[tuple[NavigableString, Tag, bool]]:
    """Yield the visible strings, each with the block that it is in and whether it is in a link."""
    stack = [(root, root, False)]
    while stack:
        tag, block, in_link = stack.pop()
        for child in tag.children:
            if type(child) is NavigableString and not child.isspace():
                yield child, block, in_link
            elif isinstance(child, Tag) and id(child) not in left_out and not elements.hides(child):
                inner = block if child.name in INLINE else child
                stack.append((child, inner, in_link or child.name == "a"))


def asides_of(root: Tag, elements: Elements, *, is_article: bool, in_shop: bool = False) -> dict[int, str]:
    """Return the kinds of lines of the elements below ``root`` that are around the text, by their ids.

    ``is_article``: the page says of itself that it is an article; ``in_shop``: it sells a product.
    """
    named = (
        parts_around(elements, is_article=is_article, in_shop=in_shop)
        | dict.fromkeys(author_boxes(elements), BYLINE)
        | dict.fromkeys(signup_boxes(elements), LABEL)
        | dict.fromkeys(tables_of_products(elements) if in_shop else (), LABEL)
    )
    beside = _around_article(root, elements, named, declared=is_article)
    return dict.fromkeys(map(id, beside), LABEL) | named


def names_article(elements: Elements) -> bool:
    """Return whether an element is the text of an article: by microdata, microformat or a usual name."""
    return any(_is_named(tag) for tag in elements.tags)


def _around_article(root: Tag, elements: Elements, left_out: Container[int], *, declared: bool) -> list[Tag]:
    """Return the elements around the one that has nearly all paragraphs of a page.

    They have many words, mostly in links. If the page is ``declared`` to be an article, they may also have
    few words, or more links and short lines than paragraphs. The elements ``left_out`` (ids) do not count.
    """
    words = _Words(root, elements, left_out)
    if words.paragraphs[id(root)] < _LEAST_PARAGRAPHS:
        return []
    return [
        tag
        for tag in _beside(root, words)
        if _is_around(words, id(tag), declared=declared) and not elements.has_title(tag)
    ]


def _beside(root: Tag, words: _Words) -> Iterator[Tag]:
    """Yield the elements beside the innermost one with nearly all paragraphs, and beside those around it."""
    least = _SHARE * words.prose[id(root)]
    body: Tag | None = root
    while body is not None:
        children = [child for child in body.children if isinstance(child, Tag)]
        body = next((child for child in children if words.prose[id(child)] >= least), None)
        if body is not None:
            yield from (child for child in children if child is not body)


def _is_around(words: _Words, tag: int, *, declared: bool) -> bool:
    total, linked, prose = words.total[tag], words.linked[tag], words.prose[tag]
    if prose:
        return declared and prose < _MOST_PROSE * total and linked > _MOST_LINKED * total
    return declared if total < _PARAGRAPH_WORDS else linked > _MENU_SHARE * total


def _is_named(tag: Tag) -> bool:
    if "articleBody" in str(tag.get("itemprop", "")).split():
        return True
    return any(
        (names & _THINGS and names & _BODIES) or names & {"articlebody", "hentry"} for names in names_of(tag)
    )
