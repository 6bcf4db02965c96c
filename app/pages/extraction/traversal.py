"""Traverses a page's elements and makes blocks of their visible text with its structure. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bs4 import PageElement, Tag

from app.language.words import QUESTION_MARKS
from app.pages.extraction.blocks import Block, numbered, squeezed, unnumbered
from app.pages.extraction.elements import Elements, heading_level, links_in
from app.pages.extraction.formal import is_example, title_of_formal, without_number
from app.pages.extraction.found import LINES, Found
from app.pages.extraction.furniture import LABEL
from app.pages.extraction.indented import with_indented_definitions
from app.pages.extraction.inline import BLOCKS, INLINE, InlineText
from app.pages.extraction.lines import Lines
from app.pages.extraction.listings import language_of_listing, listing_text
from app.pages.extraction.opening import title_in, without_opening
from app.pages.extraction.outlinks import OutLinks
from app.pages.extraction.price_cards import PriceCards
from app.pages.extraction.products import puts_in_cart
from app.pages.extraction.sections import Sections
from app.pages.extraction.speakers import Speakers, signed
from app.pages.extraction.tables import Tables
from app.pages.extraction.toggles import question_of
from app.pages.extraction.typed_structure import with_typed_structure

_MAX_NESTING: Final = 150
_SUMMARY_LEVEL: Final = 7
_KINDS: Final = {
    "p": "p",
    "li": "li",
    "dt": "dt",
    "dd": "dd",
    "figcaption": "caption",
    "caption": "caption",
    "summary": "p",
    "blockquote": "quote",
}
_LISTS: Final = {"ol": "o", "ul": "u"}
_DEFINITIONS: Final = frozenset({"dl", "dt", "dd"})
_PAGE_PARTS: Final = frozenset({"h1", "main", "article"})
_TEXTS: Final = frozenset({"main", "article"})
_SECTIONS: Final = frozenset({"article", "main", "section"})
_LABEL_WORDS: Final = 2


def blocks_of(
    root: Tag,
    elements: Elements,
    asides: Mapping[int, str],
    outlinks: OutLinks | None,
    most: int | None,
    *,
    in_shop: bool = False,
    is_article: bool = False,
) -> tuple[Block, ...]:
    """Return the blocks of the visible text below ``root``, with their links to other sites.

    ``asides``: as ``asides_of`` returns them. ``most``: the most bytes of text, as in ``numbered``.
    """
    pieces = Sections(in_shop=in_shop, is_article=is_article).pieces(
        _Traversal(root, elements, asides, outlinks).found()
    )
    title, is_named = title_in(root, elements, in_shop=in_shop)
    shown = without_opening(pieces, title, is_named=is_named, in_shop=in_shop)
    return numbered(with_indented_definitions(with_typed_structure(shown)), most)


class _Traversal:
    """Visits elements in document order, with the headings above and the group of the present one."""

    def __init__(
        self, root: Tag, elements: Elements, asides: Mapping[int, str], outlinks: OutLinks | None
    ) -> None:
        self._root = root
        self._elements = elements
        self._text = InlineText(elements)
        self._outlinks = outlinks
        self._lines = Lines(elements, self._text, outlinks)
        self._tables = Tables(elements, self._text)
        self._cards = PriceCards(elements)
        self._speakers = Speakers(elements)
        self._asides = asides
        self._sections = int(root.name in _SECTIONS or root.get("role") == "main")
        self._lists = ""
        self._group = ""
        self._groups: Counter[str] = Counter()
        self._definition = ("", "")
        self._figure = ""
        self._in_quote = False

    def found(self) -> Iterator[Found]:
        """Yield the pieces of text."""
        return self._children(self._root, "p", 0)

    def _children(
        self, parent: Tag, kind: str, depth: int, without: PageElement | None = None
    ) -> Iterator[Found]:
        """Yield runs of inline elements as ``kind``, and block elements as their own kinds."""
        run: list[PageElement] = []
        apart = self._text.is_flexible(parent)
        for child in parent.children:
            if child is without or (isinstance(child, Tag) and self._is_skipped(child)):
                continue
            if not isinstance(child, Tag) or self._is_inline(child):
                run.append(child)
                continue
            yield from self._run(run, kind, apart=apart)
            run = []
            yield from self._element(child, kind, depth + 1)
        yield from self._run(run, kind, apart=apart)

    def _run(self, run: list[PageElement], kind: str, *, apart: bool) -> Iterator[Found]:
        whole, run = run, self._lines.without_more(run)
        piece = self._lines.read(run, kind, apart=apart, on_card=self._group.startswith("c"))
        if piece is None:
            return
        if piece.speaker:
            piece = replace(piece, group=self._new("q"))
        found = self._found(replace(piece, lists=self._lists) if kind == "li" else piece)
        found = found._replace(has_more=len(run) < len(whole))
        yield self._lines.led(found, run) if piece.kind in LINES else found

    def _found(self, piece: Block, level: int = 0) -> Found:
        return Found(piece if piece.group else replace(piece, group=self._group), level)

    def _new(self, letter: str) -> str:
        """Return a group's id that is new in the page."""
        self._groups[letter] += 1
        return f"{letter}{self._groups[letter]}"

    def _element(self, tag: Tag, kind: str, depth: int) -> Iterator[Found]:
        level = heading_level(tag)
        if id(tag) in self._cards.prices:
            yield self._found(unnumbered("price", self._text.squeezed(tag)))
        elif level and id(tag) in self._asides:
            yield self._found(unnumbered(self._asides[id(tag)], self._text.of_heading(tag)))
        elif level and not self._is_label(tag):
            found = self._found(unnumbered("heading", self._text.of_heading(tag)), level)
            yield found._replace(leads=self._lines.heading_leads(tag))
        elif asked := question_of(tag, self._text):
            yield self._found(unnumbered("heading", asked), _SUMMARY_LEVEL)
        elif tag.name == "pre":
            code = unnumbered("code", listing_text(tag, self._elements), language=language_of_listing(tag))
            yield self._found(code)
        elif depth > _MAX_NESTING and not level:
            yield self._found(unnumbered(kind, squeezed(tag.get_text(" "))))
        elif self._lines.is_button(tag):
            yield self._found(self._lines.button(tag))
        elif not level:
            yield from self._container(tag, kind, depth)

    def _container(self, tag: Tag, kind: str, depth: int) -> Iterator[Found]:
        if id(tag) in self._cards.cards:
            yield from self._card(tag, depth)
        elif id(tag) in self._asides:
            lines = (each.piece.text for each in self._children(tag, "p", depth))
            yield from (self._found(unnumbered(self._asides[id(tag)], text)) for text in lines)
        elif tag.name == "blockquote" or id(tag) in self._speakers.of:
            yield from self._quote(tag, depth)
        elif tag.name == "table" and self._tables.shows_data(tag):
            yield from self._rows(tag)
        elif tag.name in _LISTS:
            yield from self._list(tag, kind, depth)
        elif tag.name in _DEFINITIONS:
            yield from self._definitions(tag, kind, depth)
        elif tag.name == "details":
            yield from self._details(tag, kind, depth)
        elif tag.name == "figure" or title_of_formal(tag):
            yield from self._figured(tag, kind, depth)
        else:
            self._sections += tag.name in _SECTIONS
            own = _KINDS.get(tag.name, kind)
            # A paragraph inside a list item or a quotation has the kind of what is around it.
            yield from self._children(tag, kind if own == "p" else own, depth)
            if any(isinstance(child, Tag) and question_of(child, self._text) for child in tag.children):
                yield self._found(unnumbered("heading", ""), _SUMMARY_LEVEL)
            self._sections -= tag.name in _SECTIONS

    def _card(self, tag: Tag, depth: int) -> Iterator[Found]:
        """Yield a price card as one group; its headings do not apply to anything after it."""
        around = self._group, self._lists
        self._group, self._lists = self._new("c"), ""
        self._sections += 1
        levels = {_SUMMARY_LEVEL}
        for found in self._children(tag, "p", depth):
            levels.add(found.level or _SUMMARY_LEVEL)
            yield found
        yield Found(unnumbered("heading", ""), min(levels))
        self._sections -= 1
        self._group, self._lists = around

    def _quote(self, tag: Tag, depth: int) -> Iterator[Found]:
        """Yield a quotation as one group, with its speaker; a nested one is a part of the outer one."""
        if self._in_quote:
            yield from self._children(tag, "quote", depth)
            return
        around, self._group = self._group, self._new("q")
        self._in_quote = True
        found = [*self._children(tag, "quote", depth)]
        self._in_quote = False
        self._group = around
        speaker = self._speakers.of.get(id(tag), "")
        if found and not speaker:
            text, speaker = signed(found[-1].piece.text)
            found[-1] = found[-1]._replace(piece=replace(found[-1].piece, text=text))
        for each in found:
            is_quote = each.piece.kind == "quote"
            yield each._replace(piece=replace(each.piece, speaker=speaker)) if is_quote else each

    def _figured(self, tag: Tag, kind: str, depth: int) -> Iterator[Found]:
        """Yield a figure, or what a book gives a title; around a single table, each caption is of it."""
        title = title_of_formal(tag)
        title = None if title and self._elements.hides(title) else title
        text = without_number(self._text.squeezed(title)) if title else ""
        if title and kind == "p" and is_example(tag):
            yield from self._headed(tag, depth, text, title)
            return
        has_table = len(tag.find_all("table", limit=2)) == 1
        around, self._figure = self._figure, self._new("t") if has_table else ""
        if title:
            yield self._found(unnumbered("caption", text, group=self._figure))
        for found in self._children(tag, kind, depth, without=title):
            is_caption = has_table and found.piece.kind == "caption"
            yield found._replace(piece=replace(found.piece, group=self._figure)) if is_caption else found
        self._figure = around

    def _rows(self, table: Tag) -> Iterator[Found]:
        group = self._figure or self._new("t")
        for row in self._tables.rows(table):
            yield self._found(replace(row, group=group))

    def _list(self, tag: Tag, kind: str, depth: int) -> Iterator[Found]:
        if self._elements.is_link_list(tag):
            # Search finds its links, posts never quote them.
            for link in links_in(tag) if self._elements.keeps_links(tag) else ():
                yield self._found(unnumbered(LABEL, self._text.squeezed(link)))
            return
        around = self._lists, self._group
        self._lists += _LISTS[tag.name]
        self._group = self._group or self._new("l")
        yield from self._children(tag, kind, depth)
        self._lists, self._group = around

    def _definitions(self, tag: Tag, kind: str, depth: int) -> Iterator[Found]:
        """Yield a definition list, or one of its terms or descriptions: a term after a description is new."""
        if tag.name == "dl":
            before, self._definition = self._definition, ("", "")
            yield from self._children(tag, kind, depth)
            self._definition = before
            return
        last, group = self._definition
        if not group or (tag.name == "dt" and last == "dd"):
            group = self._new("d")
        self._definition = (tag.name, group)
        around = self._group
        self._group = around if around.startswith("c") else group
        yield from self._children(tag, tag.name, depth)
        self._group = around

    def _details(self, tag: Tag, kind: str, depth: int) -> Iterator[Found]:
        """Yield the contents of ``details``; a summary that asks a question is the heading of its answer."""
        summary = tag.find("summary", recursive=False)
        is_plain = isinstance(summary, Tag) and not self._elements.contains(summary, frozenset({"details"}))
        asked = self._text.squeezed(summary) if is_plain and summary is not None else ""
        if not asked.endswith(QUESTION_MARKS) or kind != "p":
            yield from self._children(tag, kind, depth)
            return
        yield from self._headed(tag, depth, asked, summary)

    def _headed(self, tag: Tag, depth: int, heading: str, named: PageElement | None) -> Iterator[Found]:
        """Yield the contents of an element below a heading, in ``named``, that heads nothing behind it."""
        yield self._found(unnumbered("heading", heading), _SUMMARY_LEVEL)
        yield from self._children(tag, "p", depth, without=named)
        yield self._found(unnumbered("heading", ""), _SUMMARY_LEVEL)

    def _is_skipped(self, tag: Tag) -> bool:
        if self._elements.hides(tag) or id(tag) in self._speakers.said:
            return True
        if tag.name == "header":
            # Where its end tag is missing, the page is in it.
            return not self._sections and not self._elements.contains(tag, _TEXTS)
        if tag.name == "footer":
            return not self._sections or (tag.parent is not None and tag.parent.name in ("article", "main"))
        # Some servers wrap the whole page in a form, some shops a product.
        return tag.name == "form" and not self._elements.contains(tag, _PAGE_PARTS) and not puts_in_cart(tag)

    def _is_inline(self, tag: Tag) -> bool:
        if tag.name not in INLINE or self._elements.contains(tag, BLOCKS) or question_of(tag, self._text):
            return False
        return id(tag) not in self._cards.prices and not self._lines.is_button(tag)

    def _is_label(self, heading: Tag) -> bool:
        """Return whether a heading is the label of a box, such as "Note", and heads nothing after the box."""
        is_boxed = heading.parent is not None and self._elements.is_note(heading.parent)
        return is_boxed and len(heading.get_text(" ").split()) <= _LABEL_WORDS
