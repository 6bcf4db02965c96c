"""Currencies without a sign of their own, as the language files name them. Pure."""

import re
from functools import cache

from app.language.languages import merged
from app.language.words import VOWEL_SIGNS, alternatives


@cache
def money_names() -> str:
    """Return a pattern of all names and abbreviations of such currencies: "دنانير", "د.أ"."""
    figures = merged(lambda language: language.figures)
    names = {name for unit in figures.money for name in figures.units[unit]}
    return rf"(?:{alternatives(names)})[{VOWEL_SIGNS}]?"


def names_money(text: str) -> bool:
    """Return whether a text has the name of such a currency."""
    return _name().search(text) is not None


@cache
def _name() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){money_names()}(?!\w)", re.IGNORECASE)
