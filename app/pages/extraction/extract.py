"""Extracts a web page's content: its metadata, and its text as blocks that keep the structure. Pure.

decode | metadata from the head | choose the main element | traverse it (``traversal``) | Extracted
"""

import hashlib
import json
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning

from app.infra.urls import InvalidUrl, normalise
from app.language.detection import language_of
from app.language.tags import valid_tag
from app.language.words import word_count
from app.pages.extraction.article_body import asides_of, names_article
from app.pages.extraction.attributes import apply_attributes
from app.pages.extraction.blocks import MAX_TEXT_BYTES, Block, Extracted, numbered, squeezed, unnumbered
from app.pages.extraction.charsets import decoded
from app.pages.extraction.elements import CONTENTS, Elements, nearest_above
from app.pages.extraction.outlinks import OutLinks
from app.pages.extraction.products import sells
from app.pages.extraction.styles import StyleRules, is_for_screens
from app.pages.extraction.traversal import blocks_of
from app.pages.extraction.visibility import Visibility

_ROBOTS: Final = ("robots", "googlebot")
_DEEPEST: Final = 512
"""The elements around another, as in Chrome."""
_MAX_TITLE: Final = 500
_MAX_DESCRIPTION: Final = 1000
_MAIN_SHARE: Final = 0.25
_MAIN_WORDS: Final = 40
_MAIN_CANDIDATES: Final = 20
_MOST_DATA: Final = 20
_POSTING: Final = re.compile(r'"@type"\s*:\s*\[?\s*"(?:News|Reportage|Blog)?(?:NewsArticle|Article|Posting)"')
_HUB_WORDS: Final = 200
_HUB_SHARE: Final = 0.5
_NOSCRIPT: Final = frozenset({"noscript"})
_ABOUT: Final = frozenset({"base", "link", "meta", "style", "title"})
_Head = defaultdict[str, list[Tag]]
_REFRESH: Final = re.compile(r"\s*[0-2]?\d(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?(\S.*)", re.I)
"""A refresh after less than 30 seconds, with an address."""
_WORDLESS: Final = frozenset({"code", "table", "table_head"})


def extract(
    html: bytes,
    url: str,
    content_type: str | None = None,
    content_language: str | None = None,
    most: int | None = MAX_TEXT_BYTES,
) -> Extracted:
    """Return the content of the page ``html``, fetched from ``url`` with these headers.

    Text beyond ``most`` bytes is left out; None keeps all of a web page. Plain text gives paragraphs. A page
    that cannot be parsed gives no blocks and raises nothing.
    """
    content_type = content_type or ""
    if content_type.lower().startswith("text/plain"):
        return from_text(decoded(html, content_type), language=valid_tag(content_language or ""))
    soup = _parsed(decoded(html, content_type))
    tags = [each for each in soup.descendants if isinstance(each, Tag)]
    head, for_scriptless = _head(tags), nearest_above(tags, _NOSCRIPT).keys()
    body = soup.body or soup
    apply_attributes(body)
    visibility = Visibility(_rules(head, for_scriptless))
    elements = Elements(body, visibility)
    base = _base(head, url)
    declared = _meta(head, "og:type").lower()
    in_shop = "product" in declared or sells(elements)
    is_article = declared == "article" or names_article(elements) or _is_posting(soup, head)
    main = _main(body, elements, is_article=is_article)
    asides = asides_of(main, elements, is_article=is_article, in_shop=in_shop)
    page_kind = {"in_shop": in_shop, "is_article": is_article}
    blocks = blocks_of(main, elements, asides, OutLinks(url, base), most, **page_kind)
    parts = body.select(f".{CONTENTS}") if main is body else [main]
    if _is_hub(parts, blocks):
        blocks = blocks_of(
            main, Elements(body, visibility, parts), asides, OutLinks(url, base), most, **page_kind
        )
    title = _title(head)
    return _content(
        blocks,
        title=title or next((block.text for block in blocks if block.kind == "heading"), ""),
        description=squeezed(_meta(head, "description") or _meta(head, "og:description"))[:_MAX_DESCRIPTION],
        canonical_url=_canonical(head, base),
        language=_declared_language(soup, head) or valid_tag(content_language or ""),
        noindex=_noindex(head),
        refresh_url=_refresh_url(head, for_scriptless, base),
    )


class _Parsed(BeautifulSoup):
    """A page whose elements are nested as deeply as in a browser; deeper ones stand beside each other.

    The parser looks at all elements around a text that it adds.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.ended: Counter[str] = Counter()
        super().__init__(*args, **kwargs)

    def handle_starttag(self, *args: Any, **kwargs: Any) -> Tag | None:
        """Add an element; if it is nested too deeply, the one around it ends."""
        if len(self.tagStack) > _DEEPEST:
            self.endData()
            self.ended[self.tagStack[-1].name] += 1
            self.popTag()  # type: ignore[no-untyped-call]
        added: Tag | None = super().handle_starttag(*args, **kwargs)
        return added

    def handle_endtag(self, name: str, nsprefix: str | None = None) -> None:
        """End an element, unless it has ended."""
        if self.ended[name]:
            self.ended[name] -= 1
            return
        super().handle_endtag(name, nsprefix)


def _parsed(html: str) -> BeautifulSoup:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        # As bytes, so that the parser does not look for a declaration itself.
        return _Parsed(
            html.encode(errors="replace"), "lxml", from_encoding="utf-8", multi_valued_attributes=None
        )


def _head(tags: Iterable[Tag]) -> _Head:
    """Return the elements with metadata by their names, wherever they are in the page."""
    found: _Head = defaultdict(list)
    for each in tags:
        if each.name in _ABOUT:
            found[each.name].append(each)
    return found


def _rules(head: _Head, for_scriptless: Container[int]) -> StyleRules:
    """Return the rules of style, without those that are only for browsers without scripts (ids)."""
    sheets = (
        tag.string or ""
        for tag in head["style"]
        if is_for_screens(_attribute(tag, "media")) and id(tag) not in for_scriptless
    )
    return StyleRules(sheets)


def from_text(text: str, language: str | None = None) -> Extracted:
    """Return the content of a plain text, with paragraphs between blank lines."""
    paragraphs = (squeezed(part) for part in re.split(r"\n[ \t\r]*\n", text))
    blocks = numbered(unnumbered("p", paragraph) for paragraph in paragraphs)
    return _content(blocks, title="", description="", canonical_url=None, language=language, noindex=False)


def _content(blocks: tuple[Block, ...], **facts: Any) -> Extracted:
    facts["language"] = language_of(facts["language"], _prose(blocks))
    fingerprint = json.dumps([_fingerprint(block) for block in blocks])
    return Extracted(
        blocks=blocks,
        headings=tuple(block.text for block in blocks if block.kind == "heading"),
        word_count=sum(word_count(block.text) for block in blocks),
        content_hash=hashlib.sha256(fingerprint.encode()).hexdigest(),
        **facts,
    )


def _fingerprint(block: Block) -> list[Any]:
    said_by = [block.speaker] if block.speaker else []
    return [block.kind, block.text, block.heading_path, block.lists, *said_by]


def _prose(blocks: tuple[Block, ...]) -> str:
    return "\n".join(block.text for block in blocks if block.kind not in _WORDLESS)


def _is_posting(soup: BeautifulSoup, head: _Head) -> bool:
    """Return whether the page's data says that it is one article: date, keywords, or one in its JSON-LD."""
    if _meta(head, "article:published_time") or _meta(head, "news_keywords"):
        return True
    data = soup.find_all("script", type="application/ld+json", limit=_MOST_DATA)
    return sum(len(_POSTING.findall(script.get_text())) for script in data) == 1


def _main(body: Tag, elements: Elements, *, is_article: bool) -> Tag:
    """Return the element with the page's own text: main or a single article if it has enough of it.

    Of several articles on a page that is one, it is that with the page's title: others follow on some sites.
    """
    articles = [tag for tag in elements.tags if tag.name == "article"]
    if is_article and len(articles) > 1 and (titled := _titled(articles, elements)) is not None:
        return titled
    candidates = [tag for tag in elements.tags if tag.name == "main" or tag.get("role") == "main"]
    candidates += articles if len(articles) == 1 else []
    whole = word_count(body.get_text(" ")) if candidates else 0
    seen = (candidate for candidate in candidates if not elements.is_inside_hidden(candidate))
    for candidate in islice(seen, _MAIN_CANDIDATES):
        words = word_count(candidate.get_text(" "))
        if words >= _MAIN_WORDS or words >= whole * _MAIN_SHARE:
            return candidate
    return body


def _titled(articles: Sequence[Tag], elements: Elements) -> Tag | None:
    """Return the article with the heading that names the page if it has enough words to be its text."""
    title = elements.named_heading
    around = {id(tag) for tag in title.parents} if title is not None else set()
    found = next((tag for tag in articles if id(tag) in around), None)
    return found if found is not None and word_count(found.get_text(" ")) >= _HUB_WORDS else None


def _is_hub(parts: Sequence[Tag], blocks: tuple[Block, ...]) -> bool:
    """Return whether a page only leads to others: it has little text beside the links in these parts."""
    own = sum(word_count(block.text) for block in blocks)
    if own >= _HUB_WORDS:
        return False
    return own < _HUB_SHARE * sum(word_count(part.get_text(" ")) for part in parts)


def _attribute(tag: Tag | None, name: str) -> str:
    value = tag.get(name) if tag is not None else None
    return value if isinstance(value, str) else " ".join(value or ())


def _meta(head: _Head, name: str) -> str:
    for tag in head["meta"]:
        if name in (_attribute(tag, "name").lower(), _attribute(tag, "property").lower()):
            content = _attribute(tag, "content").strip()
            if content:
                return content
    return ""


def _title(head: _Head) -> str:
    tag = next(iter(head["title"]), None)
    return (squeezed(tag.get_text() if tag else "") or squeezed(_meta(head, "og:title")))[:_MAX_TITLE]


def _declared_language(soup: BeautifulSoup, head: _Head) -> str | None:
    html = (_attribute(soup.html, "lang"), _attribute(soup.html, "xml:lang"))
    declared = (*html, _http_equiv(head, "content-language"), _meta(head, "og:locale"))
    return next((tag for text in declared if (tag := valid_tag(text))), None)


def _http_equiv(head: Mapping[str, list[Tag]], name: str) -> str:
    for tag in head["meta"]:
        if _attribute(tag, "http-equiv").lower() == name:
            return _attribute(tag, "content")
    return ""


def _refresh_url(head: _Head, for_scriptless: Container[int], base: str) -> str | None:
    """Return the address to which the page sends its visitors at once or within seconds."""
    seen = [tag for tag in head["meta"] if id(tag) not in for_scriptless]
    match = _REFRESH.match(_http_equiv({"meta": seen}, "refresh"))
    return _normalised(match.group(1).strip(" '\""), base) if match else None


def _noindex(head: _Head) -> bool:
    """Return whether any of the page's robots elements asks not to be indexed."""
    directives = [
        _attribute(tag, "content")
        for tag in head["meta"]
        if _attribute(tag, "name").lower().strip() in _ROBOTS
    ]
    words = re.split(r"[\s,]+", ",".join(directives).lower())
    return "noindex" in words or "none" in words


def _base(head: _Head, url: str) -> str:
    return _normalised(_attribute(next(iter(head["base"]), None), "href") or url, url) or url


def _canonical(head: _Head, base: str) -> str | None:
    for tag in head["link"]:
        if "canonical" in _attribute(tag, "rel").lower().split():
            return _normalised(_attribute(tag, "href"), base)
    return None


def _normalised(href: str, base: str) -> str | None:
    try:
        return normalise(href, base) if href.strip() else None
    except InvalidUrl:
        return None
