"""How sentences begin: three in a row that begin alike tire a reader. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.content.language.lexicon_table import word_set
from app.content.language.text import words

_ARTICLES: Final = word_set(
    "the a an this that these those der die das ein eine le la les un une des el los las una il lo gli o os "
    "as um uma de het een"
)


def begin_alike(told: Sequence[str]) -> bool:
    """Tell whether all sentences begin with the same word, after an article with the same two."""
    return len({_beginning(sentence) for sentence in told}) == 1


def _beginning(sentence: str) -> tuple[str, ...]:
    first = words(sentence.lower())[:2]
    return tuple(first) if first and first[0] in _ARTICLES else tuple(first[:1])
