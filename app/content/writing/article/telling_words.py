"""Finds the small words of a sentence that tell one thing of its kind from another. Pure.

Evidence that speaks of "the raft module" and "the consul module" has two modules, whose names are words like
others. So are "zone-refresh" and "zone-retransfer", "knotc" and "knotd", and the values that a list explains.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Final

from app.language.languages import language_data
from app.language.number_words import number_words
from app.language.stems import stem
from app.language.words import words

_PAIR: Final = re.compile(r"(?=(?<![\w`./-])([^\W\d_][\w-]{2,}) ([^\W\d_]{3,})(?![\w-]))")
_COMPOUND: Final = re.compile(r"(?<![\w`./-])[^\W\d_]{3,}(?:-[^\W\d_]{3,})+(?![\w/-])")
_LONG: Final = 8
_ENDING: Final = 3
_WORD: Final = re.compile(r"(?<![\w`./-])[^\W\d_A-Z]{5,}(?![\w/-])")


def telling_words(text: str, said: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield where a sentence has the first word that tells a thing from another of its evidence.

    The evidence has the word before the same noun: "the old driver" is none of two drivers if only the
    sentence calls it old. Words in capitals, or that begin alike, are names wherever they stand. Where the
    noun comes first, the word before another is no modifier, but any noun or verb.
    """
    if language_data(language).words.noun_first:
        return iter(())
    return _places_of_first(set(_before_nouns(text, said, language)))


def small_names(text: str, said: str, values: Collection[str], language: str) -> Iterator[tuple[int, int]]:
    """Yield where a sentence has the first such name: "zone-refresh", "knotc", or a value.

    It could be another of the evidence. ``values`` are the words that the lists of the evidence explain.
    """
    found = {*_compounds(text, said), *_look_alikes(text, said, language), *_values(text, values)}
    return _places_of_first(found)


def _places_of_first(found: Collection[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Yield all the places of the word that a sentence has first."""
    first = min(found)[1] if found else ""
    for start, word in sorted(found):
        if word == first:
            yield start, start + len(word)


def _values(text: str, values: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield the values of a sentence that a list explains beside others."""
    for match in _WORD.finditer(text) if len(values) > 1 else ():
        if match[0] in values:
            yield match.start(), match[0]


def _look_alikes(text: str, said: str, language: str) -> Iterator[tuple[int, str]]:
    """Yield words such as "knotc", from which "knotd" differs only in the letter behind "Knot".

    The others of a long word may differ in up to three letters.
    """
    small = language_data(language).words.stopwords
    written = {match[0] for match in _WORD.finditer(said)} - small
    # The plural of a word is no name: "plans" beside "plant".
    known = {each for each in written if stem(each, language) == each}
    whole = {each.lower() for each in words(said)}
    for match in _WORD.finditer(text):
        others = known - {match[0]} if match[0] in known else ()
        is_of_name = match[0][:-1] in whole
        if any(
            (is_of_name and _begin_alike(each, match[0])) or _end_apart(each, match[0]) for each in others
        ):
            yield match.start(), match[0]


def _before_nouns(text: str, said: str, language: str) -> Iterator[tuple[int, str]]:
    """Yield the words before nouns that have other words before them in the evidence, and where they are."""
    before: defaultdict[str, set[str]] = defaultdict(set)
    for _, word, noun in _pairs(said, language):
        before[noun].add(word)
    known = frozenset(words(said))
    for start, word, noun in _pairs(text, language):
        others = [each for each in before[noun] if _are_rivals(word, each, language)]
        is_name = word in known and (word.isupper() or any(_begin_alike(word, each) for each in others))
        if start and others and (word in before[noun] or is_name):
            yield start, word


def _are_rivals(one: str, other: str, language: str) -> bool:
    """Return whether two words may stand for each other: a name for a name, a word for a word."""
    return one[0].isupper() == other[0].isupper() and stem(one, language) != stem(other, language)


def _begin_alike(one: str, other: str) -> bool:
    return one.islower() and one[:-1] == other[:-1]


def _end_apart(one: str, other: str) -> bool:
    begun = max(len(one), len(other)) - _ENDING
    return begun >= _LONG and one[:begun] == other[:begun]


def _pairs(text: str, language: str) -> Iterator[tuple[int, str, str]]:
    """Yield where each word with a meaning begins, the word, and the stem of the noun after it."""
    table = language_data(language).words
    small = table.stopwords | table.light_words
    for match in _PAIR.finditer(text):
        word, noun = match[1].lower(), match[2].lower()
        if not {word, noun} & small and not any(number_words(word, language)):
            yield match.start(1), match[1], stem(noun, language)


def _compounds(text: str, said: str) -> Iterator[tuple[int, str]]:
    """Yield the words with hyphens of which the evidence has another that begins or ends alike."""
    known = {match[0] for match in _COMPOUND.finditer(said)}
    for match in _COMPOUND.finditer(text):
        first, last = match[0].split("-")[0], match[0].split("-")[-1]
        others = (each.split("-") for each in known - {match[0]})
        if match[0] in known and any(each[0] == first or each[-1] == last for each in others):
            yield match.start(), match[0]
