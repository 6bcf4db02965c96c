"""Finds the word before a noun that tells one thing of its kind from another. Pure.

Evidence that speaks of "the raft module" and "the consul module" has two modules, whose names are small words
like others.
"""

import re
from collections.abc import Iterator
from typing import Final

from app.language.languages import language_data
from app.language.number_words import number_words
from app.language.stems import stem

_PAIR: Final = re.compile(r"(?=(?<![\w`./-])([^\W\d_][\w-]{2,}) ([^\W\d_]{3,})(?![\w-]))")
_Pair = tuple[str, str]


def telling_words(text: str, said: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield where a sentence has the first word that tells a thing from another that its evidence names.

    Both pairs of words have to be in the evidence as the sentence would have them: "the old driver" is none
    of two drivers if only the sentence calls it old.
    """
    known = {pair for _, pair in _pairs(said, language)}
    found = [
        (start, word)
        for start, (word, noun) in _pairs(text, language)
        if text[start].islower()
        and (word, noun) in known
        and any(other == noun and not _same(each, word, language) for each, other in known)
    ]
    for start, word in found:
        if word == found[0][1]:
            yield start, start + len(word)


def _pairs(text: str, language: str) -> Iterator[tuple[int, _Pair]]:
    """Yield each word with a meaning of its own, the stem of the noun after it, and where it begins."""
    table = language_data(language).words
    small = table.stopwords | table.light_words
    for match in _PAIR.finditer(text):
        word, noun = match[1].lower(), match[2].lower()
        if not {word, noun} & small and not any(number_words(word, language)):
            yield match.start(1), (word, stem(noun, language))


def _same(one: str, other: str, language: str) -> bool:
    return stem(one, language) == stem(other, language)
