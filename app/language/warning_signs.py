"""Sentences that warn: what they say must not be missing. The patterns are in each language file. Pure."""

import re
from functools import lru_cache
from typing import Final

from app.language.languages import language_data
from app.language.tags import language_code

_OPENING_MARKS: Final = "\"'“„‘«»(「『¿¡*"
_NOTHING: Final = "(?!)"


def warns(sentence: str, language: str) -> bool:
    """Return whether a sentence warns: "Never …", "Stop here if …", "Important: …"."""
    return _pattern(language_code(language)).search(sentence.lstrip(_OPENING_MARKS)) is not None


@lru_cache
def _pattern(language: str) -> re.Pattern[str]:
    patterns = language_data(language).words.warnings
    return re.compile("|".join(f"(?:{each})" for each in patterns) or _NOTHING, re.IGNORECASE)
