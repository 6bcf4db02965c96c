"""Numbers that are written as words. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from app.language.languages import in_all_languages, language_data, languages
from app.language.numerals import han_numbers, joined_number

_WORD: Final = re.compile(r"[^\W\d_]+")
_HUNDRED: Final = 100
_TENS: Final = 20
_SCALES: Final = frozenset({"100", "1000", "1000000", "1000000000"})
_BETWEEN: Final = re.compile(r"[ -]|,? and ", re.IGNORECASE)
_ONE: Final = re.compile(r"\b(?:an?|one)[ -]$", re.IGNORECASE)
_NO_SHARE: Final = re.compile(r"\b(?:the|this|that|other|another|which|each)(?: [^\W\d_]+)? $", re.IGNORECASE)
_SHARE: Final = re.compile(r" (?:of|an?|the)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Words:
    """The number words of all languages, and the numbers that they say."""

    numbers: Mapping[str, str]
    ambiguous: frozenset[str]
    counts_of_parts: Mapping[str, str]
    parts: Mapping[str, str]
    fraction: re.Pattern[str]

    def fraction_of(self, count: str, part: str) -> str:
        """Return the fraction that two words say: 2/3 for "two" and "thirds"."""
        return f"{self.counts_of_parts[count.lower()]}/{self.parts[part.lower()]}"


@cache
def _words() -> _Words:
    wholes = in_all_languages(lambda language: language.numbers.before_wholes)
    endings = in_all_languages(lambda language: language.numbers.endings_of_wholes)
    counts = _by_word(language.numbers.counts_of_parts for language in languages())
    parts = _by_word(language.numbers.parts for language in languages())
    return _Words(
        numbers=_by_word(language.numbers.words for language in languages()),
        ambiguous=frozenset(in_all_languages(lambda language: language.numbers.ambiguous)),
        counts_of_parts=counts,
        parts=parts,
        # "A third of", not "a third party": what follows decides.
        fraction=re.compile(
            rf"\b({'|'.join(counts)})[ -]({'|'.join(parts)})"
            rf"(?= (?:{'|'.join(wholes)})\b| d['’]| \w+(?:{'|'.join(endings)})\b)",
            re.IGNORECASE,
        ),
    )


def _by_word(tables: Iterable[Mapping[str, Iterable[str]]]) -> dict[str, str]:
    return {word: number for table in tables for number, words in table.items() for word in words}


class NumberWord(NamedTuple):
    """Words that say a number, the number in digits (the words if it is not known), and their place."""

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
    known = _words()
    parts = [
        NumberWord(part[0], known.fraction_of(part[1], part[2]), part.start())
        for part in known.fraction.finditer(text)
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
    yield from (NumberWord(*each) for each in han_numbers(text))


def _single_words(text: str, language: str) -> Iterator[NumberWord]:
    own, known = language_data(language).numbers, _words()
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if word[:1] in own.joined_beginnings and word[1:] in known.numbers:
            word = word[1:]
        if word in known.numbers and (word not in known.ambiguous or word in own.ambiguous):
            if known.numbers[word] != "1/2" or _is_share(text, match):
                yield NumberWord(match[0], known.numbers[word], match.start())
        elif (number := joined_number(word, language)) is not None:
            yield NumberWord(match[0], str(number), match.start())


def _is_share(text: str, half: re.Match[str]) -> bool:
    """Return whether a half is a share: "the harder half" is a part that has a name."""
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
