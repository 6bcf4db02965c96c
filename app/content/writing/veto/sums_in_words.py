"""The figures that a sentence works out in words, and that its evidence has of another thing, too. Pure.

"At £132 a month against £84, Keyholder costs £48 more than Wheel" is right, though £48 is what Bench costs.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import prod
from typing import Final

from app.content.writing.veto.quantities import Quantity, known_quantities
from app.content.writing.veto.worked_out import figures_in
from app.content.writing.veto.written_out import PERCENT
from app.language.languages import language_data
from app.language.words import alternatives

_PAIR: Final = 2
_WORDS_BETWEEN: Final = 3
"""Words between a difference and the word that says so: "£48 a month more"."""


def sums_in_words(text: str, said: str, language: str) -> Iterator[Quantity]:
    """Yield the figures of a sentence that are the sum, product or difference of others in it.

    All have to be in its evidence, ``said``. A sum adds up all figures of its unit before it, a product
    multiplies the two before it ("two shelves at £24 each come to £48"), and a difference stands before a
    word that compares. Any other figure may be the result of some operation by chance.
    """
    known = known_quantities(said, language)
    figures = [each for each in figures_in(text, language) if any(each.says(other) for other in known)]
    for at, result in enumerate(figures):
        before = figures[:at]
        alike = [each for each in figures if each.unit == result.unit and each != result]
        is_difference = _is_compared(text, result, language) and result.value in _differences(alike)
        if result.unit and (
            is_difference or _is_total(result, before) or _is_product(result, before[-_PAIR:])
        ):
            yield result


def _is_compared(text: str, result: Quantity, language: str) -> bool:
    """Return whether a figure stands before a word such as "more"."""
    return _comparing(language).match(text, result.start + len(result.written)) is not None


@cache
def _comparing(language: str) -> re.Pattern[str]:
    compared = alternatives(language_data(language).figures.comparing)
    return re.compile(rf"\S*(?:\s[^\W\d]+){{0,{_WORDS_BETWEEN}}}?\s(?:{compared})\b", re.IGNORECASE)


def _differences(figures: Sequence[Quantity]) -> set[Fraction]:
    return {abs(_value(one) - _value(other)) for one, other in combinations(figures, _PAIR)}


def _is_total(result: Quantity, before: Sequence[Quantity]) -> bool:
    alike = [each for each in before if each.unit == result.unit]
    return len(alike) >= _PAIR and sum(map(_value, alike)) == result.value


def _is_product(result: Quantity, factors: Sequence[Quantity]) -> bool:
    """Return whether a figure is that of one thing, or of a metre, times how many there are."""
    units = [each.unit for each in factors]
    is_fit = len(units) == _PAIR and units.count(result.unit) == 1 and PERCENT not in units
    return is_fit and prod(map(_value, factors)) == result.value


def _value(figure: Quantity) -> Fraction:
    return figure.value or Fraction(0)
