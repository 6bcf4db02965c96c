"""Whether a sentence leans on the one before it. Pure."""

from __future__ import annotations

import re

from app.content.language.lexicon import lexicon
from app.content.language.text import is_unspaced


def leans_back(sentence: str, language: str) -> bool:
    """Tell whether a sentence begins with a word that only the sentence before it explains: "It", "But"."""
    lowered = sentence.lower().lstrip("\"'“„‘«»(「『")
    return any(_begins_with(lowered, opener) for opener in lexicon(language).openers)


def _begins_with(text: str, opener: str) -> bool:
    """Tell whether a text begins with a word; where no blank ends it, anything may follow."""
    rest = text[len(opener) :]
    return text.startswith(opener) and (is_unspaced(opener) or not re.match(r"\w", rest))
