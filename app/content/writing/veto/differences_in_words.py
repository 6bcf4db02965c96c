"""The differences that a sentence says in words, and that its evidence has as figures of another thing. Pure.

"At £132 a month against £84, Keyholder costs £48 more than Wheel" is right, though £48 is what Bench costs.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Final

from app.content.writing.veto.quantities import Quantity, known_quantities
from app.content.writing.veto.worked_out import figures_in
from app.language.languages import language_data
from app.language.words import alternatives

_PAIR: Final = 2
_PERIOD: Final = r"(?:\s[^\W\d]+\s[^\W\d]+)?"
"""What may stand between a difference and the word that says so: "£48 a month more"."""


def differences_in_words(text: str, said: str, language: str) -> Iterator[Quantity]:
    """Yield the figures of a sentence before a word that compares that are the difference of its two others.

    All three have to be in its evidence, ``said``, and of one unit. Where there are more, any may be the
    difference of two by chance.
    """
    known = known_quantities(said, language)
    figures = [each for each in figures_in(text, language) if any(each.says(other) for other in known)]
    for result in figures:
        others = [each for each in figures if each.unit == result.unit and each != result]
        if result.unit and _is_compared(text, result, language) and _is_difference(result, others):
            yield result


def _is_compared(text: str, result: Quantity, language: str) -> bool:
    """Return whether a figure stands before a word such as "more"."""
    return _comparing(language).match(text, result.start + len(result.written)) is not None


@cache
def _comparing(language: str) -> re.Pattern[str]:
    compared = alternatives(language_data(language).figures.comparing)
    return re.compile(rf"\S*{_PERIOD}\s(?:{compared})\b", re.IGNORECASE)


def _is_difference(result: Quantity, others: Sequence[Quantity]) -> bool:
    values = sorted(each.value or Fraction(0) for each in others)
    return len(values) == _PAIR and values[1] - values[0] == result.value
