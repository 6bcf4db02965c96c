"""Prices that two pages give differently for the same plan or row of a table. Pure.

The editor gets a note, because a post can repeat only one of them. Two pages speak of the same thing if the
names of one, its headings and its caption, are among those of the other: two products may have a "Small".
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from app.content.artefacts import SourceSnapshot
from app.content.evidence.units import EvidenceUnit, units_of
from app.content.retrieval.passages import Library
from app.content.retrieval.topic_words import roots
from app.content.writing.veto.figures import is_unit
from app.content.writing.veto.quantities import TIMES, Quantity, quantities
from app.language.stems import root_of_stem
from app.language.synonyms import price_roots
from app.language.words import fold, words

MONEY: Final = frozenset({"€", "$", "£", "¥", "CHF"})
_WITH_PRICES: Final = frozenset({"price", "table", "table_head"})
_SIGN_FIRST: Final = "£$¥"
_MOST: Final = 5
_MOST_COMPARED: Final = 50
_AFTER_PRICE: Final = 24
"""Characters after a price in which its period stands."""


@dataclass(frozen=True)
class _Price:
    """A price of something: its name, what it is measured by, and the page that says so."""

    name: str
    key: frozenset[str]
    measure: tuple[frozenset[str], str, str]
    about: frozenset[str]
    quantity: Quantity
    page_id: int

    @property
    def shown(self) -> str:
        """The price with its currency."""
        number, sign = self.quantity.written, self.quantity.unit
        return f"{sign}{number}" if sign in _SIGN_FIRST else f"{number} {sign}"


def contradictions(library: Library, snapshot: SourceSnapshot, text: str) -> tuple[str, ...]:
    """Return a note for each price in a post's ``text`` of which two pages give different figures."""
    sections = [
        section for section in library.sections if any(block.kind in _WITH_PRICES for block in section.blocks)
    ]
    prices = [price for unit in units_of(sections) for price in _prices(unit, library)]
    pages = snapshot.page_by_id
    said = text.casefold()
    notes = (
        f"Your pages disagree: “{one.name}” is {one.shown} on {pages[one.page_id].url} and {other.shown} on "
        f"{pages[other.page_id].url}. Check which one is right."
        for one, other in _different(prices)
        if one.name.casefold() in said and any(each.quantity.written in text for each in (one, other))
    )
    return tuple(dict.fromkeys(notes))[:_MOST]


def _different(prices: Collection[_Price]) -> Iterator[tuple[_Price, _Price]]:
    """Yield pairs of prices of the same thing on two pages that have no price of it in common."""
    by_thing: dict[object, list[_Price]] = {}
    for price in prices:
        by_thing.setdefault((price.key, price.measure), []).append(price)
    for same in by_thing.values():
        numbers: dict[int, set[object]] = {}
        different: dict[object, _Price] = {}
        for price in same:
            numbers.setdefault(price.page_id, set()).add(price.quantity.number)
            different.setdefault((price.page_id, price.quantity.number, price.about), price)
        for one, other in combinations(list(different.values())[:_MOST_COMPARED], 2):
            if one.page_id == other.page_id or not (one.about <= other.about or other.about <= one.about):
                continue
            if numbers[one.page_id].isdisjoint(numbers[other.page_id]):
                yield one, other


def _prices(unit: EvidenceUnit, library: Library) -> Iterator[_Price]:
    """Yield the prices of a card by its plan, or those of a table by row and column."""
    if unit.kind == "price":
        yield from _prices_in(unit, unit.heading, "", unit.lead_in, library)
    elif unit.kind == "table":
        for row in unit.rows:
            for column, cell in enumerate(row[1:], 1):
                head = unit.header[column] if column < len(unit.header) else ""
                yield from _prices_in(unit, row[0], head, cell, library)


def _prices_in(unit: EvidenceUnit, name: str, head: str, text: str, library: Library) -> Iterator[_Price]:
    if not any(map(str.isdigit, text)):
        return
    language = library.language
    key = frozenset(roots(name, language))
    # "One day" is a row of many tables.
    if not key or quantities(name, language) or any(is_unit(word) for word in words(name)):
        return
    plain = price_roots(language) | frozenset(root_of_stem(each, language) for each in library.own_stems)
    column = frozenset(roots(" ".join(w for w in words(head) if not is_unit(w)), language)) - plain
    headings = " ".join((unit.page_name, *unit.path, unit.caption))
    about = frozenset(roots(headings, language)) - plain - key
    for each in quantities(text, language):
        if each.unit in MONEY:
            period = _period(text[each.start :], language) or _period(head, language)
            yield _Price(fold(name), key, (column, each.unit, period), about, each, unit.page_id)


def _period(text: str, language: str) -> str:
    """Return the unit of time beside a price, such as ``month``, empty without one."""
    near = words(text[:_AFTER_PRICE])
    units = (each.unit for word in near if is_unit(word) for each in quantities(f"2 {word}", language))
    return next((unit for unit in units if unit in TIMES), "")
