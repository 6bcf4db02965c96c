"""Sums of money in a text, with the signs, codes and names of currencies in all languages. Pure."""

import re
from functools import cache
from typing import Final

from app.language.languages import merged
from app.language.words import VOWEL_SIGNS, alternatives, is_unspaced

CODES: Final = "USD|EUR|GBP|CHF|AED|SAR|QAR|KWD|BHD|OMR|JOD|EGP|MAD|TND"
"""Codes of currencies, in capitals: "mad" is a word."""
_YEN: Final = "¥"


@cache
def money_names() -> str:
    """Return a pattern of the names of currencies without a sign of their own: "دنانير", "د.أ"."""
    figures = merged(lambda language: language.figures)
    names = {name for unit in figures.money for name in figures.units[unit]}
    return rf"(?<![^\W\d])(?:{alternatives(names)})[{VOWEL_SIGNS}]?(?![^\W\d])"


def has_amount(text: str) -> bool:
    """Return whether a text has a sum of money."""
    return _amount().search(text) is not None


@cache
def _amount() -> re.Pattern[str]:
    units = merged(lambda language: language.figures).units
    # In Japanese no blank stands before the name of the currency.
    behind = alternatives(filter(is_unspaced, units[_YEN]))
    return re.compile(rf"[€$£¥]|\b(?:{CODES}|Euro)\b|\d\s?p\b|\d\s?(?:{behind})|(?i:{money_names()})")
