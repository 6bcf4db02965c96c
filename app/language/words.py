"""Words of a text in any script. Pure.

A word is a run of letters and digits with their marks; a character of a script that is written without spaces
(Chinese, Japanese) is a word of its own. A number is one word, its points and commas included.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from math import ceil
from typing import Final

CJK: Final = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# What Python's \w leaves out of words: vowel signs and other marks, and the joiners of Persian and Indic.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962"
    "\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a81-\u0a83\u0abc-\u0acd\u0b01-"
    "\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03"
    "\u0d3b-\u0d4d\u0d81-\u0d83\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd"
    "\u102b-\u103e\u17b6-\u17d3\u200c\u200d"
)
_LETTER: Final = rf"(?:[^\W_{CJK}]|[{_MARKS}])"
# No possessive group: Python before 3.11.5 matches nothing with one that goes back inside.
_WORD: Final = re.compile(rf"[{CJK}]|[^\W_{CJK}]{_LETTER}*(?:['’.\-_]{_LETTER}+|(?<=\d),\d+)*")
# An unrolled loop, since keywords are searched in a hundred thousand titles and headings.
_PART: Final = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:[{_MARKS}]+[^\W_{CJK}]*)*")
_RUN: Final = re.compile(r"[\u30a1-\u30ff]+|[\u3041-\u309f]+|(?:(?![\u3041-\u30ff])[" + CJK + r"])+")
_HIRAGANA: Final = re.compile("[\u3041-\u309f]+")
_JOINING: Final = re.compile(
    r"(?<![\u3041-\u309f])[\u3041-\u309f]{1,3}(?![\u3041-\u309f])|[のはがをにでともやへ](?![\u3041-\u309f])"
)
COLONS: Final = (":", "：")
QUESTION_MARKS: Final = ("?", "？", "؟")
"""The marks with which a line or a sentence ends, in any script."""
VOWEL_SIGNS: Final = "\u064b-\u0652\u0670"
"""What Arabic may write on its letters or leave out, to be put into a class of characters."""
_VOWEL_SIGN: Final = re.compile(f"[{VOWEL_SIGNS}]")
CAPITALS: Final = "".join(filter(str.isupper, map(chr, range(0x10000))))
"""The capital letters of all alphabets that have some, to be put into a class of characters."""
_HAS_CJK: Final = re.compile(rf"[{CJK}]")
_WORDS_A_MINUTE: Final = 220
_BYTES_A_TOKEN: Final = 4


def fold(text: str) -> str:
    """Return ``text`` in normal form C with every run of white space as one blank, none at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def words(text: str) -> list[str]:
    """Return the words of a text as written."""
    return _WORD.findall(text)


def word_parts(text: str) -> list[str]:
    """Return the words of a text, split at hyphens, points and the like: "e", "mail"."""
    return _PART.findall(text)


def terms(text: str, *, paired: bool) -> list[str]:
    """Return the words by which a text is found; in a script without spaces, parts that may be words.

    With ``paired``, for Japanese, these are runs of katakana and each two neighbours of other characters;
    without it, for Chinese, single characters.
    """
    if not paired or not is_unspaced(text):
        return words(text)
    spaced = words(_HAS_CJK.sub(" ", text))
    return spaced + [pair for run in _RUN.findall(text) for pair in _pairs(run)]


def named_terms(text: str, *, paired: bool) -> list[str]:
    """Return the terms of a name or topic; hiragana, which mostly joins words, only if there is little else.

    Then a short run between two words does not count: the の of "畳の縁".
    """
    if not paired or not is_unspaced(text):
        return words(text)
    others = terms(_HIRAGANA.sub(" ", text), paired=True)
    if len(set(others)) > 1:
        return others
    return terms(_JOINING.sub(" ", text), paired=True) or terms(text, paired=True)


def named_runs(text: str) -> list[str]:
    """Return the runs of characters of one kind in a text without spaces, except hiragana."""
    return _RUN.findall(_HIRAGANA.sub(" ", text))


def meeting_pairs(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the pairs of characters in which two words may meet, each with its neighbours in the same run.

    Of four characters or more that is a pair inside the run ("温乾" of "高温乾燥"), of three either one.
    """
    found = list[tuple[str, tuple[str, ...]]]()
    for run in named_runs(text):
        pairs = _pairs(run)
        if len(pairs) == 2:
            found += [(pairs[0], (pairs[1],)), (pairs[1], (pairs[0],))]
        found += [(pairs[at], (pairs[at - 1], pairs[at + 1])) for at in range(1, len(pairs) - 1)]
    return found


def _pairs(run: str) -> list[str]:
    if len(run) < 3 or "\u30a1" <= run[0] <= "\u30ff":
        return [run]
    return [run[at : at + 2] for at in range(len(run) - 1)]


def word_count(text: str) -> int:
    """Return the number of words."""
    return len(words(text))


@lru_cache(maxsize=4096)
def extent(text: str) -> int:
    """Return the length of a text in words; two characters of a script without spaces count as one word.

    Limits of length are compared with this. Yoast's limits for Japanese are twice those for other languages.
    """
    unspaced = len(_HAS_CJK.findall(text))
    return word_count(text) - unspaced // 2 if unspaced else word_count(text)


def is_unspaced(text: str) -> bool:
    """Return whether a text has characters of a script that is written without spaces."""
    return _HAS_CJK.search(text) is not None


def width(text: str) -> int:
    """Return the columns a line of text takes: two for a full-width character, one for another."""
    if text.isascii():
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)


def reading_minutes(count: int) -> int:
    """Return the minutes that reading ``count`` words takes, at least one."""
    return max(1, ceil(count / _WORDS_A_MINUTE))


def without_vowel_signs(text: str) -> str:
    """Return a text without the signs that Arabic may leave out: "ديناراً" is "دينارا"."""
    return text if text.isascii() else _VOWEL_SIGN.sub("", text)


def tokens_in(text: str) -> int:
    """Return a rough number of tokens that a language model reads a text as: a quarter of its bytes."""
    return ceil(len(text.encode()) / _BYTES_A_TOKEN)


def capitalised(text: str) -> str:
    """Return ``text`` with its first letter in upper case, the rest as written."""
    return text[:1].upper() + text[1:]


def without_colon(text: str) -> str:
    """Return a text without the colon at its end; two of them are a part of it: "::"."""
    return text if text.endswith("::") else text.rstrip("".join(COLONS))


def alternatives(phrases: Iterable[str]) -> str:
    """Return a regular expression that matches each of the phrases, the longest first."""
    return "|".join(map(re.escape, sorted(phrases, key=lambda phrase: (-len(phrase), phrase))))
