"""Numbers that are written as words, in the languages that have a table here. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from app.content.language.lexicon import primary_subtag

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
        "15": "fifteen fünfzehn quinze quince пятнадцать",
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

_HAN: Final = re.compile(r"[〇零一二三四五六七八九十百千万亿億兆兩两]+分之[〇零一二三四五六七八九十百千]+"
                         r"|[〇零一二三四五六七八九十百千万亿億兆兩两半]{2,}")  # fmt: skip
_HAN_SAYINGS: Final = frozenset({"万一", "千万", "一一"})
"""Runs of numerals that say no number: in case, by all means, one by one."""


def number_words(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield each number word of a text with its number in digits, or with itself where that is not known.

    Fractions are ``1/2``, whether a word or one character says so. Collectives have the number that names
    them: dozens are 12.
    """
    lowered = text.lower()
    primary = primary_subtag(language)
    own, joined = _OWN.get(primary, set()), _JOINED.get(primary)
    for word in _WORD.findall(lowered):
        if word in _NUMBER_WORDS and (word not in _SEVERAL_LANGUAGES or word in own):
            yield word, _NUMBER_WORDS[word]
        elif joined is not None and joined.fullmatch(word):
            yield word, word
    for part in _PART.finditer(lowered):
        yield part[0], f"{_FIRST[part[1]]}/{_SECOND[part[2]]}"
    for character in text:
        if unicodedata.category(character) in {"No", "Nl"} and not character.isdigit():
            yield character, unicodedata.normalize("NFKC", character).replace("\N{FRACTION SLASH}", "/")
    for run in _HAN.findall(text):
        if run not in _HAN_SAYINGS:
            yield run, run
