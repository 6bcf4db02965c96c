"""The fixed lines of a post in a text: which lines are such, and quotation marks. Pure."""

import re
from dataclasses import fields
from functools import cache
from typing import Final

from app.language.languages import in_all_languages, language_data
from app.language.schema import Phrases
from app.language.words import words

_OPEN: Final = frozenset({"titles", "asked", "price_header", "quotation_marks"})
_NAMES: Final = re.compile(r"\\\{[a-z]+\\\}")


def quoted(text: str, language: str) -> str:
    """Return a text between the quotation marks of a language."""
    phrases = language_data(language).phrases
    opening, closing = phrases.quotation_marks if phrases else ("“", "”")
    return f"{opening}{text}{closing}"


def is_template_line(text: str) -> bool:
    """Return whether a line of plain text is one of the fixed lines, whatever fills its names."""
    return any(pattern.fullmatch(text.strip()) for pattern in _patterns())


def is_weak_anchor(text: str) -> bool:
    """Return whether the words of a link do not say where it leads: "click here"."""
    return text.lower().strip(" .…»>→") in _weak_anchors() or not words(text)


@cache
def _weak_anchors() -> frozenset[str]:
    return frozenset(in_all_languages(lambda language: language.style.weak_anchors))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    lines = in_all_languages(lambda language: _lines(language.phrases) if language.phrases else ())
    return tuple(re.compile(_NAMES.sub("(.+)", re.escape(line))) for line in lines)


def _lines(table: Phrases) -> list[str]:
    """Return every line but those whose shortest form is any text or any question at all."""
    values = [getattr(table, member.name) for member in fields(table) if member.name not in _OPEN]
    return [line for value in values for line in ((value,) if isinstance(value, str) else value)]
