"""The quantities of a text, in digits and in words, comparable in all their spellings. Pure.

"for three months" → 3 month; equals "ninety days", 90 day
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations
from typing import Final

from app.content.writing.veto.dates import dotted_dates
from app.content.writing.veto.figures import (
    NUMBER,
    Amount,
    amounts_in_words,
    is_unit,
    unit_at,
    unit_endings,
    units_in_ranges,
)
from app.language.languages import in_all_languages, language_data, merged
from app.language.number_words import number_words, one_words, possible_fractions
from app.language.numerals import in_plain_digits
from app.language.words import alternatives

_THOUSANDS: Final = re.compile(r"(?<=\d)[.,](?=\d{3}(?:\D|$))")
_HOURS: Final = {
    "s": Fraction(1, 3600),
    "min": Fraction(1, 60),
    "h": Fraction(1),
    "day": Fraction(24),
    "week": Fraction(168),
    "month": Fraction(720),
    "year": Fraction(8760),
}
TIMES: Final = frozenset(_HOURS)
"""The units of time."""
_NAMED_UNITS: Final = TIMES | {"%", "€", "$"}
"""The units whose names every language file has."""
_ABOUT_EQUAL: Final = Fraction(8, 100)
"""How far a time in months or years may differ from one in other units: eight weeks are two months."""

_INEXACT: Final = frozenset({"month", "year"})

_ONE: Final = re.compile(r"(?<!-)\b(?:an?|one|per|each|every)[ -](?=[^\W\d_])", re.IGNORECASE)
_OF_ONE: Final = re.compile(r"[ -](?:an? |one )?")
_ADJECTIVE: Final = re.compile(
    r"[ -](?:(?:working|business|calendar|teaching|school|full|whole|free|extra|more|(?:un)?used) )?"
)
_HALF_PAST: Final = re.compile(r"\bhalf past ([^\W_]+)", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})")
_PAIR: Final = re.compile(r"\b(\d[\d.]{2,})/(\d{2,})\b")
_LISTED: Final = re.compile(r"(?<=[(\[])\d{1,3}(?:,\d{1,3}){2,}(?=[)\]])")
_THING: Final = re.compile(r"[ -]([^\W\d_]+(?:-[^\W\d_]+)*)")
_NOON: Final = 12
_DIGITS_OF_YEAR: Final = 4
_MOST_SIGNIFICANT: Final = 2


@cache
def _hedge() -> re.Pattern[str]:
    """Return the words before a rounded figure: "more than", "almost", "about"."""
    words = merged(lambda language: language.figures)
    kinds = [f"(?P<{name}>{alternatives(getattr(words, name))})" for name in ("above", "below", "near")]
    return re.compile(rf"\b(?:{'|'.join(kinds)})\s[€$£]?$", re.IGNORECASE)


@cache
def small_words() -> frozenset[str]:
    """Return the words after a number that are no thing: "15 a month"."""
    return (
        frozenset(in_all_languages(lambda each: each.words.stopwords | each.detection.common_words))
        | _range_words()
    )


@cache
def _range_words() -> frozenset[str]:
    return merged(lambda language: language.figures).range_words


@dataclass(frozen=True)
class Quantity:
    """A number as written, its value where it has one, its unit, and the word after it."""

    written: str
    number: str
    unit: str
    thing: str
    start: int
    is_before_thing: bool = True
    """Whether the word after it can be a thing."""

    @cached_property
    def value(self) -> Fraction | None:
        """The number's value; None for times of day, dates and versions."""
        try:
            return Fraction(self.number.replace(",", "."))
        except (ValueError, ZeroDivisionError):
            return None

    @property
    def is_bare(self) -> bool:
        """Whether neither a unit nor a thing follows, as in a cell of a table."""
        return not self.unit and (not self.thing or self.thing in _range_words())

    @property
    def is_year(self) -> bool:
        """Whether the number looks like a year of our time."""
        return len(self.number) == _DIGITS_OF_YEAR and self.number[:2] in {"19", "20"} and not self.unit

    @property
    def counted(self) -> str:
        """The word after it, if it may name a thing: not so "a" in "15 a month"."""
        return "" if self.thing in small_words() else self.thing

    def _counts_another(self, other: Quantity) -> bool:
        """Return whether this number counts things where the other measures: five visits are no 5 minutes."""
        return bool(self.counted) and self.is_before_thing and other.unit in _NAMED_UNITS

    def says(self, other: Quantity) -> bool:
        """Return whether a quantity of the evidence is the same as this one."""
        if self.number == other.number or (self.value is not None and self.value == other.value):
            return other.is_bare or self.unit == other.unit or not (self.unit or self._counts_another(other))
        if self.value is None or other.value is None:
            return False
        if self.unit in _HOURS and other.unit in _HOURS:
            mine, others = self.value * _HOURS[self.unit], other.value * _HOURS[other.unit]
            is_inexact = self.unit != other.unit and _INEXACT & {self.unit, other.unit}
            return abs(mine - others) <= (_ABOUT_EQUAL * max(mine, others) if is_inexact else 0)
        if "%" in {self.unit, other.unit} and "/" in self.number + other.number:
            return self.value * 100 == other.value or self.value == other.value * 100
        return False


def quantities(text: str, language: str) -> list[Quantity]:
    """Return the numbers of a text in digits and in words, in order."""
    amounts = [*amounts_in_words(text), *_with_unit_endings(text, language), *_ones(text, language)]
    found = [(match.start(), match.end(), _plain(match[0])) for match in NUMBER.finditer(text)]
    found += [(word.start, word.end, word.number) for word in number_words(text, language)]
    found = sorted(each for each in found if not any(a.start < each[1] and each[0] < a.end for a in amounts))
    found = [each for n, each in enumerate(found) if not (n and _is_unit_of(text, found[n - 1], each))]
    units = units_in_ranges(text, [(start, end, _unit(text, start, end, n)) for start, end, n in found])
    numbers = [
        Quantity(
            text[start:end],
            number,
            unit,
            _thing(text, end, language),
            start,
            _is_before_thing(text, end, language),
        )
        for (start, end, number), unit in zip(found, units, strict=True)
    ]
    in_one = [Quantity(each.written, each.number, each.unit, each.unit, each.start) for each in amounts]
    return sorted([*numbers, *in_one], key=lambda quantity: quantity.start)


def _is_unit_of(text: str, before: tuple[int, int, str], word: tuple[int, int, str]) -> bool:
    """Return whether a number word is the unit of the number before it: Hungarian "két hét", two weeks."""
    return text[before[1] : word[0]] == " " and is_unit(text[word[0] : word[1]])


def _with_unit_endings(text: str, language: str) -> Iterator[Amount]:
    """Yield the numbers that are one word with their unit: "zwanzigminütig", "20-minütig"."""
    for match, unit in unit_endings(text):
        number = next((word.number for word in number_words(match[1], language)), match[1])
        if number[0].isdigit():
            yield Amount(match[0], number, unit, match.start())


def _ones(text: str, language: str) -> Iterator[Amount]:
    """Yield the words for one before a unit: "one hour". What begins with "One day" is a story.

    The one of "twenty-one days" is a part of its number.
    """
    for match in one_words(text, language):
        if text[: match.start()].endswith("-"):
            continue
        unit = unit_at(text, match.start(), match.end())
        if unit and not (unit == "day" and match.start() == 0):
            yield Amount(match[0], "1", unit, match.start())


def quantities_with_ones(text: str, language: str) -> list[Quantity]:
    """Return the quantities of a text, and one for "an" before a time: "about an hour"."""
    found = quantities(text, language)
    for match in _ONE.finditer(text):
        unit = unit_at(text, match.start(), match.end() - 1)
        if unit in _HOURS:
            found.append(Quantity(match[0].strip(), "1", unit, unit, match.start()))
    return found


@lru_cache(maxsize=4)  # headings, one after the other, are judged against all the evidence
def known_quantities(text: str, language: str) -> tuple[Quantity, ...]:
    """Return the quantities that evidence has: a year is one year, and 17:30 is half past five as well.

    "13.06.2027" has a day and a year, "203/1200" and "192.168.45.64/26" have two numbers, and
    "Panini(70,50,50)" has three.
    """
    found = [*quantities_with_ones(text, language), *_clocks(text, language)]
    found += [Quantity(each.words, each.number, "", "", each.start) for each in possible_fractions(text)]
    parts = [
        (date.written, each) for date, year in dotted_dates(text) for each in (str(date.day_or_year), year)
    ]
    parts += [(match[0], each) for match in _PAIR.finditer(text) for each in match.groups()]
    listed = (match[0] for match in _LISTED.finditer(text) if not _THOUSANDS.search(match[0]))
    parts += [(written, each) for written in listed for each in written.split(",")]
    found += [Quantity(written, _plain(number), "", "", 0) for written, number in parts if number]
    for match in _CLOCK.finditer(text):
        hour = int(match[1])
        for each in {hour, hour - _NOON if hour > _NOON else hour + _NOON}:
            number = f"{each}:{in_plain_digits(match[2])}".removesuffix(":00")
            found.append(Quantity(match[0], number, "", "", match.start()))
    return tuple(found)


def claimed_quantities(text: str, language: str) -> Iterator[Quantity]:
    """Yield the quantities that a sentence says; half past five is one time of the day."""
    clocks = list(_clocks(text, language))
    yield from clocks
    for each in quantities(text, language):
        if not any(clock.start <= each.start < clock.start + len(clock.written) for clock in clocks):
            yield each


def _clocks(text: str, language: str) -> Iterator[Quantity]:
    for match in _HALF_PAST.finditer(text):
        hour = next((word.number for word in number_words(match[1], language)), match[1])
        yield Quantity(match[0], f"{hour}:30", "", "", match.start())


def is_about(figure: Quantity, text: str) -> bool:
    """Return whether a text gives a figure as nearly exact: "about £109"."""
    hedge = _hedge().search(text[: figure.start])
    return hedge is not None and hedge.lastgroup == "near"


def is_rounded(claimed: Quantity, text: str, known: Collection[Quantity]) -> bool:
    """Return whether a sentence rounds a known quantity in words: more than two thousand are 2,340."""
    hedge = _hedge().search(text[: claimed.start])
    if hedge is None or claimed.value is None or not claimed.number.isdigit():
        return False
    digits = claimed.number.rstrip("0")
    step = 10 ** (len(claimed.number) - len(digits))
    if step == 1 or len(digits) > _MOST_SIGNIFICANT:
        return False
    least = {"above": Fraction(0), "below": Fraction(-step), "near": Fraction(-step, 2)}[
        hedge.lastgroup or ""
    ]
    return any(
        each.unit == claimed.unit
        and each.value is not None
        and least <= each.value - claimed.value <= least + step
        for each in known
    )


def differences(known: Collection[Quantity]) -> Iterator[Quantity]:
    """Yield the differences between any two quantities of one unit."""
    measured = [each for each in known if each.unit and each.value is not None]
    for one, other in combinations(measured, 2):
        if one.unit == other.unit and one.value is not None and other.value is not None:
            difference = str(abs(one.value - other.value))
            yield Quantity(difference, difference, one.unit, one.unit, 0)


def _unit(text: str, start: int, end: int, number: str) -> str:
    unit = unit_at(text, start, end)
    if unit:
        return unit
    gap = (_OF_ONE if "/" in number else _ADJECTIVE).match(text, end)
    further = unit_at(text, end, gap.end()) if gap else ""
    return further if further in _HOURS else ""


def _thing(text: str, end: int, language: str) -> str:
    """Return the word behind a number; with an article that is joined to it, it is not what is counted."""
    found = _THING.match(text, end)
    articles = language_data(language).words.joined_beginnings
    return found[1].lower() if found and not found[1].startswith(articles) else ""


def _is_before_thing(text: str, end: int, language: str) -> bool:
    """Return whether a noun, or an adjective before one, follows a number: not so in "Alter 7 steht"."""
    found = _THING.match(text, end)
    endings = language_data(language).words.adjective_endings
    return not (endings and found) or found[1][0].isupper() or found[1].endswith(endings)


def _plain(number: str) -> str:
    """Return a number without marks between its thousands: 41,200 and 41.200 are 41200, 1.50 stays."""
    return in_plain_digits(_THOUSANDS.sub("", number))
