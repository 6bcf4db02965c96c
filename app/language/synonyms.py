"""Words that a topic and a page use for the same thing.

A language may have a file ``data/<code>.synonyms.txt`` with a group of words on each line. A word may be
in several groups: that does not join them. What a hyphen joins may also be written apart.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from app.language.languages import DATA, language_data
from app.language.stems import root, root_of_stem, stem
from app.language.tags import language_code


@lru_cache(maxsize=65_536)
def synonyms(word_root: str, language: str) -> frozenset[str]:
    """Return the roots of all words with the same meaning, the given root included."""
    code = language_code(language)
    meant = _words(code).get(word_root, frozenset())
    return frozenset({word_root}).union(root(each, code) for each in meant)


@lru_cache(maxsize=65_536)
def synonym_stems(stemmed: str, language: str) -> frozenset[str]:
    """Return the stems of all words with the same meaning, the given stem included."""
    code = language_code(language)
    meant = _words(code).get(root_of_stem(stemmed, code), frozenset())
    return frozenset({stemmed}).union(stem(each, code) for each in meant)


@lru_cache
def price_stems(language: str) -> frozenset[str]:
    """Return the stems of a language's words for prices, and of all words with the same meaning."""
    named = language_data(language).words.price_words
    return frozenset[str]().union(*(synonym_stems(stem(word, language), language) for word in named))


@lru_cache
def price_roots(language: str) -> frozenset[str]:
    """Return the same words' roots, as ``synonyms`` returns them."""
    named = language_data(language).words.price_words
    return frozenset[str]().union(*(synonyms(root(word, language), language) for word in named))


def written_apart(said: Sequence[str], language: str) -> list[str]:
    """Return the words with synonyms that a text writes in two parts: "giftcard" for "gift cards"."""
    known = _parts(language_code(language))
    return [
        first.lower() + second.lower()
        for first, second in pairwise(said)
        if first.lower() in known and stem(second, language) in known[first.lower()]
    ]


@lru_cache
def _parts(language: str) -> Mapping[str, frozenset[str]]:
    """Return the first parts of the words with a hyphen, each with the stems of their second parts."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in _lines(language):
        for first, _, second in (word.partition("-") for word in line.split() if word.count("-") == 1):
            found[first].add(stem(second, language))
    return {first: frozenset(seconds) for first, seconds in found.items()}


@lru_cache
def _words(language: str) -> Mapping[str, frozenset[str]]:
    """Return, for each root, the words of all its groups."""
    found: dict[str, set[str]] = defaultdict(set)
    for group in _groups(language):
        for word in group:
            found[root(word, language)] |= group
    return {each: frozenset(meant) for each, meant in found.items()}


def _groups(language: str) -> tuple[frozenset[str], ...]:
    # Page search joins words at hyphens.
    groups = (line.replace("-", "").split() for line in _lines(language))
    return tuple(frozenset(group) for group in groups if group)


def _lines(language: str) -> tuple[str, ...]:
    file = DATA / f"{language}.synonyms.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else ()
    return tuple(line for line in lines if not line.startswith("#"))
