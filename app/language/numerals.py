"""Numbers that are written as one word of several parts, 四百二十, or in the digits of Arabic. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

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

_EASTERN_DIGITS: Final = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹"
_EASTERN: Final = str.maketrans(_EASTERN_DIGITS + "٫", "0123456789" * 2 + ".", "٬")

_LONGEST: Final = 60
"""Characters of a number word: a longer one may have very many ways to be divided, as in "femtiofemtio"."""


def in_plain_digits(number: str) -> str:
    """Return a number in the digits from 0 to 9, without Arabic marks of thousands: ١٬٢٥٠٫٥ is 1250.5."""
    return number if number.isascii() else number.translate(_EASTERN)


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


class JoinedWords:
    """The numbers of one language that are one word of several number words and links: fünfundzwanzig."""

    def __init__(self, numbers: Mapping[str, str], links: Iterable[str]) -> None:
        joined = {word: number for word, number in numbers.items() if number.isdigit() and word.isalpha()}
        self._numbers = {word: int(number) for word, number in joined.items()}
        longest_first = "|".join(sorted(self._numbers, key=len, reverse=True))
        links_too = "|".join([longest_first, *sorted(links)])
        # "Hunderteins" is no "hunderte": what follows a part has to be parts as well.
        self._part = re.compile(rf"(?:{links_too})(?=(?:{links_too})*\Z)")
        self._whole = re.compile(rf"(?:{longest_first})(?:{links_too})+")

    def number(self, word: str) -> int | None:
        """Return what a word says, None if it is no such number."""
        if len(word) > _LONGEST or not self._whole.fullmatch(word):
            return None
        found = [self._numbers[part] for part in self._part.findall(word) if part in self._numbers]
        return sum_of_parts(found) if len(found) > 1 else None
