"""Pages that say they were not found although their server reports no error ("soft 404"). Pure."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from app.language.languages import merged
from app.pages.extraction.extract import Extracted

MOST_WORDS: Final = 150
"""A page with more words may be about pages that are not found."""

_PARTS: Final = re.compile(r"\s+[|–—·•-]+\s+|:\s+")
_PUNCTUATION: Final = " .!?…"


def says_not_found(content: Extracted) -> bool:
    """Return whether a part of the title, or the first heading, of a short page says only that."""
    if content.word_count > MOST_WORDS:
        return False
    texts = (content.title, *content.headings[:1])
    parts = (part.strip(_PUNCTUATION) for text in texts for part in (text, *_PARTS.split(text)))
    return any(_pattern().fullmatch(part) for part in parts)


@cache
def _pattern() -> re.Pattern[str]:
    sentences = "|".join(merged(lambda language: language.pages).not_found)
    return re.compile(rf"(?:(?:http )?(?:error )?404(?: error)?)|(?:404[:,]? )?(?:{sentences})", re.I)
