"""Numbers that are written as words, in the languages that have a table here. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from app.language.tags import language_code

_WORD: Final = re.compile(r"[^\W\d_]+")

_NUMBER_WORDS: Final = {
    word: number
    for number, words in {
        "2": "two zwei deux dos due dois twee double twice doppelt два две двух оба обе اثنان "
        "اثنين",
        "3": "three drei trois tres tre três drie triple три трёх трех ثلاثة ثلاث",
        "4": "four vier quatre cuatro quattro quatro четыре четырёх четырех أربعة أربع",
        "5": "five fünf cinq cinco cinque vijf пять пяти خمسة خمس",
        "6": "six sechs seis sei zes шесть шести ستة",
        "7": "seven sieben sept siete sette sete zeven семь سبعة سبع",
        "8": "eight acht huit ocho otto oito восемь восьми ثمانية ثماني",
        "9": "nine neun neuf nueve nove negen девять девяти تسعة تسع",
        "10": "ten zehn dix diez dieci dez tien десять десяти десятки десятков dizaine dizaines "
        "decena decenas decina decine dezena dezenas tientallen عشرة عشرات",
        "11": "eleven elf onze once undici одиннадцать",
        "12": "twelve zwölf douze doce dodici doze twaalf dozen dutzend двенадцать dozens dutzende "
        "douzaine douzaines docena docenas dozzina dozzine dúzia dúzias dozijn",
        "13": "thirteen dreizehn treize trece tredici treze dertien тринадцать",
        "14": "fourteen vierzehn quatorze catorce quattordici catorze veertien четырнадцать",
        "15": "fifteen fünfzehn quinze quince quindici vijftien пятнадцать",
        "16": "sixteen sechzehn seize dieciséis sedici dezesseis zestien шестнадцать",
        "17": "seventeen siebzehn diecisiete diciassette dezessete zeventien семнадцать",
        "18": "eighteen achtzehn dieciocho diciotto dezoito achttien восемнадцать",
        "19": "nineteen neunzehn diecinueve diciannove dezenove negentien девятнадцать",
        "20": "twenty zwanzig vingt veinte venti vinte twintig двадцать двадцати عشرون عشرين",
        "30": "thirty dreißig trente treinta trenta trinta dertig тридцать тридцати ثلاثون ثلاثين",
        "40": "forty vierzig quarante cuarenta quaranta quarenta veertig сорок сорока أربعون أربعين",
        "50": "fifty fünfzig cinquante cincuenta cinquanta cinquenta vijftig пятьдесят пятидесяти "
        "خمسون خمسين",
        "60": "sixty sechzig soixante sesenta sessanta sessenta zestig шестьдесят ستون ستين",
        "70": "seventy siebzig setenta settanta zeventig семьдесят سبعون سبعين",
        "80": "eighty achtzig ochenta ottanta oitenta tachtig восемьдесят ثمانون ثمانين",
        "90": "ninety neunzig noventa novanta negentig девяносто تسعون تسعين",
        "100": "hundred hundreds hundert cien cento cem honderd hunderte centaine centaines centenar "
        "centenares centinaio centinaia centena centenas honderden сто ста сотня сотни сотен "
        "مئة مائة مئات",
        "1000": "thousand thousands tausend tausende mille mil duizend millier milliers millar "
        "millares migliaio migliaia milhar milhares duizenden тысяча тысячи тысяч ألف آلاف",
        "1000000": "million millions millionen millones milioni milhões miljoen миллион миллиона "
        "миллионов مليون ملايين miljoenen",
        "1/2": "half halves hälfte moitié mitad metà metade helft половина половину половины نصف",
        "1000000000": "billion billions milliarden milliards миллиард миллиарда миллиардов مليار",
    }.items()
    for word in words.split()
}  # fmt: skip

_SEVERAL_LANGUAGES: Final = frozenset(
    {"once", "due", "mil", "sept", "elf", "six", "sei", "tre", "tres", "dos", "dix", "otto"}
)
"""Number words that are another word in some other language: they count in their own language only."""

_OWN: Final = {
    "en": {"six"}, "de": {"elf"}, "fr": {"six", "sept", "dix"}, "es": {"once", "mil", "tres", "dos"},
    "it": {"due", "sei", "tre", "otto"}, "pt": {"mil"},
}  # fmt: skip

_FIRST: Final = {
    word: number
    for number, words in {
        "1": "a one ein un une uno una um uma een один одна",
        "2": "two zwei deux dos due dois duas twee две",
        "3": "three drei trois tres tre três drie три",
    }.items()
    for word in words.split()
}
_SECOND: Final = {
    word: number
    for number, words in {
        "3": "third thirds drittel tiers tercio tercios terzo terzi terço terços derde треть трети",
        "4": "quarter quarters viertel quart quarts cuarto cuartos quarto quarti quartos kwart "
        "четверть четверти",
        "5": "fifth fifths fünftel cinquième cinquièmes quinto quintos quinti vijfde",
        "10": "tenth tenths zehntel dixième dixièmes décimo décimos decimo decimi tiende",
    }.items()
    for word in words.split()
}
_PART: Final = re.compile(
    rf"\b({'|'.join(_FIRST)})[ -]({'|'.join(_SECOND)})"
    r"(?= (?:of|aller|de[rsnl]?|du|della|dei|degli|delle|di|d[oae]s?|van)\b| d['’]| \w+(?:ов|ей|ий|ой)\b)",
    re.IGNORECASE,
)
"""A third of, not a third party: what follows tells."""

_JOINED: Final = {
    "de": re.compile(
        r"(?=.*(?:zehn|zig|ßig|hundert|tausend))(?:eine?|zwei|zwan|drei|vier|fünf|sechs?|sieb(?:en)?|acht|neun|zehn"
        r"|zig|ßig|elf|zwölf|hundert|tausend|und){2,}"
    ),
    "nl": re.compile(
        r"(?=.*(?:tien|tig|honderd|duizend))(?:een|twee|twin|drie|der|vier|veer|vijf|zes|zeven|t?acht|negen|tien"
        r"|tig|elf|twaalf|honderd|duizend|[eë]n){2,}"
    ),
}
"""Numbers that are one word of several: fünfundzwanzig, dreihundert."""

_PART_NUMBERS: Final = {
    name: number
    for number, names in {
        1: "ein eine een", 2: "zwei zwan twee twin", 3: "drei drie der", 4: "vier veer", 5: "fünf vijf",
        6: "sech sechs zes", 7: "sieb sieben zeven", 8: "acht tacht", 9: "neun negen", 10: "zehn tien",
        11: "elf", 12: "zwölf twaalf",
    }.items()
    for name in names.split()
}  # fmt: skip
_TIMES_TEN: Final = frozenset({"zig", "ßig", "tig"})
_HUNDREDS: Final = frozenset({"hundert", "honderd"})
_THOUSANDS: Final = frozenset({"tausend", "duizend"})
_PARTS: Final = re.compile(
    "|".join(sorted({*_PART_NUMBERS, *_TIMES_TEN, *_HUNDREDS, *_THOUSANDS}, key=len, reverse=True))
)

_HAN: Final = re.compile(r"[〇零一二三四五六七八九十百千万亿億兆兩两]+分之[〇零一二三四五六七八九十百千]+"
                         r"|[〇零一二三四五六七八九十百千万亿億兆兩两半]{2,}"
                         r"|(?!十分)[〇零一二三四五六七八九十百千万两](?=時間|[かヶカ個个]月|[年月日週周人名個点円回枚度本台歳分秒つ倍割天次元岁层階])"
                         )  # fmt: skip
_HAN_DIGITS: Final = {mark: value for value, mark in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1000}
_HAN_MYRIADS: Final = {"万": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_HAN_SAYINGS: Final = frozenset({"万一", "千万", "一一"})
"""Runs of numerals that say no number: in case, by all means, one by one."""


_ARABIC_PREFIXES: Final = ("و", "ب", "ل", "ف", "ك")
_HUNDRED: Final = 100
_TENS: Final = 20
_SCALES: Final = frozenset({"100", "1000", "1000000", "1000000000"})
_BETWEEN: Final = re.compile(r"[ -]|,? and ", re.IGNORECASE)
_ONE: Final = re.compile(r"\b(?:an?|one)[ -]$", re.IGNORECASE)
_NO_SHARE: Final = re.compile(r"\b(?:the|this|that|other|another|which|each)(?: [^\W\d_]+)? $", re.IGNORECASE)
_SHARE: Final = re.compile(r" (?:of|an?|the)\b", re.IGNORECASE)


class NumberWord(NamedTuple):
    """Words that say a number, the number in digits (the words where that is not known), where they stand."""

    words: str
    number: str
    start: int

    @property
    def end(self) -> int:
        """Where the words end."""
        return self.start + len(self.words)


def number_words(text: str, language: str) -> Iterator[NumberWord]:
    """Yield the numbers that a text says in words: "two thousand" is one number.

    Fractions are ``1/2``, whether a word or one character says so. Collectives have the number that names
    them: dozens are 12.
    """
    parts = [
        NumberWord(part[0], f"{_FIRST[part[1].lower()]}/{_SECOND[part[2].lower()]}", part.start())
        for part in _PART.finditer(text)
    ]
    yield from parts
    single = (
        word
        for word in _single_words(text, language)
        if not any(part.start <= word.start < part.end for part in parts)
    )
    yield from _composed(text, single)
    for at, character in enumerate(text):
        if unicodedata.category(character) in {"No", "Nl"} and not character.isdigit():
            number = unicodedata.normalize("NFKC", character).replace("\N{FRACTION SLASH}", "/")
            yield NumberWord(character, number, at)
    for run in _HAN.finditer(text):
        if run[0] not in _HAN_SAYINGS:
            yield NumberWord(run[0], _han_number(run[0]), run.start())


def _han_number(run: str) -> str:
    """Return what a run of Chinese numerals says, itself where that is no whole number: 四百二十 is 420."""
    if not set(run) <= _HAN_DIGITS.keys() | _HAN_SCALES.keys() | _HAN_MYRIADS.keys():
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


def _single_words(text: str, language: str) -> Iterator[NumberWord]:
    code = language_code(language)
    own, joined = _OWN.get(code, set()), _JOINED.get(code)
    for match in _WORD.finditer(text):
        word = _without_prefix(match[0].lower()) if code == "ar" else match[0].lower()
        if word in _NUMBER_WORDS and (word not in _SEVERAL_LANGUAGES or word in own):
            if _NUMBER_WORDS[word] != "1/2" or _is_share(text, match):
                yield NumberWord(match[0], _NUMBER_WORDS[word], match.start())
        elif joined is not None and joined.fullmatch(word):
            yield NumberWord(match[0], str(_joined_number(word)), match.start())


def _without_prefix(word: str) -> str:
    """Return an Arabic word without the particle that is written as its beginning: "and seven" is seven."""
    return word[1:] if word[:1] in _ARABIC_PREFIXES and word[1:] in _NUMBER_WORDS else word


def _joined_number(word: str) -> int:
    """Return what a number of several parts in one word says: fünfundzwanzig is 25."""
    whole, part, last = 0, 0, 0
    for name in _PARTS.findall(word):
        if name in _TIMES_TEN:
            part += 9 * last  # "fünf" was added once: fünfzig is ten times as much.
        elif name in _HUNDREDS:
            part = max(1, part) * 100
        elif name in _THOUSANDS:
            whole, part = whole + max(1, part) * 1000, 0
        else:
            last = _PART_NUMBERS[name]
            part += last
    return whole + part


def _is_share(text: str, half: re.Match[str]) -> bool:
    """Tell whether a half is a share: "the harder half" is a part that has a name."""
    return bool(_SHARE.match(text, half.end())) or not _NO_SHARE.search(text[: half.start()])


def _composed(text: str, found: Iterator[NumberWord]) -> Iterator[NumberWord]:
    """Yield neighbouring words that say one number together: one hundred and twenty."""
    run: list[NumberWord] = []
    for word in found:
        if run and not _continues(text, run[-1], word):
            yield _joined(text, run)
            run = []
        run.append(word)
    if run:
        yield _joined(text, run)


def _continues(text: str, before: NumberWord, word: NumberWord) -> bool:
    between = text[before.end : word.start]
    if not (_BETWEEN.fullmatch(between) and before.number.isdigit() and word.number.isdigit()):
        return False
    if word.number in _SCALES:
        return len(between) == 1 and before.number not in {"12"}
    if between not in {" ", "-"}:
        return before.number in _SCALES
    is_tens = len(before.number) == 2 and before.number.endswith("0") and int(before.number) >= _TENS
    return before.number in _SCALES or (is_tens and len(word.number) == 1)


def _joined(text: str, run: list[NumberWord]) -> NumberWord:
    one = _ONE.search(text[: run[0].start]) if run[0].number in _SCALES else None
    start = one.start() if one else run[0].start
    words = text[start : run[-1].end]
    if len(run) == 1:
        return NumberWord(words, run[0].number, start)
    whole, part = 0, 0
    for each in run:
        number = int(each.number)
        if each.number not in _SCALES:
            part += number
        elif number == _HUNDRED:
            part = max(1, part) * number
        else:
            whole, part = whole + max(1, part) * number, 0
    return NumberWord(words, str(whole + part), start)
