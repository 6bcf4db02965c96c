"""Classifies the lines of a page: text, a price, a signed quotation, a label, a byline. Pure."""

from dataclasses import replace
from typing import Final

from bs4 import NavigableString, PageElement, Tag
from bs4.element import PreformattedString

from app.pages.extraction.blocks import Block, squeezed, unnumbered
from app.pages.extraction.elements import MIN_LINKS, Elements, links_in
from app.pages.extraction.found import Found
from app.pages.extraction.furniture import (
    LABEL,
    is_button,
    is_button_text,
    is_linked,
    is_more,
    is_share_link,
    kind_of_line,
)
from app.pages.extraction.inline import BLOCKS, InlineText
from app.pages.extraction.outlinks import OutLinks
from app.pages.extraction.price_cards import is_price_in_words
from app.pages.extraction.speakers import is_marked, is_speaker, signed

_LONGEST_LABEL: Final = 80
_LINK: Final = frozenset({"a"})
_LEADING: Final = 0.6
"""The least of a heading that is a link if it only leads on: a section may be named before the title."""


class Lines:
    """Reads runs of text and inline elements that a browser shows as one line or paragraph."""

    def __init__(self, elements: Elements, text: InlineText, outlinks: OutLinks | None) -> None:
        self._elements = elements
        self._text = text
        self._outlinks = outlinks

    def read(self, run: list[PageElement], kind: str, *, apart: bool, on_card: bool) -> Block | None:
        """Return the piece of text of a run, None if it has none to keep.

        ``kind``: the kind of the element around it, p for any other. ``apart``: that element is a flexible
        box. ``on_card``: the run is on a price card.
        """
        if not run or (len(run) == 1 and _is_blank(run[0])):
            return None
        text = self._text.squeezed(*run, apart=apart)
        if not text:
            return None
        if _is_settings(text):
            return unnumbered(LABEL, text)
        if kind == "p":
            return self._line(run, text, apart=apart, on_card=on_card)
        piece = unnumbered(kind, text, marks=self._text.marked(text, *run, apart=apart))
        if kind != "li":
            return piece
        links = [
            self._text.squeezed(each) for node in run if isinstance(node, Tag) for each in links_in(node)
        ]
        return unnumbered(LABEL, text) if is_share_link(text, links) else self._with_links(piece, run)

    def led(self, found: Found, run: list[PageElement]) -> Found:
        """Return a piece with where its run leads if it is nothing but links to other pages."""
        links = [each for node in run if isinstance(node, Tag) for each in links_in(node, leading=True)]
        links = [link for link in links if not str(link["href"]).startswith("#")]
        if not links or not is_linked(found.piece.text, [self._text.squeezed(link) for link in links]):
            return found
        return found._replace(leads=True, leads_on=all(map(self._leads_on, links)))

    def heading_leads(self, heading: Tag) -> bool:
        """Return whether a heading is only a link to another page of the site, and none to its own place."""
        links = [*links_in(heading, leading=True)]
        link = links[0] if links else heading.find_parent("a", href=True)
        if not isinstance(link, Tag) or heading is self._elements.named_heading or not self._leads_on(link):
            return False
        if any(str(each["href"]).startswith("#") for each in links):
            return False
        return len(squeezed(link.get_text())) >= _LEADING * len(squeezed(heading.get_text()))

    def _leads_on(self, link: Tag) -> bool:
        return self._outlinks is not None and self._outlinks.leads_on(link.attrs)

    def is_button(self, tag: Tag) -> bool:
        """Return whether an element is a button and not a part of a sentence."""
        if not is_button(tag) or self._elements.contains(tag, BLOCKS):
            return False
        following = tag.next_sibling
        if isinstance(following, NavigableString) and not _is_blank(following):
            return False
        text = self._elements.short_text(tag, _LONGEST_LABEL)
        return text is not None and is_button_text(text)

    def button(self, tag: Tag) -> Block:
        """Return a button as a label that keeps where it leads."""
        return self._with_links(unnumbered(LABEL, self._text.squeezed(tag)), [tag])

    def _line(self, run: list[PageElement], text: str, *, apart: bool, on_card: bool) -> Block | None:
        links = [each for node in run if isinstance(node, Tag) for each in links_in(node)]
        words = [self._text.squeezed(link) for link in links]
        if len(links) >= MIN_LINKS and is_linked(text, words):  # a menu, such as breadcrumbs
            return None
        if on_card and is_price_in_words(text):
            return unnumbered("price", text)
        quoted, speaker = self._signed(run, text)
        if speaker and is_marked(quoted):
            return unnumbered("quote", quoted, speaker=speaker)
        by_author = any("author" in str(link.get("rel", "")).split() for link in links)
        kind = kind_of_line(text, words, by_author=by_author)
        if kind != "p":
            return unnumbered(kind, text) if kind else None
        return self._with_links(unnumbered(kind, text, marks=self._text.marked(text, *run, apart=apart)), run)

    def _signed(self, run: list[PageElement], text: str) -> tuple[str, str]:
        """Return a quotation and its speaker, behind a dash or in an element of their own behind it."""
        last = next((node for node in reversed(run) if not _is_blank(node)), None)
        name = self._text.squeezed(last) if isinstance(last, Tag) else ""
        said = text.removesuffix(name).rstrip()
        if name and is_marked(said) and is_speaker(name) and not name.endswith("."):
            return said, name
        return signed(text)

    def without_more(self, run: list[PageElement]) -> list[PageElement]:
        """Return a run without a "Read more" link at its end, unless there is nothing else."""
        at = next((at for at in range(len(run) - 1, 0, -1) if not _is_blank(run[at])), 0)
        last = run[at] if at else None
        if not isinstance(last, Tag) or not (last.name == "a" or self._elements.contains(last, _LINK)):
            return run
        if not is_more(self._text.squeezed(last)):
            return run
        return run[:at] if self._text.squeezed(*run[:at]) else run

    def _with_links(self, piece: Block, run: list[PageElement]) -> Block:
        if self._outlinks is None:
            return piece
        links = [each for node in run if isinstance(node, Tag) for each in links_in(node, leading=True)]
        shown = ((self._text.squeezed(link), link.attrs) for link in links if not self._elements.hides(link))
        out, own = self._outlinks.of(piece.text, shown)
        return replace(piece, links=out, own_links=own)


def _is_blank(node: PageElement) -> bool:
    return isinstance(node, NavigableString) and (isinstance(node, PreformattedString) or not node.strip())


def _is_settings(text: str) -> bool:
    """Return whether a text is what a script of the page reads: ``{"width": 48, "height": 48}``."""
    return text.startswith("{") and text.endswith("}") and ":" in text
