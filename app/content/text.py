"""Words, stems and sentences of a text, in any language."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from math import ceil
from typing import Final

from app.content.lexicon import lexicon

_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:['’.\-_][^\W_{_CJK}]+)*")
_SENTENCE_END: Final = re.compile(r"(?:(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]+[」』）]*)")
_NEXT_START: Final = re.compile(r"\s*[\"'“‘«(\[¿¡]*(?:[^\W\d_a-zß-öø-ÿ]|\d)")
_ABBREVIATIONS: Final = frozenset(
    {
        *(
            "e.g",
            "i.e",
            "etc",
            "vs",
            "cf",
            "dr",
            "mr",
            "mrs",
            "ms",
            "prof",
            "nr",
            "fig",
            "vol",
            "approx",
            "resp",
        ),
        *(
            "incl",
            "inc",
            "ltd",
            "jr",
            "sr",
            "dept",
            "z.b",
            "d.h",
            "u.a",
            "bzw",
            "ca",
            "usw",
            "vgl",
            "evtl",
            "ggf",
        ),
        *("abs", "art", "bspw", "p.ex", "ej", "p.ej", "sra", "ecc", "bijv", "enz", "dhr", "mevr"),
    }
)
_SHORTEST_STEM: Final = 4
_WORDS_A_MINUTE: Final = 220


def fold(text: str) -> str:
    """Return ``text`` in normal form C with every run of white space as one blank, none at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def words(text: str) -> list[str]:
    """Return the words of a text as written; every CJK character counts as one word."""
    return _WORD.findall(text)


def word_count(text: str) -> int:
    """Return the number of Unicode words (CJK: characters)."""
    return len(words(text))


def reading_minutes(count: int) -> int:
    """Return the minutes that reading ``count`` words takes, at least one."""
    return max(1, ceil(count / _WORDS_A_MINUTE))


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """Return a light stem: lower case, the language's commonest ending cut, at least four letters kept."""
    lowered = word.lower().removesuffix("'s").removesuffix("’s")
    for ending in lexicon(language).endings:
        if lowered.endswith(ending) and len(lowered) - len(ending) >= _SHORTEST_STEM:
            return lowered[: -len(ending)]
    return lowered


def content_stems(text: str, language: str) -> list[str]:
    """Return the stems of all words that are not stopwords, in order, repeats kept."""
    stopwords = lexicon(language).stopwords
    return [stem(word, language) for word in words(text) if word.lower() not in stopwords]


def topic_stems(topic: str, language: str) -> frozenset[str]:
    """Return the stems that carry a topic; falls back to all words when nothing else is left."""
    table = lexicon(language)
    carrying = [w for w in words(topic) if w.lower() not in table.stopwords | table.intent_words]
    return frozenset(stem(word, language) for word in carrying or words(topic))


def sentences(text: str) -> list[str]:
    """Split a block of prose into sentences, each a verbatim part of the whitespace-folded text."""
    folded = fold(text)
    found: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(folded):
        if _goes_on(folded, start, match):
            continue
        found.append(folded[start : match.end()].strip())
        start = match.end()
    rest = folded[start:].strip()
    return [*found, rest] if rest else found


def _goes_on(folded: str, start: int, match: re.Match[str]) -> bool:
    """Tell whether the mark is no end: an abbreviation, an initial, or a small letter following."""
    if match.group()[0] in "。！？":
        return False
    if not _NEXT_START.match(folded, match.end()):
        return True
    if not match.group().startswith("."):
        return False
    word_start = max(start, folded.rfind(" ", start, match.start()) + 1)
    word = folded[word_start : match.start()].lstrip("(\"'“‘[").lower()
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i")


def ends_like_a_sentence(text: str) -> bool:
    """Tell whether a text ends with a closing mark."""
    return bool(re.search(r"[.!?…。！？][\"'”’»)\]」』）*_`]*$", text.rstrip()))


def capitalised(text: str) -> str:
    """Return ``text`` with its first letter in upper case, the rest as written."""
    return text[:1].upper() + text[1:]
