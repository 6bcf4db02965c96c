"""Finds a page's price cards: elements with a plan's name, its price and its features. Pure."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from bs4 import NavigableString, Tag

from app.language.languages import merged
from app.language.money import CODES, money_names
from app.pages.extraction.elements import HEADINGS, Elements
from app.pages.extraction.inline import INLINE

_SIGNS: Final = rf"[$€£¥₹₽₩₺₴₫฿₪円元]|\b(?:{CODES}|SEK|NOK|DKK|PLN|CZK|AUD|CAD|JPY|kr|zł|Kč)\b"
_FIGURE: Final = r"\d[\d.,'٫٬]*(?: \d{3})*(?:-|–|—)?"
_SENTENCE: Final = re.compile(r"[.!?]\s+\w")
_WORD: Final = re.compile(r"\w+")
_LONGEST_PRICE: Final = 60
_WORDS_AFTER: Final = 8
_LONGEST_CARD: Final = 1500
_LONGEST_NAME: Final = 60
_MOST_PRICES: Final = 200
_PRICES_OF_A_CARD: Final = 2
_LEVELS: Final = 8
_NO_LINE: Final = frozenset({"a", "button", "li", "p", "h1", "h2", "h3", "h4", "h5", "h6"})
_NO_PRICES: Final = frozenset(
    {"li", "td", "th", "dt", "dd", "a", "button", "code", "pre", "option", "script"}
)
_NO_CARDS: Final = frozenset({"body", "main", "html", "table", "tr", "form", "[document]"})
_NONE: Final = 1 << 60


class _PriceWords(NamedTuple):
    """Prices, and what price cards say beside or instead of them, in all languages."""

    currency: re.Pattern[str]
    amount: re.Pattern[str]
    instead: re.Pattern[str]
    reduction: re.Pattern[str]
    before: re.Pattern[str]


@cache
def _words() -> _PriceWords:
    pages = merged(lambda language: language.pages)
    currency = f"(?:{_SIGNS}|{money_names()})"
    return _PriceWords(
        currency=re.compile(currency),
        amount=re.compile(
            rf"(?:{currency}\s?{_FIGURE}|{_FIGURE}\s?{currency})"
            r"(?!\w|\s?(?:[kKmM]|bn|million|billion|Mio|Mrd)\b)"
        ),
        instead=re.compile("|".join(pages.no_price), re.IGNORECASE),
        reduction=re.compile(rf"\b(?:{'|'.join(pages.reduction)})\b", re.IGNORECASE),
        before=re.compile(rf"(?:{'|'.join(pages.before_price)})?\W*", re.IGNORECASE),
    )


def is_price(text: str) -> bool:
    """Return whether a line has a price and little else: "From £12 per user / month"."""
    if len(text) > _LONGEST_PRICE or _words().reduction.search(text) or _SENTENCE.search(text):
        return False
    found = [*islice(_words().amount.finditer(text), _PRICES_OF_A_CARD + 1)]
    if not 0 < len(found) <= _PRICES_OF_A_CARD:
        return False
    before, after = text[: found[0].start()], text[found[-1].end() :]
    return bool(_words().before.fullmatch(before)) and len(_WORD.findall(after)) <= _WORDS_AFTER


def is_price_in_words(text: str) -> bool:
    """Return whether a line of a price card replaces a price: "Free", "Contact sales"."""
    return _words().instead.fullmatch(text) is not None


class _Facts:
    """Facts of an element: characters, prices, and the places of its first text and heading."""

    def __init__(self) -> None:
        self.characters = 0
        self.prices = 0
        self.first_text = _NONE
        self.first_heading = _NONE
        self.top_level = _NONE
        self.top_headings = 0

    def add(self, other: _Facts) -> None:
        """Add the facts of a nested element."""
        self.characters += other.characters
        self.prices += other.prices
        self.first_text = min(self.first_text, other.first_text)
        self.first_heading = min(self.first_heading, other.first_heading)
        self.add_headings(other.top_level, other.top_headings)

    def add_headings(self, level: int, count: int) -> None:
        """Add headings of a level; only those of the highest level are counted."""
        if level < self.top_level:
            self.top_level, self.top_headings = level, 0
        if level == self.top_level:
            self.top_headings += count

    def headings(self) -> tuple[int, int, int]:
        """Return the facts that a further heading changes, unless it is a lower one after the first."""
        return self.first_heading, self.top_level, self.top_headings


class PriceCards:
    """The price cards of a page, by the ids of their elements; ``prices`` are their price lines."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self.prices: set[int] = set()
        self.cards: set[int] = set()
        lines = self._price_lines()
        if not lines:
            return
        self._facts = _facts(elements, {id(line) for line in lines})
        found = {id(line): card for line in lines if (card := self._card_of(line)) is not None}
        cards = {id(card): card for card in found.values()}
        self.cards = set(cards) | self._unpriced_beside(cards)
        self.prices = set(found)

    def _price_lines(self) -> list[Tag]:
        """Return the outermost elements whose only text is a price line."""
        strings = (each for each in self._elements.strings if _words().currency.search(each))
        found: dict[int, Tag] = {}
        for string in islice(strings, _MOST_PRICES):
            line = self._line_around(string)
            if line is not None and not self._elements.is_inside_hidden(line):
                found[id(line)] = line
        return [*found.values()]

    def _line_around(self, string: NavigableString) -> Tag | None:
        line = None
        for above in islice(string.parents, _LEVELS):
            if above.name in _NO_PRICES:
                return None
            text = self._elements.short_text(above, _LONGEST_PRICE)
            if text is None or above is self._elements.body or self._elements.contains(above, _NO_LINE):
                break
            if is_price(text) and not _is_in_text(above):
                line = above
        return line

    def _card_of(self, line: Tag) -> Tag | None:
        """Return the element of the card around a price line."""
        own = self._facts[id(line)]
        for above in islice(line.parents, _LEVELS):
            facts = self._facts.get(id(above))
            if facts is None or above.name in _NO_CARDS or facts.characters > _LONGEST_CARD:
                return None
            if facts.first_heading != _NONE:
                return self._whole(above) if facts.prices <= _PRICES_OF_A_CARD else None
            if facts.first_text < own.first_text and self._is_one_of_several(card := self._whole(above)):
                return card
        return None

    def _whole(self, part: Tag) -> Tag:
        """Return the largest element around a part of a card without another card or plan name."""
        while True:
            own, above = self._facts[id(part)], part.parent
            facts = self._facts.get(id(above))
            if above is None or facts is None or above.name in _NO_CARDS:
                return part
            is_same_plan = facts.headings() == own.headings() and facts.prices <= _PRICES_OF_A_CARD
            if not is_same_plan or facts.characters > _LONGEST_CARD:
                return part
            if own.first_heading == _NONE and facts.prices != own.prices:
                return part
            part = above

    def _is_one_of_several(self, card: Tag) -> bool:
        """Return whether a card without a heading is beside others and its first text can be its name."""
        beside = self._facts.get(id(card.parent))
        name = next(iter(self._elements.short_strings(card, _LONGEST_CARD) or ()), "")
        has_others = beside is not None and beside.prices > self._facts[id(card)].prices
        return has_others and 0 < len(name.strip()) <= _LONGEST_NAME

    def _unpriced_beside(self, cards: dict[int, Tag]) -> set[int]:
        """Return the ids of cards beside these that have "Free" or "Contact us" in place of a price."""
        parents = {id(card.parent): card for card in cards.values()}
        found: set[int] = set()
        for card in parents.values():
            siblings = card.parent.children if card.parent is not None else ()
            for each in islice((each for each in siblings if isinstance(each, Tag)), _MOST_PRICES):
                if each.name == card.name and id(each) not in cards and self._says_free(each):
                    found.add(id(each))
        return found

    def _says_free(self, tag: Tag) -> bool:
        facts = self._facts[id(tag)]
        if facts.top_headings != 1 or facts.characters > _LONGEST_CARD:
            return False
        strings = self._elements.short_strings(tag, _LONGEST_CARD) or []
        return any(is_price_in_words(string.strip()) for string in strings)


def _is_in_text(tag: Tag) -> bool:
    """Return whether an inline element is a part of a sentence."""
    if tag.name not in INLINE or tag.parent is None:
        return False
    beside = (tag.previous_sibling, tag.next_sibling)
    return tag.parent.name == "p" or any(
        isinstance(each, NavigableString) and each.strip() for each in beside
    )


def _facts(elements: Elements, prices: set[int]) -> dict[int, _Facts]:
    """Return the facts of each element, in one pass from the last to the first."""
    found: dict[int, _Facts] = {}
    for place, node in reversed([*enumerate(elements.nodes)]):
        above = found.setdefault(id(node.parent), _Facts())
        if isinstance(node, Tag):
            own = found.setdefault(id(node), _Facts())
            if id(node) in prices:
                own.prices = 1
                own.first_heading = own.top_level = _NONE
                own.top_headings = 0
            elif node.name in HEADINGS:
                own.first_heading = place
                own.add_headings(HEADINGS[node.name], 1)
            above.add(own)
        elif type(node) is NavigableString and not node.isspace():
            above.characters += len(node)
            above.first_text = min(above.first_text, place)
    return found
