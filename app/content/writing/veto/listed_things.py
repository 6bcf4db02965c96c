"""Finds a thing in a list that its evidence has not: "heather and yarrow" for "clover and yarrow". Pure."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.evidence import stated, text_of
from app.language.languages import language_data, merged
from app.language.stems import stem
from app.language.words import alternatives, word_parts, words

_THING: Final = r"[^\W\d_][\w-]{2,}"


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a list of three words or more, and of what stands between them."""
    last = alternatives(merged(lambda language: language.figures).listing)
    between = rf",?\s(?:{last})\s"
    return (
        re.compile(rf"(?:{_THING},\s)+{_THING}{between}{_THING}", re.IGNORECASE),
        re.compile(rf"{between}|,\s", re.IGNORECASE),
    )


def unlisted_things(text: str, units: Sequence[EvidenceUnit], language: str) -> Iterator[tuple[str, str]]:
    """Yield (word, list) for a word that no evidence has, in a list that the evidence has with other words.

    The last word may be an adjective where nouns have no capitals: "trolleys, chutes and locked cupboards".
    """
    lists = list(_lists(text))
    known = [each for unit in units for each in _lists(stated(unit))] if lists else []
    spoken = words(text_of(units)) if known else []
    said = {stem(part, language) for word in spoken for part in (word, *word_parts(word))}
    last = None if language_data(language).words.capital_nouns else -1
    for things in lists:
        stems = _stems(things, language)
        for other in known:
            if len(other) != len(things) or not stems & _stems(other, language):
                continue
            for word in things[:last]:
                if not any(_is_part(stem(word, language), each) for each in said):
                    yield word, ", ".join(other)


def _lists(text: str) -> Iterator[list[str]]:
    whole, between = _patterns()
    for match in whole.finditer(text):
        yield between.split(match[0])


def _stems(things: Sequence[str], language: str) -> set[str]:
    return {stem(each, language) for each in things}


def _is_part(one: str, other: str) -> bool:
    """Return whether one word is in the other, as in a compound."""
    return one in other or (len(other) > 2 and other in one)
