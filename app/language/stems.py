"""Stems: the form in which words are compared, in any language. Pure."""

import re
from collections.abc import Iterable, Set
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import Stemmer

from app.language.languages import language_data
from app.language.number_words import number_words
from app.language.schema import Words
from app.language.tags import language_code
from app.language.words import named_terms, terms, without_vowel_signs, words

_SHORTEST_REST: Final = 3
_SHORTEST_ROOT: Final = 4
_SINGLE: Final = re.compile(r"\A([^\W\d_])-(?=[^\W\d_]{2})")
_DOUBLED: Final = re.compile(r"([bdgmnprt])\1\Z")


def _key(word: str) -> str:
    """Return a word as lists of a language have it: "Don’t" is "don't" there."""
    return without_vowel_signs(word.lower().replace("’", "'"))


def is_small(word: str, small: Set[str]) -> bool:
    """Return whether a word is one of ``small``, or two of them that an apostrophe joins: "d'une"."""
    key = _key(word)
    first, mark, second = key.partition("'")
    return key in small or (mark != "" and first in small and second in small)


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """Return the stem that the language's Snowball stemmer finds; without a stemmer, the word in lower case.

    Particles that are joined to a word, as in Arabic, are removed first if three letters are left. A language
    with a list of endings has no other stemmer.
    """
    lowered = _key(word).removesuffix("'s")
    table = language_data(language).words
    lowered = table.plurals.get(lowered, lowered)
    for beginning in _longest_first(table.joined_beginnings):
        if lowered.startswith(beginning) and len(lowered) - len(beginning) >= _SHORTEST_REST:
            lowered = table.plurals.get(lowered[len(beginning) :], lowered[len(beginning) :])
            break
    if lowered in table.stems:
        return table.stems[lowered]
    if table.joined_endings:
        return _light_stem(lowered, table)
    stemmer = _stemmer(language_code(language))
    stemmed: str = stemmer.stemWord(lowered) if stemmer else lowered
    return stemmed


def _light_stem(word: str, table: Words) -> str:
    """Return a word without what is joined to it, as light stemmers of Arabic do (Larkey et al., 2002)."""
    bare = _without_joined(word, table)
    if bare in table.plurals:
        bare = _without_joined(table.plurals[bare], table)
    return "".join(table.same_letters.get(letter, letter) for letter in bare)


def _without_joined(word: str, table: Words) -> str:
    """Return a word without endings and joined letters; a letter of its own goes in all its forms alike."""
    for endings, shortest in ((table.joined_endings, _SHORTEST_REST), (table.dual_endings, _SHORTEST_ROOT)):
        for ending in endings:
            if word.endswith(ending) and len(word) - len(ending) >= shortest:
                word = word.removesuffix(ending)
    if table.joined_and and word.startswith(table.joined_and) and len(word) > _SHORTEST_REST:
        word = word.removeprefix(table.joined_and)
    while word[:1] in table.joined_letters and len(word) > _SHORTEST_ROOT:
        word = word[1:]
    return word


@lru_cache(maxsize=65_536)
def root(word: str, language: str) -> str:
    """Return the stem of the word from which another is derived: that of "mile" for "mileage"."""
    return root_of_stem(stem(word, language), language)


@lru_cache(maxsize=65_536)
def root_of_stem(stemmed: str, language: str) -> str:
    """Return the root of the words with a stem, without stemming the stem again ("lease", "leas", "lea")."""
    table = language_data(language).words
    for ending in () if stemmed in table.stems.values() else _longest_first(table.derived_endings):
        rest = stemmed.removesuffix(ending)
        if rest != stemmed and len(rest) >= _SHORTEST_ROOT:
            stemmed = stem(_DOUBLED.sub(r"\1", rest), language)
            break
    return stemmed.removesuffix("e") if len(stemmed) > _SHORTEST_ROOT else stemmed


@lru_cache
def _longest_first(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(parts, key=len, reverse=True))


@lru_cache
def _stemmer(language: str) -> Any:
    """Return the Snowball stemmer of a language code, None if there is none."""
    try:
        return Stemmer.Stemmer(language)
    except KeyError:
        return None


def content_stems(text: str, language: str) -> list[str]:
    """Return the stems of all words that are not stopwords, in order and with repeats."""
    stems = (_content_stem(word, language) for word in search_words(text, language))
    return [each for each in stems if each is not None]


@lru_cache(maxsize=65_536)
def _content_stem(word: str, language: str) -> str | None:
    stopwords = language_data(language).words.stopwords
    return None if _key(word) in stopwords else stem(word, language)


def topic_stems(topic: str, language: str) -> frozenset[str]:
    """Return the stems that carry a topic; those of all words if no word carries it."""
    table = language_data(language).words
    found = _split_at_hyphens(named_terms(topic, paired=_is_paired(language)))
    small = table.stopwords | table.intent_words
    carrying = [word for word in found if not is_small(word, small)]
    return frozenset(stem(word, language) for word in carrying or found)


@lru_cache(maxsize=1024)
def light_stems(topic: str, language: str) -> frozenset[str]:
    """Return the stems that say little of a topic; none if there are no others.

    Numbers in words before what they count are among them: a page about ten weeks is not about ten lessons.
    """
    light = language_data(language).words.light_words
    written = _split_at_hyphens(named_terms(topic, paired=_is_paired(language)))
    negations = language_data(language).words.negations
    turned = {second for first, second in pairwise(written) if first.lower() in negations}
    counting = (each for each in number_words(topic, language) if topic[each.end :].strip())
    numbers = {word for each in counting if each.number.isdecimal() for word in words(each.words)}
    found = frozenset(
        stem(word, language)
        for word in written
        if word in numbers or (word.lower() in light and word not in turned)
    )
    return found if topic_stems(topic, language) - found else frozenset()


def search_words(text: str, language: str) -> list[str]:
    """Return the words of a text as they are searched for, split at hyphens."""
    return _split_at_hyphens(terms(text, paired=_is_paired(language)))


def written_by_stem(text: str, language: str) -> dict[str, str]:
    """Return the words of a text as they are written, by their stems."""
    return {stem(word, language): word for word in search_words(text, language)}


def _split_at_hyphens(found: Iterable[str]) -> list[str]:
    """Return words split at hyphens; a single letter before the hyphen stays with its word: "ebike"."""
    return [
        part for word in found for part in (_SINGLE.sub(r"\1", word).split("-") if "-" in word else (word,))
    ]


def _is_paired(language: str) -> bool:
    return language_code(language) != "zh"
