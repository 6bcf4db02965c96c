"""Where the clauses of a sentence end, in all languages. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from app.language.languages import merged
from app.language.sentences import sentences
from app.language.words import alternatives


@dataclass(frozen=True)
class ClauseWords:
    """The words that end clauses, exclude a thing, or separate two names."""

    clause_end: re.Pattern[str]
    """What ends a clause, without a group, or in the group "hedge" what only seems to: "more than" sixty."""
    excluding: re.Pattern[str]
    """Words before a thing that a figure excludes: "unlike", "than", "except"."""
    alternatives: re.Pattern[str]


@cache
def clause_words() -> ClauseWords:
    """Return the words of all languages."""
    words = merged(lambda language: language.figures)
    clause_words, apart = alternatives(words.clause_words), alternatives(words.apart)
    return ClauseWords(
        clause_end=re.compile(
            rf"\b(?P<hedge>{alternatives(words.above | words.below)})(?=\s)"
            rf"|[;:؛]\s|[,،]\s|[，、；：]|\s(?:{clause_words})\s|\b(?:{apart})\s",
            re.IGNORECASE,
        ),
        excluding=re.compile(rf"(?:{apart})\b", re.IGNORECASE),
        alternatives=re.compile(rf"\s(?:{alternatives(words.listing)})\s|\s?[/&]\s?", re.IGNORECASE),
    )


def clause_ends(text: str) -> Iterator[re.Match[str]]:
    """Yield what ends a clause of a sentence."""
    return (match for match in clause_words().clause_end.finditer(text) if not match["hedge"])


def clauses(text: str) -> Iterator[str]:
    """Yield the clauses of the sentences of a text, without what separates them."""
    for sentence in (each for line in text.split("\n") for each in sentences(line)):
        start = 0
        for end in clause_ends(sentence):
            yield sentence[start : end.start()]
            start = end.end()
        yield sentence[start:]
