"""The text of a keyword: its normal form, and why a text cannot be one. Pure."""

import unicodedata
from typing import Final

from app.infra.one_line import one_line
from app.pages.extraction.blocks import has_words

MAX_LENGTH: Final = 80

TOO_LONG: Final = "too long"
NO_WORDS: Final = "without a letter or digit"
UNSTORABLE: Final = "with a character that cannot be stored"


def fold_keyword(text: str) -> str:
    """Return the normal form of a keyword: trimmed, with single spaces, in lower case."""
    return one_line(unicodedata.normalize("NFC", text)).lower()


def problem_of(folded: str) -> str | None:
    """Return why a folded text cannot be a keyword, one of the reasons above; None if it can."""
    if "\x00" in folded:
        return UNSTORABLE
    if not has_words(folded):
        return NO_WORDS
    return TOO_LONG if len(folded) > MAX_LENGTH else None
