"""Recognises parts around a page's text by their class names, such as comments and teasers. Pure.

A name is split into its words: "article-related-posts", "relatedPosts" and "related_posts" mean the same.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bs4 import NavigableString, PageElement, Tag

from app.pages.extraction.elements import Elements
from app.pages.extraction.furniture import BYLINE, LABEL
from app.pages.extraction.inline import INLINE

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LAYOUT: Final = frozenset({"has", "with", "no", "without", "open", "closed", "enabled", "disabled"})
"""A name with one of these describes the element that it is on, which may be the whole article."""
_SECTIONS: Final = frozenset(
    "section sect1 sect2 sect3 sect4 refentry refsect1 refsect2 chapter appendix table example".split()
)
_TEXT: Final = INLINE | {"p", "h1", "h2", "h3", "blockquote"}
_OF_TEXT: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "li"})
_WHOLE: Final = frozenset({"main", "body", "article", "html"})
_SMALL: Final = 300
_TINY: Final = 60
_COLUMN: Final = 0.8

_ALIKE: Final = frozenset({"related", "recommended", "recommendation", "recommendations", "similar"})
_FURTHER: Final = frozenset({"popular", "trending", "latest", "recent", "more", "most", "other", "next"})
_SINGULAR: Final = frozenset({"article", "post", "story", "content", "product", "reading"})
_PLURAL: Final = frozenset(
    {"articles", "posts", "news", "stories", "links", "topics", "products", "headlines", "videos", "entries"}
)
_LISTS: Final = _PLURAL | {"list", "items"}
_TEASERS: Final = frozenset({"recirc", "recirculation", "outbrain", "taboola", "upsells", "playlist"})
_COUNTED: Final = frozenset({"read", "viewed", "commented", "shared"})
_COMMENTS: Final = frozenset(
    """
    comment comments commentlist disqus commentaire commentaires kommentar kommentare comentario comentarios
    comentarios commento commenti reacties komentarze
    """.split()
)
_OF_PAGES: Final = frozenset({"article", "content", "post", "page", "entry", "story", "print"})
_INSIDE: Final = frozenset({"main", "article", "section"})
_OF_NETWORKS: Final = frozenset({"links", "icons", "media", "buttons", "bar", "share", "list", "follow"})
_PICTURES: Final = frozenset({"image", "photo", "picture", "media", "caption"})
_IN_ARTICLES: Final = frozenset(
    """
    ad ads advert advertisement aside breadcrumb breadcrumbs copyright cta disclaimer donate edition editions
    feedback foot footer keywords login masthead menu meta nav navigation next pager popular prev previous
    modal overlay popup promo promos promotion rating ratings register related replies report secondary
    shoutbox signup sponsor sponsored stars supplemental tags teaser teasers textwidget tool toolbar tools
    vote votes
    """.split()
)
"""Readability's ``unlikelyCandidates`` and ``negative``, trafilatura's ``OVERALL_DISCARD_XPATH``."""
_OF_PRODUCTS: Final = frozenset(
    """
    upsell upsells crosssell crosssells viewed minicart wishlist wish breadcrumb breadcrumbs login register
    overlay popup modal tooltip footer error errors alert alerts loyalty
    """.split()
)
_REVIEWS: Final = frozenset(
    "review reviews rating ratings stars bewertung bewertungen recensioni avis opinie".split()
)
_CARTS: Final = frozenset({"cart", "basket", "bag"})
_ON_TOP: Final = frozenset(
    {"mini", "header", "top", "summary", "empty", "overlay", "popup", "layer", "drop", "dropdown", "block"}
)
_COOKIES: Final = frozenset({"cookie", "cookies"})
_BOXES: Final = frozenset(
    {"agreement", "policy", "notice", "text", "bar", "banner", "consent", "law", "info", "message", "box"}
)
_COLUMNS: Final = frozenset({"bar", "column", "col", "side", "block", "container", "pane", "content"})
_WIDGETS: Final = frozenset({"widget", "widgets"})
_PLAYERS: Final = frozenset({"video", "gallery", "carousel", "slideshow"})
_SECOND_COLUMNS: Final = frozenset(
    {"rightcol", "right col", "right column", "column right", "column secondary"}
)

_Names = frozenset[str]


@dataclass(frozen=True)
class _Part:
    """A kind of part: the words of a name that identify it, the kind of its lines, and how large it may be.

    ``share``: the most of the page's text that one may hold; ``together``: all of them; ``most``: the most
    characters. ``in_articles``: only the pages that are articles have it, ``in_shops``: only those that sell
    a product. ``is_inline``: no heading or item is one. ``is_in_columns``: beside it there are only
    others. ``is_outside``: it is in no section.
    """

    matches: Callable[[_Names], bool]
    kind: str = LABEL
    share: float = 0.5
    together: float = 0.5
    most: int | None = None
    in_articles: bool = False
    is_inline: bool = False
    in_shops: bool = False
    not_in_shops: bool = False
    is_in_columns: bool = False
    is_outside: bool = False


def _is_teasers(words: _Names) -> bool:
    if words & _TEASERS or ("most" in words and words & _COUNTED):
        return True
    things = words & (_PLURAL | _SINGULAR)
    return bool((words & _ALIKE and things) or (words & _FURTHER and words & _PLURAL))


def _is_upsell(words: _Names) -> bool:
    return bool(words & {"cross", "up"} and words & {"sell", "selling"})


def _is_column(words: _Names) -> bool:
    # A plain "sidebar" that is not left out already is a titled box of a book.
    return "rail" in words or words > {"sidebar"} or ("footer" in words and bool(words & _OF_PAGES))


_PARTS: Final = (
    _Part(lambda words: bool(words & _COMMENTS), share=0.9),
    _Part(_is_teasers),
    _Part(lambda words: "related" in words and bool(words & _LISTS), share=0.95, in_articles=True),
    _Part(lambda words: bool(words & _REVIEWS), share=0.95, in_shops=True),
    _Part(lambda words: bool(words & _OF_PRODUCTS or _is_upsell(words)), together=0.9, in_shops=True),
    _Part(lambda words: bool(words & _CARTS and words & _ON_TOP), in_shops=True),
    _Part(_is_column, together=0.9),
    _Part(lambda words: "footer" in words, in_articles=True, is_outside=True),
    _Part(lambda words: "footer" in words, share=0.2, is_outside=True),
    _Part(lambda words: bool(words & {"breadcrumb", "breadcrumbs"}), share=0.2),
    _Part(lambda words: bool(words & {"newsletter", "subscribe"}), most=2 * _SMALL),
    _Part(
        lambda words: bool(
            words & {"share", "sharing", "addthis"} or ("social" in words and words & _OF_NETWORKS)
        ),
        most=_SMALL,
    ),
    _Part(lambda words: "caption" in words, kind="caption", most=_SMALL, not_in_shops=True),
    _Part(lambda words: bool(words & _IN_ARTICLES), share=0.2, in_articles=True),
    _Part(lambda words: bool("right" in words and words & _COLUMNS), in_articles=True),
    _Part(lambda words: bool(words & {"facebook", "toolbar"}), most=2 * _SMALL, in_articles=True),
    _Part(lambda words: bool(words & _WIDGETS), share=0.2, in_articles=True, is_in_columns=True),
    _Part(lambda words: bool(words & _COOKIES and words & _BOXES), most=2 * _SMALL),
    _Part(lambda words: bool(words & _PLAYERS), kind="caption", share=0.2, in_articles=True),
    _Part(lambda words: words == {"field", "label"}, most=_TINY, in_articles=True),
    _Part(lambda words: "credit" in words and bool(words & _PICTURES), most=_SMALL),
    _Part(lambda words: bool(words & {"bio", "biography"}), kind=BYLINE, most=4 * _SMALL, in_articles=True),
    _Part(lambda words: bool(words & {"byline", "dateline", "timestamp"}), kind=BYLINE, most=_SMALL),
    _Part(lambda words: bool(words & {"badge", "ribbon"}), most=_TINY, is_inline=True),
)


def parts_around(elements: Elements, *, is_article: bool, in_shop: bool = False) -> dict[int, str]:
    """Return the kinds of lines of the elements that are around the page's text, by their ids.

    None of them has the page's title or most of its text, and neither have all of one kind together: some
    page builders call each paragraph a "widget".
    """
    sizes = _sizes(elements)
    total = sizes[id(elements.body)]
    parts = [
        part
        for part in _PARTS
        if (is_article or not part.in_articles)
        and (in_shop or not part.in_shops)
        and not (in_shop and part.not_in_shops)
    ]
    in_book = not (is_article or in_shop)
    found: dict[_Part, list[Tag]] = defaultdict(list)
    for tag in elements.tags:
        part = _part_of(tag, parts, sizes[id(tag)], total, in_book=in_book)
        if part is None or elements.has_title(tag):
            continue
        if not (part.is_outside and elements.nearest(tag, _INSIDE)):
            found[part].append(tag)
    for part in found:
        if part.is_in_columns:
            found[part] = _in_columns(found[part], sizes)
    return {
        id(tag): part.kind
        for part, tags in found.items()
        if sum(sizes[id(tag)] for tag in _outermost(tags, elements)) <= max(part.share, part.together) * total
        for tag in tags
    }


def _in_columns(tags: Sequence[Tag], sizes: Counter[int]) -> list[Tag]:
    """Return those of some elements beside which there is hardly any other text."""
    among: Counter[int] = Counter()
    for tag in tags:
        among[_above(tag)] += sizes[id(tag)]
    return [tag for tag in tags if among[_above(tag)] > _COLUMN * sizes[_above(tag)]]


def _outermost(tags: Sequence[Tag], elements: Elements) -> Iterator[Tag]:
    """Yield those of some elements that are in none of the others."""
    covering = {id(tag) for tag in tags}
    inside: set[int] = set()
    for tag in elements.tags:
        if _above(tag) in covering:
            covering.add(id(tag))
            inside.add(id(tag))
    return (tag for tag in tags if id(tag) not in inside)


def _part_of(tag: Tag, parts: Iterable[_Part], size: int, total: int, *, in_book: bool) -> _Part | None:
    if tag.name in _WHOLE or not size:
        return None
    fitting = (
        part for part in parts if size <= part.share * total and (part.most is None or size <= part.most)
    )
    names = [*names_of(tag, in_book=in_book)]
    found = (
        part
        for part in fitting
        if not (part.in_articles and tag.name in _TEXT) and not (part.is_inline and tag.name in _OF_TEXT)
    )
    return next((part for part in found for words in names if part.matches(words)), None)


def names_of(tag: Tag, *, in_book: bool = False) -> Iterator[frozenset[str]]:
    """Yield the words of each class name and of the id of an element.

    The id of a section of a book is the address of its heading, such as "comments" in one on SQL.
    """
    classes = str(tag.get("class", "")).split()
    is_section = in_book and (tag.name == "section" or not _SECTIONS.isdisjoint(classes))
    own = [] if is_section else [str(tag.get("id", ""))]
    for name in (*classes, *own):
        words = [word.lower() for word in _WORDS.findall(name)]
        if not words or _LAYOUT & set(words):
            continue
        yield frozenset(["rail", *words] if " ".join(words) in _SECOND_COLUMNS else words)


def _sizes(elements: Elements) -> Counter[int]:
    """Return how many characters of text each element has, blanks aside."""
    sizes: Counter[int] = Counter()
    for each in reversed(elements.nodes):  # the contents of an element come before itself
        if type(each) is NavigableString:
            sizes[_above(each)] += len(each) - each.count(" ") - each.count("\n")
        elif isinstance(each, Tag) and not elements.hides(each):
            sizes[_above(each)] += sizes[id(each)]
    return sizes


def _above(each: PageElement) -> int:
    return id(each.parent)
