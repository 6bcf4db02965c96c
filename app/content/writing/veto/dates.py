"""The dates of a text: each month with the day or the year beside it, however they are written. Pure."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from app.language.languages import month_numbers
from app.language.words import alternatives

_ISO: Final = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_DOTTED: Final = re.compile(r"(?<![.£€$])\b(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(\d{4})?(?!\d)")
_VERB: Final = re.compile(r" (?:may|march)(?= [a-z])")
"""Months that are verbs: "`-l 20` may give the best result"."""


class Date(NamedTuple):
    """A month with its day or its year, as written."""

    written: str
    month: int
    day_or_year: int


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of day and month, month and day, month and year."""
    month = f"({alternatives(month_numbers())})"
    return (
        re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of |de )?{month}\b", re.IGNORECASE),
        re.compile(rf"\b{month}\.?\s(\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d)", re.IGNORECASE),
        re.compile(rf"\b{month}\.?,?\s(?:\d{{1,2}}, )?(?:de |of )?(\d{{4}})\b", re.IGNORECASE),
    )


@cache
def _month() -> re.Pattern[str]:
    """Return the pattern of a month with a capital and no year behind it."""
    names = alternatives(month.capitalize() for month in month_numbers())
    return re.compile(rf"\b(?:{names})\b(?!\.?,?\s(?:\d{{1,2}}, )?\d{{4}})")


@cache
def _range() -> re.Pattern[str]:
    """Return the pattern of two days with a dash between them, before their month: "13–19 June"."""
    month = f"({alternatives(month_numbers())})"
    return re.compile(rf"\b(\d{{1,2}})\.?\s?[–—-]\s?(\d{{1,2}})\.?\s(?:de )?{month}\b", re.IGNORECASE)


def days_of_ranges(text: str) -> Iterator[tuple[int, int]]:
    """Yield the month and each day from the first to the last of a range: of "13–19 June" seven days."""
    for match in _range().finditer(text):
        for day in range(int(match[1]), int(match[2]) + 1):
            yield month_numbers()[match[3].lower()], day


def months_of_years_before(text: str) -> Iterator[tuple[int, int]]:
    """Yield each month alone behind an earlier one of a year, with it: "In May 2022 … and in September"."""
    for line in text.splitlines():
        dated = [
            (match.start(), month_numbers()[match[1].lower()], int(match[2]))
            for match in _patterns()[-1].finditer(line)
        ]
        for match in _month().finditer(line):
            month = month_numbers()[match[0].lower()]
            before = [(first, year) for start, first, year in dated if start < match.start()]
            if before and before[-1][0] < month:
                yield month, before[-1][1]


def is_month(word: str) -> bool:
    """Return whether a word in small letters is the name of a month in any language."""
    return word in month_numbers()


def without_verbs(text: str) -> str:
    """Return a text without the verbs that are months, too."""
    return _VERB.sub(" ", text)


def dotted_dates(text: str) -> Iterator[tuple[Date, str]]:
    """Yield the dates of day and month with dots, "13.06.2027", each with its year or ""."""
    for match in _DOTTED.finditer(text):
        yield Date(match[0], int(match[2]), int(match[1])), match[3] or ""


def dates(text: str) -> Iterator[Date]:
    """Yield each month of a text together with the day and with the year beside it."""
    day_month, *month_first = _patterns()
    for match in day_month.finditer(text):
        yield Date(match[0], month_numbers()[match[2].lower()], int(match[1]))
    for pattern in month_first:
        for match in pattern.finditer(text):
            yield Date(match[0], month_numbers()[match[1].lower()], int(match[2]))
    for date, year in dotted_dates(text):
        yield date
        if year:
            yield Date(date.written, date.month, int(year))
    for match in _ISO.finditer(text):
        yield Date(match[0], int(match[2]), int(match[1]))
        if match[3]:
            yield Date(match[0], int(match[2]), int(match[3]))
