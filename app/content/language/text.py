"""Words, stems and sentences of a text, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from math import ceil
from typing import Any, Final

import Stemmer

from app.content.language.lexicon import lexicon, primary_subtag
from app.content.language.sentences import ends_like_a_sentence, sentences
from app.infra.words import CJK, extent, fold, is_unspaced, named_terms, terms, width, word_count, words

__all__ = [
    "capitalised", "content_stems", "ends_like_a_sentence", "extent", "fold", "is_unspaced", "joined",
    "light_stems", "reading_minutes", "root", "root_of_stem", "sentences", "stem", "topic_stems", "width",
    "word_count", "words", "written_by_stem",
]  # fmt: skip

_SNOWBALL: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_SHORTEST_REST: Final = 3
_SHORTEST_ROOT: Final = 4
_SINGLE: Final = re.compile(r"\A([^\W\d_])-(?=[^\W\d_]{2})")
_DOUBLED: Final = re.compile(r"([bdgmnprt])\1\Z")
_WORDS_A_MINUTE: Final = 220
_ENDS_UNSPACED: Final = re.compile(rf"[{CJK}。！？｡．]\S{{0,2}}\Z")


def reading_minutes(count: int) -> int:
    """Return the minutes that reading ``count`` words takes, at least one."""
    return max(1, ceil(count / _WORDS_A_MINUTE))


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """Return the stem of a word by the language's Snowball stemmer; without one, the word in lower case.

    Joined particles are cut first ("wa-l-", "bi-l-" of Arabic), where three letters are left.
    """
    lowered = word.lower().replace("’", "'").removesuffix("'s")
    table = lexicon(language)
    for beginning in table.beginnings:
        if lowered.startswith(beginning) and len(lowered) - len(beginning) >= _SHORTEST_REST:
            lowered = lowered[len(beginning) :]
            break
    if lowered in table.stems:
        return table.stems[lowered]
    stemmer = _stemmer(primary_subtag(language))
    stemmed: str = stemmer.stemWord(lowered) if stemmer else lowered
    return stemmed


@lru_cache(maxsize=65_536)
def root(word: str, language: str) -> str:
    """Return the stem of the word that a word is derived from: that of "mile" for "mileage"."""
    return root_of_stem(stem(word, language), language)


@lru_cache(maxsize=65_536)
def root_of_stem(found: str, language: str) -> str:
    """Return the root of the words with a stem; a stem of a stem would be another one ("leas", "lea")."""
    table = lexicon(language)
    for ending in () if found in table.stems.values() else table.derivations:
        rest = found.removesuffix(ending)
        if rest != found and len(rest) >= _SHORTEST_ROOT:
            found = stem(_DOUBLED.sub(r"\1", rest), language)
            break
    return found.removesuffix("e") if len(found) > _SHORTEST_ROOT else found


@lru_cache
def _stemmer(primary: str) -> Any:
    name = _SNOWBALL.get(primary)
    return Stemmer.Stemmer(name) if name else None


def content_stems(text: str, language: str) -> list[str]:
    """Return the stems of all words that are not stopwords, in order, repeats kept; a hyphen parts words."""
    stopwords = lexicon(language).stopwords
    return [stem(word, language) for word in parts(text, language) if word.lower() not in stopwords]


def topic_stems(topic: str, language: str) -> frozenset[str]:
    """Return the stems that carry a topic; falls back to all words when nothing else is left."""
    table = lexicon(language)
    found = _parted(named_terms(topic, paired=_is_paired(language)))
    carrying = [w for w in found if w.lower() not in table.stopwords | table.intent_words]
    return frozenset(stem(word, language) for word in carrying or found)


@lru_cache(maxsize=1024)
def light_stems(topic: str, language: str) -> frozenset[str]:
    """Return the stems of a topic that say little of it; none when it has no others."""
    light = lexicon(language).light_words
    said = _parted(named_terms(topic, paired=_is_paired(language)))
    found = frozenset(stem(word, language) for word in said if word.lower() in light)
    return found if topic_stems(topic, language) - found else frozenset()


def parts(text: str, language: str) -> list[str]:
    """Return the words of a text as they are searched for; those that a hyphen joins one by one."""
    return _parted(terms(text, paired=_is_paired(language)))


def written_by_stem(text: str, language: str) -> dict[str, str]:
    """Return the words of a text as they are written, by their stems."""
    return {stem(word, language): word for word in parts(text, language)}


def _parted(found: Iterable[str]) -> list[str]:
    """Return words, those that a hyphen joins one by one; a letter that begins one stays with it: "ebike"."""
    return [
        part for word in found for part in (_SINGLE.sub(r"\1", word).split("-") if "-" in word else (word,))
    ]


def _is_paired(language: str) -> bool:
    return primary_subtag(language) != "zh"


def joined(told: Iterable[str]) -> str:
    """Return sentences as one text: with a blank after each whose script has blanks."""
    text = ""
    for sentence in told:
        text += f"{'' if not text or _ENDS_UNSPACED.search(text) else ' '}{sentence}"
    return text


def capitalised(text: str) -> str:
    """Return ``text`` with its first letter in upper case, the rest as written."""
    return text[:1].upper() + text[1:]
