"""Names of several words in a topic, and whether the pages say them: "JSON Web Tokens". Pure.

A site may say each of the words and nothing about what they name together.
"""

import re
from collections.abc import Iterable, Iterator, Set
from itertools import groupby
from typing import Final

from app.content.evidence.sections import PageSection
from app.language.languages import language_data

_WORDS: Final = re.compile(r"[^\s,;:/()“”\"]+|[,;:/()“”\"]")
_POSSESSIVE: Final = re.compile(r"['’]s?\Z")
_LEAST: Final = 2
_ENDING: Final = 2
"""Letters at the end of a word in which its forms may differ: "Tokens" says "token"."""
_SHORTEST: Final = 3


def unsaid_names(topic: str, sections: Iterable[PageSection], language: str) -> tuple[str, ...]:
    """Return the names of a topic whose words no passage or heading says together, nor their first letters.

    A name is two words with capitals or more, inside a topic that begins without one or has another word
    with a meaning without; the first word of the topic begins none. German, which writes all nouns with
    capitals, shows no names.
    """
    table = language_data(language).words
    left = dict.fromkeys(_names(topic, table.stopwords) if not table.capital_nouns else ())
    for section in sections if left else ():
        headings = " ".join((section.page_name, *section.path))
        texts = (headings, *(block.text for block in section.blocks))
        left = {name: None for name in left if not any(_says(text, name) for text in texts)}
    return tuple(left)


def _names(topic: str, stopwords: Set[str]) -> Iterator[str]:
    others = [_POSSESSIVE.sub("", word) for word in _WORDS.findall(topic)[1:]]
    meaningful = (word for word in others if word.lower() not in stopwords and len(word) > _SHORTEST)
    if not (topic[:1].islower() or any(word[:1].islower() for word in meaningful)):
        return
    for is_name, run in groupby(others, key=lambda word: _may_be_named(word, stopwords)):
        found = tuple(run)
        if is_name and len(found) >= _LEAST:
            yield " ".join(found)


def _may_be_named(word: str, stopwords: Set[str]) -> bool:
    return word[:1].isupper() and word.lower() not in stopwords


def _says(text: str, name: str) -> bool:
    """Return whether a text has all words of a name in any form and order, or the letters they begin with."""
    words, lowered = name.split(), text.lower()
    if all(word[: max(_SHORTEST, len(word) - _ENDING)].lower() in lowered for word in words):
        return True
    letters = re.escape("".join(word[0] for word in words))
    return re.search(rf"\b{letters}s?\b", text) is not None
