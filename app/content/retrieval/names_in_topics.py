"""Names of several words in a topic, and whether the pages say them: "JSON Web Tokens". Pure.

A site may say each of the words and nothing about what they name together.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from app.content.evidence.sections import PageSection
from app.language.languages import language_data

_WORDS: Final = re.compile(r"[^\s,;:/()“”\"]+|[,;:/()“”\"]")
_LEAST: Final = 2
_ENDING: Final = 2
"""Letters at the end of a word in which its forms may differ: "Tokens" says "token"."""
_SHORTEST: Final = 3
_BETWEEN: Final = r"[^\w]{1,3}"


def unsaid_names(topic: str, sections: Iterable[PageSection], language: str) -> tuple[str, ...]:
    """Return the names of a topic that no section says, with the words in their order, nor by their letters.

    A name is two words with capitals or more, inside a topic that also has words without; the first word of
    the topic begins none. German, which writes all nouns with capitals, shows no names.
    """
    names = tuple(_names(topic)) if not language_data(language).words.capital_nouns else ()
    left = {name: _as_said(name) for name in names}
    for section in sections if left else ():
        said = "\n".join((section.page_name, *section.path, *(block.text for block in section.blocks)))
        left = {name: pattern for name, pattern in left.items() if not pattern.search(said)}
    return tuple(left)


def _names(topic: str) -> Iterator[str]:
    others = _WORDS.findall(topic)[1:]
    if not any(word[:1].islower() and len(word) > _SHORTEST for word in others):
        return
    for is_capital, run in groupby(others, key=lambda word: word[:1].isupper()):
        found = tuple(run)
        if is_capital and len(found) >= _LEAST:
            yield " ".join(found)


def _as_said(name: str) -> re.Pattern[str]:
    words = name.split()
    parts = (re.escape(word[: max(_SHORTEST, len(word) - _ENDING)]) + r"\w*" for word in words)
    letters = re.escape("".join(word[0] for word in words))
    return re.compile(rf"(?i:\b{_BETWEEN.join(parts)})|\b{letters}s?\b")
