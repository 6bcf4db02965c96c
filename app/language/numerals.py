"""Numbers that are written as one word of several parts: fünfundzwanzig, 四百二十. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from app.language.languages import language_data
from app.language.schema_claims import JoinedNumbers

_HAN: Final = re.compile(
    r"[〇零一二三四五六七八九十百千万亿億兆兩两]+分之[〇零一二三四五六七八九十百千]+"
    r"|[〇零一二三四五六七八九十百千万亿億兆兩两半]{2,}"
    r"|(?!十分)[〇零一二三四五六七八九十百千万两]"
    r"(?=時間|小[时時]|分[钟鐘]|[かヶカヵ箇個个]月|[かヶカヵ箇]所|軒(?!家)"
    r"|[年月日週周人名個点円回枚度本台歳分秒つ倍割天次元岁层階件社匹冊杯泊頭])"
)
_HAN_DIGITS: Final = dict(zip("零一二三四五六七八九〇两兩", [*range(10), 0, 2, 2], strict=True))
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1000}
_HAN_MYRIADS: Final = {"万": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_HAN_SAYINGS: Final = frozenset({"万一", "千万", "一一"})
"""Runs of numerals that say no number: in case, by all means, one by one."""

_LONGEST: Final = 60
"""Characters of a number word: a longer one may have very many ways to be divided, as in "femtiofemtio"."""


def han_numbers(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the numbers in Chinese numerals: the numerals, the number, and their place."""
    for run in _HAN.finditer(text):
        if run[0] not in _HAN_SAYINGS:
            yield run[0], _han_number(run[0]), run.start()


def _han_number(run: str) -> str:
    """Return what a run of Chinese numerals says: 四百二十 is 420; itself if long or no whole number."""
    if len(run) > _LONGEST or not set(run) <= _HAN_DIGITS.keys() | _HAN_SCALES.keys() | _HAN_MYRIADS.keys():
        return run
    whole, part, digit = 0, 0, 0
    for mark in run:
        if mark in _HAN_DIGITS:
            digit = 10 * digit + _HAN_DIGITS[mark]
        elif mark in _HAN_SCALES:
            part, digit = part + max(1, digit) * _HAN_SCALES[mark], 0
        else:
            whole, part, digit = whole + max(1, part + digit) * _HAN_MYRIADS[mark], 0, 0
    return str(whole + part + digit)


def number_of_parts(word: str, numbers: Mapping[str, str], links: Iterable[str]) -> int | None:
    """Return what a word says that is made of number words and links: tjugofem is 25; None if it is none."""
    parts = _parts(frozenset(each for each, number in numbers.items() if number.isdigit()), frozenset(links))
    if len(word) > _LONGEST or not parts.whole.fullmatch(word):
        return None
    found = [int(numbers[part]) for part in parts.part.findall(word) if part in numbers]
    return sum_of_parts(found) if len(found) > 1 else None


def sum_of_parts(parts: Iterable[int]) -> int:
    """Return the number that parts say one after the other: 2, 1000, 300, 40 are 2340."""
    whole, part = 0, 0
    for each in parts:
        if each == 100:
            part = max(1, part) * each
        elif each in {10**3, 10**6, 10**9}:
            whole, part = whole + max(1, part) * each, 0
        else:
            part += each
    return whole + part


class _Parts(NamedTuple):
    part: re.Pattern[str]
    whole: re.Pattern[str]


@lru_cache
def _parts(words: frozenset[str], links: frozenset[str]) -> _Parts:
    longest_first = "|".join(sorted(filter(str.isalpha, words), key=len, reverse=True))
    links_too = "|".join([longest_first, *sorted(links)])
    return _Parts(re.compile(links_too), re.compile(rf"(?:{longest_first})(?:{links_too})+"))


class _JoinedWords:
    """The numbers of one language that are one word of several parts."""

    def __init__(self, parts: JoinedNumbers) -> None:
        self._parts = parts
        self._units = {word: int(number) for number, words in parts.units.items() for word in words}
        scales = {*parts.tens, parts.hundred, parts.thousand}
        longest_first = sorted({*self._units, *scales}, key=len, reverse=True)
        self._part = re.compile("|".join(longest_first))
        ten = [word for word, number in self._units.items() if number == 10]
        self._whole = re.compile(
            rf"(?=.*(?:{'|'.join([*ten, *scales])}))(?:{'|'.join([*longest_first, *parts.links])}){{2,}}"
        )

    def number(self, word: str) -> int | None:
        """Return what a word says, None if it is no such number."""
        if len(word) > _LONGEST or not self._whole.fullmatch(word):
            return None
        whole, part, last = 0, 0, 0
        for name in self._part.findall(word):
            if name in self._parts.tens:
                part += 9 * last  # "fünf" was added once: fünfzig is ten times as much.
            elif name == self._parts.hundred:
                part = max(1, part) * 100
            elif name == self._parts.thousand:
                whole, part = whole + max(1, part) * 1000, 0
            else:
                last = self._units[name]
                part += last
        return whole + part


@lru_cache
def _joined_words(code: str) -> _JoinedWords | None:
    parts = language_data(code).numbers.in_one_word
    return _JoinedWords(parts) if parts else None


def joined_number(word: str, code: str) -> int | None:
    """Return what a word of several parts says: fünfundzwanzig is 25; None if it is none."""
    joined = _joined_words(code)
    return joined.number(word) if joined else None
