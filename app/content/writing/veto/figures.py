"""The figures of a text: numbers as written, with the currency, percent sign or unit beside them. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from app.language.languages import merged
from app.language.words import CJK, VOWEL_SIGNS, alternatives, is_unspaced, without_vowel_signs

NUMBER: Final = re.compile(r"\d+(?:[.,:/٫٬]\d+)*")
_BEFORE: Final = re.compile(
    r"(?<!\d)(?<!\d[^\S\n])([€$£¥]|(?:EUR|USD|GBP|CHF|JPY|US\$))[^\S\n]?$", re.IGNORECASE
)
"""The currency before a number; that of the number before it, or of the row above, is none."""
_LONGEST_BEFORE: Final = 7
_SAME: Final = {
    "٪": "%",
    "eur": "€",
    "usd": "$",
    "us$": "$",
    "gbp": "£",
    "jpy": "¥",
    "chf": "CHF",
    "kb": "KB",
    "mb": "MB",
    "gb": "GB",
    "tb": "TB",
}
_SIGNS: Final = (
    "%",
    "°",
    "€",
    "$",
    "£",
    "¥",
    "kg",
    "g",
    "t",
    "km",
    "m",
    "cm",
    "mm",
    "l",
    "ms",
    "s",
    "min",
    "h",
)
_PLURAL: Final = re.compile(r"s\b")
_MONEY: Final = frozenset("€$£¥")


@dataclass(frozen=True)
class _Words:
    """The words for units and ranges of all languages."""

    units: Mapping[str, str]
    money: frozenset[str]
    after: re.Pattern[str]
    unspaced: re.Pattern[str]
    """The units of scripts without spaces."""
    range: re.Pattern[str]
    amounts: Mapping[str, tuple[str, str]]
    amount: re.Pattern[str]
    endings: Mapping[str, str]
    ending: re.Pattern[str]
    ages: re.Pattern[str]
    """What stands before an age that is no time in seconds."""


@cache
def _words() -> _Words:
    figures = merged(lambda language: language.figures)
    units = (
        {sign: sign for sign in _SIGNS}
        | _SAME
        | {name: unit for unit, names in figures.units.items() for name in names}
    )
    amounts = {
        word: (number, unit)
        for said, words in figures.amounts.items()
        for number, _, unit in [said.partition(" ")]
        for word in words
    }
    endings = {ending: unit for unit, names in figures.unit_endings.items() for ending in names}
    dotted = [name for name in units if "." in name]
    second_words = {name.partition(" ")[2] for name in units if " " in name}
    return _Words(
        units=units,
        money=_MONEY | figures.money,
        after=re.compile(
            rf"\s?([%٪‰€$£¥°]|{alternatives(dotted)}"
            rf"|[^\W\d_]+(?:[{VOWEL_SIGNS}]?\s(?:{alternatives(second_words)})\b)?)",
            re.IGNORECASE,
        ),
        unspaced=re.compile(rf"\s?({alternatives(name for name in units if is_unspaced(name))})"),
        range=re.compile(rf"\s?(?:-|–|—|{alternatives(figures.range_words)})\s?", re.IGNORECASE),
        amounts=amounts,
        amount=re.compile(rf"(?<!\w)(?:{alternatives(amounts)})(?!\w)", re.IGNORECASE),
        endings=endings,
        ending=re.compile(rf"(?<!\w)(\d+|[^\W\d_]+?)-?({alternatives(endings)})(?!\w)", re.IGNORECASE),
        ages=re.compile(rf"\b(?:{alternatives(figures.before_ages)})-$", re.IGNORECASE),
    )


class Amount(NamedTuple):
    """A number with its unit that words say together, and their place."""

    written: str
    number: str
    unit: str
    start: int

    @property
    def end(self) -> int:
        """Where the words end."""
        return self.start + len(self.written)


def amounts_in_words(text: str) -> Iterator[Amount]:
    """Yield what single words say with their unit: a fortnight is 14 days."""
    for match in _words().amount.finditer(text):
        yield Amount(match[0], *_words().amounts[match[0].lower()], match.start())


def unit_endings(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the words that end in a unit, each with this unit; the first group is what stands before it."""
    for match in _words().ending.finditer(text):
        yield match, _words().endings[match[2].lower()]


def units_in_ranges(text: str, found: Sequence[tuple[int, int, str]]) -> list[str]:
    """Return the units of numbers (start, end, unit); those of a range have one unit together."""
    units = [unit for _, _, unit in found]
    pairs = [
        n
        for n in range(1, len(found))
        if _words().range.fullmatch(text[found[n - 1][1] : found[n][0]]) is not None
    ]
    for n in reversed(pairs):
        units[n - 1] = units[n - 1] or units[n]
    for n in pairs:
        start, end, _ = found[n]
        # "£48 and two punctures" has no two pounds.
        counts = not text[start].isdigit() and re.match(r" [^\W\d_]", text[end:]) is not None
        if not units[n] and is_money(units[n - 1]) and not counts:
            units[n] = units[n - 1]
    return units


def is_unit(word: str) -> bool:
    """Return whether a word is the name or the sign of a unit."""
    return word.lower() in _words().units


def is_money(unit: str) -> bool:
    """Return whether the sign of a unit is that of a currency."""
    return unit in _words().money


def unit_at(text: str, start: int, end: int) -> str:
    """Return the sign of the unit beside the number at this place, empty without a known one.

    "The over-25s" are no seconds.
    """
    if _PLURAL.match(text, end) and _words().ages.search(text[:start]):
        return ""
    before = _BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start])
    if before:
        return _words().units[before[1].lower()]
    units = _words().units
    unspaced = _words().unspaced.match(text, end)
    if unspaced is not None:
        return units[unspaced[1]]
    after = _words().after.match(text, end)
    if after is None:
        return ""
    # In Japanese, the sentence goes on without a blank: "15kgです".
    written = without_vowel_signs(after[1].lower())
    named = re.split(f"[{CJK}]", written, maxsplit=1)[0] or written
    return units.get(named) or units.get(named.split()[0], "")
